/// ECDH on P-256 (NIST SP 800-56A) with uncompressed points only.
package enum P256 {
  /// The length of a private key and of a shared secret, in bytes.
  package static let privateKeySize = 32

  /// The length of a public key, in bytes: 0x04, x, y.
  package static let publicKeySize = 65

  /// Checks that `bytes` are a point on the curve in uncompressed form, which excludes the point at infinity.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``.
  package static func validate(publicKey bytes: Span<UInt8>) throws(CryptoError) {
    guard isUncompressed(bytes), Backend.P256.isPoint(bytes) else { throw .invalidPublicKey }
  }

  private static func isUncompressed(_ bytes: Span<UInt8>) -> Bool {
    bytes.count == publicKeySize && bytes[0] == 0x04
  }

  /// The public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey`` unless it has 32 bytes and is from 1 to the order - 1.
  package static func publicKey(of privateKey: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == privateKeySize, let publicKey = Backend.P256.publicKey(of: privateKey) else {
      throw .invalidPrivateKey
    }
    return publicKey
  }

  /// The shared secret, 32 bytes: the x coordinate of the private key times the point.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey`` or ``CryptoError/invalidPrivateKey``.
  package static func sharedSecret(
    privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    // The backend checks the point too.
    guard isUncompressed(publicKey), privateKey.count == privateKeySize,
      let secret = Backend.P256.sharedSecret(privateKey: privateKey, publicKey: publicKey)
    else {
      try validate(publicKey: publicKey)
      throw .invalidPrivateKey
    }
    return secret
  }
}
