/// A key's JWK thumbprint (RFC 7638) with SHA-256, 32 bytes.
///
/// The thumbprint of a shared key is derived with HKDF instead (FORMAT.md, section 3).
public struct Thumbprint: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 32

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Takes a thumbprint; nil unless it has 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Reads the text that ``text`` gives.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) { try self.init(parsing: Array(text.utf8).span) }

  /// Reads the text that ``text`` gives.
  ///
  /// - Throws: ``ValueError``.
  package init(parsing text: Span<UInt8>) throws(ValueError) {
    bytes = try Base64URL.decode(
      text, count: Self.textSize, as: "thumbprint", is: "32 bytes in base64url, \(Self.textSize) characters")
  }

  private static let textSize = 43

  /// The first 8 bytes, which name the key in an envelope.
  public var keyID: KeyID { KeyID(prefixing: self) }

  /// The thumbprint in base64url, 43 characters: a JWK's `kid`.
  public var text: String { Base64URL.encode(bytes.span) }
}

/// The ID of a key in an envelope: the first 8 bytes of its ``Thumbprint``.
///
/// It is only a hint. A message is bound to the full thumbprint.
public struct KeyID: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 8

  /// The 8 bytes, big-endian.
  private let number: UInt64

  /// The 8 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    append(to: &bytes)
    return bytes
  }

  /// Takes the first 8 bytes of a thumbprint.
  public init(prefixing thumbprint: Thumbprint) {
    number = UInt64(bigEndian: thumbprint.bytes.prefix(Self.size))
  }

  init(number: UInt64) { self.number = number }

  /// Appends the 8 bytes.
  func append(to bytes: inout [UInt8]) { bytes.append(bigEndian: number, count: Self.size) }

  /// Writes the 8 bytes at a position.
  func write(to bytes: inout [UInt8], at start: Int) {
    for index in 0..<Self.size {
      bytes[start + index] = UInt8(truncatingIfNeeded: number >> (56 - 8 * index))
    }
  }

  /// Reads the text that ``text`` gives.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    let bytes = try Base64URL.decode(
      Array(text.utf8).span, count: Self.textSize, as: "key ID",
      is: "8 bytes in base64url, \(Self.textSize) characters")
    self.init(number: UInt64(bigEndian: bytes[...]))
  }

  private static let textSize = 11

  /// The bytes in base64url, 11 characters.
  public var text: String { Base64URL.encode(bytes.span) }

  /// The first 10 characters of the key's `kid`: those that these bytes determine.
  public var kidPrefix: String { String(text.dropLast()) }
}

extension Thumbprint: CustomStringConvertible {
  /// The text form, as `kid`.
  public var description: String { text }
}

extension KeyID: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
