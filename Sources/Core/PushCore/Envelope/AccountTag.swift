/// An account's tag: which person on a device a message is for, 16 bytes (FORMAT.md, "The account").
///
/// A backend gives the tag to the device when it accepts the device's enrolment for a person who is logged in, and the
/// sealed content of each message for that person has it. It says nothing about the person to those who do not know the
/// device's identity, and one person has another tag on each device.
public struct AccountTag: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 16

  /// The first 8 bytes, big-endian.
  private let high: UInt64

  /// The last 8 bytes, big-endian.
  private let low: UInt64

  /// The 16 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    bytes.append(bigEndian: high, count: 8)
    bytes.append(bigEndian: low, count: 8)
    return bytes
  }

  /// Takes 16 bytes; nil for any other number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    (high, low) = (UInt64(bigEndian: bytes.prefix(8)), UInt64(bigEndian: bytes.suffix(8)))
  }

  /// Reads the text that ``text`` gives.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    let bytes = try Base64URL.decode(
      Array(text.utf8).span, count: Self.textSize, as: "account tag",
      is: "16 bytes in base64url, \(Self.textSize) characters")
    (high, low) = (UInt64(bigEndian: bytes.prefix(8)), UInt64(bigEndian: bytes.suffix(8)))
  }

  /// The length of the text, in characters.
  package static let textSize = 22

  /// The bytes in base64url, 22 characters.
  public var text: String { Base64URL.encode(bytes.span) }
}

extension AccountTag: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
