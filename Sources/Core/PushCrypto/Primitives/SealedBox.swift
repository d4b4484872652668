/// Libsodium's sealed box, `crypto_box_seal`: X25519 with an ephemeral key, BLAKE2b and XSalsa20-Poly1305.
///
/// For other systems' envelopes only: it does not authenticate the sender or any additional data, and CryptoKit lacks
/// it.
package enum SealedBox {
  /// Whether the algorithm is available: on Linux, and on a Mac with libsodium.
  package static var isAvailable: Bool { Backend.SealedBox.isAvailable }

  /// The overhead of a box over its plaintext, in bytes: the ephemeral public key and the tag.
  package static let overhead = X25519.keySize + XSalsa20Poly1305.tagSize

  /// Encrypts `plaintext` to a public key.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, to publicKey: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    guard isAvailable else { throw .unavailable }
    try X25519.validate(publicKey: publicKey)
    var box = [UInt8](repeating: 0, count: plaintext.count + overhead)
    var span = box.mutableSpan
    guard Backend.SealedBox.seal(plaintext, to: publicKey, into: &span) else { throw .invalidPublicKey }
    return box
  }

  /// Decrypts a box with a key pair; the public key must belong to the private key.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, also if the box is too short or its ephemeral key has small order;
  ///   ``CryptoError/invalidPrivateKey``, ``CryptoError/unavailable``.
  package static func open(
    _ box: Span<UInt8>, privateKey: Span<UInt8>, publicKey: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    guard isAvailable else { throw .unavailable }
    guard privateKey.count == X25519.keySize, publicKey.count == X25519.keySize else {
      throw .invalidPrivateKey
    }
    guard box.count >= overhead,
      (try? X25519.validate(publicKey: box.extracting(0..<X25519.keySize))) != nil
    else { throw .notAuthentic }
    var isAuthentic = false
    let plaintext = Secret(count: box.count - overhead) { plaintext in
      isAuthentic = Backend.SealedBox.open(
        box, privateKey: privateKey, publicKey: publicKey, into: &plaintext)
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }
}
