public import PushEnvelope

/// What a key is for: one suite and one purpose, for life.
///
/// The raw value is the JWK's `alg`.
public enum KeyAlgorithm: String, Sendable, CaseIterable {
  /// A device's X25519 key, for the suite `x25519-chachapoly`.
  case x25519 = "HPKE-4"

  /// A device's P-256 key, for the suite `p256-aesgcm`.
  case p256 = "HPKE-7"

  /// A sender's Ed25519 key.
  case ed25519 = "EdDSA"

  /// A key that both sides know, for the suite `shared-chachapoly`.
  case shared = "shared-chachapoly"

  /// The algorithm of a suite's keys.
  public init(suite: Suite) {
    switch suite {
    case .x25519ChaChaPoly: self = .x25519
    case .p256AESGCM: self = .p256
    case .sharedChaChaPoly: self = .shared
    }
  }

  /// The suite that a device's key or a shared one opens; null for a sender's.
  public var suite: Suite? {
    switch self {
    case .x25519: .x25519ChaChaPoly
    case .p256: .p256AESGCM
    case .ed25519: nil
    case .shared: .sharedChaChaPoly
    }
  }
}
