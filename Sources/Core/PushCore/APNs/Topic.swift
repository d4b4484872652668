/// The bundle ID of the app that a notification is for, the same in the backend, the app and the extension.
///
/// It is not the extension's own bundle ID, and has none of the suffixes that APNs defines for push types, such as
/// `.voip`.
public struct Topic: Hashable, Sendable {
  /// The longest topic, in bytes.
  public static let maximumSize = 255

  /// The bundle ID.
  public let text: String

  /// Takes a bundle ID of 1 to 255 ASCII letters, digits, hyphens and periods.
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

  /// The suffixes of `apns-topic` (Apple, "Sending notification requests to APNs").
  private static let suffixes = [
    ".voip", ".voip-ptt", ".complication", ".pushkit.fileprovider", ".location-query",
    ".push-type.liveactivity", ".push-type.widgets", ".push-type.controls",
  ]
}

/// Why a text is not a topic.
public enum TopicError: Error, Equatable, Sendable {
  /// It is empty or longer than 255 bytes.
  case badLength
  /// It has a character that no bundle ID has.
  case badCharacter
  /// It ends in a push type's suffix of `apns-topic`, which is not part of the bundle ID.
  case pushTypeSuffix
}

extension TopicError: CustomStringConvertible {
  /// The rule that the text breaks, as a sentence about topics.
  public var description: String { "a topic \(reason)" }

  /// The rule without a subject, such as `is a bundle ID: …`, to follow the name of the text.
  package var reason: String {
    switch self {
    case .badLength: "has 1 to \(Topic.maximumSize) characters"
    case .badCharacter: "is a bundle ID: letters, digits, hyphens and periods"
    case .pushTypeSuffix: "is the bundle ID alone, without a suffix such as .voip"
    }
  }
}
