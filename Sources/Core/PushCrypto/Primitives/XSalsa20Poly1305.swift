/// XSalsa20-Poly1305, the `crypto_secretbox` of NaCl and libsodium, with the tag before the ciphertext.
///
/// For other systems' envelopes only. It does not authenticate additional data, and CryptoKit lacks it.
package enum XSalsa20Poly1305 {
  /// Whether the algorithm is available: on Linux, and on a Mac with libsodium.
  package static var isAvailable: Bool { Backend.XSalsaPoly.isAvailable }

  /// The length of a key, in bytes.
  package static let keySize = 32

  /// The length of a nonce, in bytes, long enough to be random.
  package static let nonceSize = 24

  /// The length of a tag, in bytes.
  package static let tagSize = 16

  /// Encrypts `plaintext`; the result starts with the tag and is 16 bytes longer.
  ///
  /// - Throws: ``CryptoError/unavailable``.
  package static func seal(
    _ plaintext: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    precondition(key.count == keySize && nonce.count == nonceSize, "wrong key or nonce length")
    guard isAvailable else { throw .unavailable }
    var box = [UInt8](repeating: 0, count: plaintext.count + tagSize)
    var span = box.mutableSpan
    Backend.XSalsaPoly.seal(plaintext, key: key, nonce: nonce, into: &span)
    return box
  }

  /// Decrypts a tag and a ciphertext; the result is 16 bytes shorter.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, also if the input is shorter than a tag; ``CryptoError/unavailable``.
  package static func open(
    _ box: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    precondition(key.count == keySize && nonce.count == nonceSize, "wrong key or nonce length")
    guard isAvailable else { throw .unavailable }
    guard box.count >= tagSize else { throw .notAuthentic }
    var isAuthentic = false
    let plaintext = Secret(count: box.count - tagSize) { plaintext in
      isAuthentic = Backend.XSalsaPoly.open(box, key: key, nonce: nonce, into: &plaintext)
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }
}
