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
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    guard (1...Self.maximumSize).contains(text.utf8.count) else {
      throw ValueError("topic", is: "a bundle ID of 1 to \(Self.maximumSize) characters")
    }
    if let offset = text.utf8.enumerated().first(where: { !Self.isAllowed($0.element) })?.offset {
      throw ValueError("topic", is: "a bundle ID: letters, digits, hyphens and periods", notAt: offset)
    }
    guard !Self.suffixes.contains(where: text.hasSuffix) else {
      throw ValueError("topic", is: "the bundle ID alone, without a suffix such as .voip")
    }
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

extension Topic: CustomStringConvertible {
  /// The bundle ID.
  public var description: String { text }
}
