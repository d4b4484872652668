/// What a backend asks a device to sign with its enrolment: a random text of its own, for one login.
///
/// It says that the enrolment was made for that login, and now.
public struct Challenge: Hashable, Sendable {
  /// The longest challenge, in bytes.
  public static let maximumSize = 255

  /// The text.
  public let text: String

  /// Takes a text; null unless it has 1 to 255 bytes of UTF-8.
  public init?(_ text: String) {
    guard (1...Self.maximumSize).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// Whether both are the same bytes.
  public static func == (left: Challenge, right: Challenge) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}
