/// How a message is encrypted: the envelope's second byte.
public enum Suite: UInt8, Sendable, CaseIterable {
  /// HPKE with X25519, HKDF-SHA256 and ChaCha20-Poly1305 (RFC 9180; JOSE name HPKE-4). The default.
  case x25519ChaChaPoly = 0x01

  /// HPKE with P-256, HKDF-SHA256 and AES-256-GCM (RFC 9180; JOSE name HPKE-7).
  case p256AESGCM = 0x02

  /// HPKE with X-Wing (ML-KEM-768 and X25519), HKDF-SHA256 and AES-256-GCM: a quantum computer cannot open
  /// recorded messages.
  case xwingAESGCM = 0x03

  /// HKDF-SHA256 and ChaCha20-Poly1305 under a 32-byte key that both sides know, committing to it.
  case sharedChaChaPoly = 0x10

  /// The properties of each suite.
  private var definition:
    (name: String, encapsulatedKeySize: Int, firstByte: UInt8?, isQuantumResistant: Bool)
  {
    switch self {
    case .x25519ChaChaPoly: ("x25519-chachapoly", 32, nil, false)
    // A point of P-256 is uncompressed.
    case .p256AESGCM: ("p256-aesgcm", 65, 0x04, false)
    case .xwingAESGCM: ("xwing-aesgcm", 1120, nil, true)
    case .sharedChaChaPoly: ("shared-chachapoly", 64, nil, true)
    }
  }

  /// The name in tools and documents.
  public var name: String { definition.name }

  /// The suite with this name; nil if there is none.
  public init?(name: String) {
    guard let suite = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = suite
  }

  /// Whether recorded messages stay safe from a quantum computer.
  ///
  /// With a shared key, they do only if the key itself was exchanged safely. Signatures are never quantum-resistant.
  public var isQuantumResistant: Bool { definition.isQuantumResistant }

  /// The suites in the order in which a sealer prefers them.
  package static let byPreference: [Suite] = [
    .xwingAESGCM, .x25519ChaChaPoly, .p256AESGCM, .sharedChaChaPoly,
  ]

  /// The length of the encapsulated key, in bytes: 32, 65, 1120 or 64.
  public var encapsulatedKeySize: Int { definition.encapsulatedKeySize }

  /// Whether `bytes` have the form of this suite's encapsulated key.
  func accepts(encapsulatedKey bytes: Span<UInt8>) -> Bool {
    guard bytes.count == encapsulatedKeySize else { return false }
    return definition.firstByte.map { $0 == bytes[0] } ?? true
  }
}
