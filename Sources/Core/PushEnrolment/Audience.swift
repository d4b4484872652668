public import PushCore

/// A backend's own name, which a device signs with an enrolment, so that no other backend can use that enrolment.
///
/// It is built into the app beside the backend's address, and set in the backend's configuration. It never comes from a
/// message or an answer. Use the origin of the backend's address, such as `https://push.example.com`. Audiences are
/// compared byte by byte.
public struct Audience: Hashable, Sendable {
  /// The maximum size of an audience, in bytes.
  public static let maximumSize = 255

  /// The text.
  public let text: String

  /// Takes a text of 1 to 255 bytes of UTF-8 without control characters.
  ///
  /// - Throws: `ValueError`.
  public init(_ text: String) throws(ValueError) {
    guard (1...Self.maximumSize).contains(text.utf8.count), !text.hasControlCharacters else {
      throw ValueError("backend's name", is: "1 to \(Self.maximumSize) bytes without control characters")
    }
    self.text = text
  }

  /// Whether both are the same bytes of UTF-8.
  public static func == (left: Audience, right: Audience) -> Bool {
    ExactString(left.text) == ExactString(right.text)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactString(text)) }
}

extension String {
  /// Whether it has a character from U+0000 to U+001F or from U+007F to U+009F.
  var hasControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }
  }
}
