#if canImport(CryptoKit)
  internal import CryptoKit

  /// X25519 from CryptoKit.
  ///
  /// Lengths and points of small order were checked by ``X25519``.
  enum CryptoKitX25519 {
    private typealias PrivateKey = Curve25519.KeyAgreement.PrivateKey
    private typealias PublicKey = Curve25519.KeyAgreement.PublicKey

    /// X25519(sk, 9) of each of the private keys, 32 bytes, that stand one behind the other; as they, the
    /// result.
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

    /// The shared secret, all zero if CryptoKit refuses the point.
    static func sharedSecret(_ privateKey: Span<UInt8>, _ publicKey: Span<UInt8>) -> Secret {
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
