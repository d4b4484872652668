/// The app that a notification is for: its bundle id, the same in the backend, the app and the extension.
///
/// Not the extension's own bundle id, and without the suffixes that APNs has for push types, such as `.voip`.
public struct Topic: Hashable, Sendable {
  /// The longest topic, in bytes.
  public static let maximumSize = 255

  /// The bundle id.
  public let text: String

  /// Takes a bundle id: letters, digits, hyphens and periods of ASCII, 1 to 255 of them.
  ///
  /// - Throws: ``TopicError``.
  public init(_ text: String) throws(TopicError) {
    guard (1...Self.maximumSize).contains(text.utf8.count) else { throw .badLength }
    guard text.utf8.allSatisfy(Self.isAllowed) else { throw .badCharacter }
    guard !Self.suffixes.contains(where: text.hasSuffix) else { throw .pushTypeSuffix }
    self.text = text
  }

  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  /// Apple, "Sending notification requests to APNs": what `apns-topic` adds to the bundle id.
  private static let suffixes = [
    ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
    ".push-type.liveactivity", ".push-type.widgets", ".push-type.controls",
  ]
}

/// Why a text is no topic.
public enum TopicError: Error, Equatable, Sendable {
  /// It is empty or longer than 255 bytes.
  case badLength
  /// A character that no bundle id has.
  case badCharacter
  /// It ends in a suffix of `apns-topic`, which the bundle id does not have.
  case pushTypeSuffix
}
