/// What a key is bound by: its JWK thumbprint (RFC 7638) with SHA-256, 32 bytes.
///
/// A shared key's follows from the key by HKDF instead (FORMAT.md, section 3).
public struct Thumbprint: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 32

  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Takes a digest, or what stands for it; null unless it has 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Reads what ``text`` writes; null for any other text.
  public init?(text: String) {
    guard let bytes = try? Base64URL.decode(text) else { return nil }
    self.init(bytes)
  }

  /// The first 8 bytes, by which an envelope names the key.
  public var keyID: KeyID { KeyID(prefixing: self) }

  /// The thumbprint in base64url, 43 characters: a JWK's `kid`.
  public var text: String { Base64URL.encode(bytes.span) }
}

/// The name of a key in an envelope: the first 8 bytes of its ``Thumbprint``.
///
/// It is a hint. What is bound, and must be right, is the whole thumbprint.
public struct KeyID: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 8

  /// The 8 bytes.
  public let bytes: [UInt8]

  /// The name of a key with a thumbprint.
  public init(prefixing thumbprint: Thumbprint) { bytes = Array(thumbprint.bytes.prefix(Self.size)) }

  /// Takes bytes; null unless there are 8.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Reads what ``text`` writes; null for any other text.
  public init?(text: String) {
    guard let bytes = try? Base64URL.decode(text) else { return nil }
    self.init(bytes)
  }

  /// The bytes in base64url, 11 characters.
  public var text: String { Base64URL.encode(bytes.span) }

  /// What the `kid` of the key begins with: the 10 characters that these bytes fill.
  public var kidPrefix: String { String(text.dropLast()) }
}
