/// How a message is encrypted: the envelope's second byte.
public enum Suite: UInt8, Sendable, CaseIterable {
  /// HPKE with X25519, HKDF-SHA256 and ChaCha20-Poly1305 (RFC 9180; JOSE name HPKE-4). The default.
  case x25519ChaChaPoly = 0x01

  /// HPKE with P-256, HKDF-SHA256 and AES-256-GCM (RFC 9180; JOSE name HPKE-7).
  case p256AESGCM = 0x02

  /// HKDF-SHA256 and ChaCha20-Poly1305 under a 32-byte key that both sides know, committing to it.
  case sharedChaChaPoly = 0x10

  /// The name in tools and documents.
  public var name: String {
    switch self {
    case .x25519ChaChaPoly: "x25519-chachapoly"
    case .p256AESGCM: "p256-aesgcm"
    case .sharedChaChaPoly: "shared-chachapoly"
    }
  }

  /// The suite of a name.
  public init?(name: String) {
    guard let suite = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = suite
  }

  /// The length of the encapsulated key, in bytes: 32, 65 or 64.
  public var encapsulatedKeySize: Int {
    switch self {
    case .x25519ChaChaPoly: 32
    case .p256AESGCM: 65
    case .sharedChaChaPoly: 64
    }
  }

  /// Whether `bytes` have the form of this suite's encapsulated key.
  ///
  /// A point of P-256 is uncompressed.
  func accepts(encapsulatedKey bytes: Span<UInt8>) -> Bool {
    guard bytes.count == encapsulatedKeySize else { return false }
    return switch self {
    case .x25519ChaChaPoly, .sharedChaChaPoly: true
    case .p256AESGCM: bytes[0] == 0x04
    }
  }
}
