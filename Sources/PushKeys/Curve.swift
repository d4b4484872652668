internal import PushCrypto

/// What a public key is a point of: a JWK's `crv`, which tells the algorithm, since each curve has one purpose here.
enum Curve: String, Sendable, CaseIterable {
  case x25519 = "X25519"
  case p256 = "P-256"
  case ed25519 = "Ed25519"

  /// `kty`.
  var keyType: String {
    switch self {
    case .x25519, .ed25519: "OKP"
    case .p256: "EC"
    }
  }

  /// What keys on it are for.
  var algorithm: KeyAlgorithm {
    switch self {
    case .x25519: .x25519
    case .p256: .p256
    case .ed25519: .ed25519
    }
  }

  /// Checks a serialized public key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  func validate(publicKey bytes: Span<UInt8>) throws(CryptoError) {
    switch self {
    case .x25519:
      try X25519.validate(publicKey: bytes)
      guard X25519.isCanonical(bytes) else { throw .invalidPublicKey }
    case .p256: try P256.validate(publicKey: bytes)
    case .ed25519: try Ed25519.validate(publicKey: bytes)
    }
  }

  /// The serialized public key of a private one.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` for a wrong length, zero, or a scalar that P-256 does not have.
  func publicKey(of secret: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard !ConstantTime.isZero(secret) else { throw .invalidPrivateKey }
    return switch self {
    case .x25519: try X25519.publicKey(of: secret)
    case .p256: try P256.publicKey(of: secret)
    case .ed25519: try Ed25519.publicKey(of: secret)
    }
  }
}
