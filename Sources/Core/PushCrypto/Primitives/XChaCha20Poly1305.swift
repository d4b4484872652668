/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), whose nonces are long enough to be random.
///
/// CryptoKit lacks it.
package enum XChaCha20Poly1305 {
  /// Whether the algorithm is available: on Linux, and on a Mac with libsodium.
  package static var isAvailable: Bool { Backend.XChaChaPoly.isAvailable }

  /// The length of a key, in bytes.
  package static let keySize = 32

  /// The length of a nonce, in bytes.
  package static let nonceSize = 24

  /// Encrypts `plaintext`; the result is 16 bytes longer.
  ///
  /// - Throws: ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    precondition(key.count == keySize && nonce.count == nonceSize, "wrong key or nonce length")
    guard isAvailable else { throw .unavailable }
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count + AEAD.tagSize)
    var span = ciphertext.mutableSpan
    Backend.XChaChaPoly.seal(plaintext, authenticating: data, key: key, nonce: nonce, into: &span)
    return ciphertext
  }

  /// Decrypts `ciphertext`, which includes the tag; the result is 16 bytes shorter.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, also if the input is shorter than a tag; ``CryptoError/unavailable``.
  package static func open(
    _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    precondition(key.count == keySize && nonce.count == nonceSize, "wrong key or nonce length")
    guard isAvailable else { throw .unavailable }
    guard ciphertext.count >= AEAD.tagSize else { throw .notAuthentic }
    var isAuthentic = false
    let plaintext = Secret(count: ciphertext.count - AEAD.tagSize) { plaintext in
      isAuthentic = Backend.XChaChaPoly.open(
        ciphertext, authenticating: data, key: key, nonce: nonce, into: &plaintext)
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }
}
