internal import PushCrypto

/// What an algorithm is in a JWK.
extension KeyAlgorithm {
  /// `kty`.
  var keyType: String {
    switch self {
    case .x25519, .ed25519: "OKP"
    case .p256: "EC"
    }
  }

  /// `crv`, which is enough to tell the algorithm, since each curve has one purpose here.
  var curve: String {
    switch self {
    case .x25519: "X25519"
    case .ed25519: "Ed25519"
    case .p256: "P-256"
    }
  }

  /// Who has such keys.
  var role: KeyRole {
    switch self {
    case .x25519, .p256: .device
    case .ed25519: .sender
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

extension KeyRole {
  /// `use`.
  var use: String {
    switch self {
    case .device: "enc"
    case .sender: "sig"
    }
  }
}
