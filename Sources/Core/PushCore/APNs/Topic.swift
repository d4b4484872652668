/// The ID of the app that a notification is for, the same in the backend, the app and the extension: a bundle ID or, on
/// Android, an application ID.
///
/// A bundle ID is not the extension's own. It has none of the suffixes that APNs defines for push types, such as `.voip`.
public struct Topic: Hashable, Sendable {
  /// The longest topic, in bytes.
  public static let maximumSize = 255

  /// The bundle ID, or the application ID.
  public let text: String

  /// Takes a bundle ID of 1 to 255 ASCII letters, digits, hyphens and periods, or an application ID, which may have
  /// underscores, but no hyphens.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    guard (1...Self.maximumSize).contains(text.utf8.count) else {
      throw ValueError("topic", is: "a bundle ID of 1 to \(Self.maximumSize) characters")
    }
    if let offset = text.utf8.enumerated().first(where: { !Self.isAllowed($0.element) })?.offset {
      throw ValueError("topic", is: Self.rule, notAt: offset)
    }
    if text.utf8.contains(Self.underscore), text.utf8.contains(Self.hyphen) {
      throw ValueError("topic", is: Self.rule)
    }
    guard !Self.suffixes.contains(where: text.hasSuffix) else {
      throw ValueError("topic", is: "the bundle ID alone, without a suffix such as .voip")
    }
    self.text = text
  }

  /// Whether an app of the service can have this ID: a bundle ID has no underscores, and an application ID no hyphens.
  public func isOf(_ service: PushService) -> Bool {
    switch service {
    case .apns: !text.utf8.contains(Self.underscore)
    case .fcm: !text.utf8.contains(Self.hyphen)
    }
  }

  private static let rule =
    "a bundle ID (letters, digits, hyphens and periods) or an application ID (underscores for hyphens)"
  private static let underscore = UInt8(ascii: "_")
  private static let hyphen = UInt8(ascii: "-")

  private static func isAllowed(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen, underscore, UInt8(ascii: "."): true
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
  /// The bundle ID, or the application ID.
  public var description: String { text }
}
