#if canImport(CryptoKit)
  internal import CryptoKit

  /// X25519 from CryptoKit.
  ///
  /// ``X25519`` has checked lengths and refused points of small order.
  enum CryptoKitX25519 {
    private typealias PrivateKey = Curve25519.KeyAgreement.PrivateKey
    private typealias PublicKey = Curve25519.KeyAgreement.PublicKey

    /// Computes X25519(sk, 9) for each 32-byte private key.
    ///
    /// Keys and results are concatenated.
    static func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8] {
      var publicKeys: [UInt8] = []
      publicKeys.reserveCapacity(privateKeys.count)
      for position in 0..<privateKeys.count / X25519.keySize {
        let key = privateKey(privateKeys.item(position, size: X25519.keySize))
        guard let key else { preconditionFailure("any 32 bytes are a private key") }
        publicKeys += key.publicKey.rawRepresentation
      }
      return publicKeys
    }

    /// Returns the shared secret, which is all zero if CryptoKit refuses the point.
    static func sharedSecret(privateKey: Span<UInt8>, publicKey: Span<UInt8>) -> Secret {
      let other = unsafe publicKey.withUnsafeBytes { unsafe try? PublicKey(rawRepresentation: $0) }
      guard let key = Self.privateKey(privateKey), let other,
        let secret = try? key.sharedSecretFromKeyAgreement(with: other)
      else { return Secret(count: X25519.keySize) { _ in } }
      return Secret(copyingContents: secret, count: X25519.keySize)
    }

    private static func privateKey(_ bytes: Span<UInt8>) -> PrivateKey? {
      unsafe bytes.withUnsafeBytes { unsafe try? PrivateKey(rawRepresentation: $0) }
    }
  }
#endif
