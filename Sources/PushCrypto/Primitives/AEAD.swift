/// Authenticated encryption with a 32-byte key, a 12-byte nonce and a 16-byte tag at the ciphertext's end.
package enum AEAD: Sendable {
  /// ChaCha20-Poly1305 (RFC 8439).
  case chaCha20Poly1305

  /// AES-256-GCM (NIST SP 800-38D).
  case aes256GCM

  /// The length of a key, in bytes.
  package static let keySize = 32

  /// The length of a nonce, in bytes.
  package static let nonceSize = 12

  /// The length of a tag, in bytes.
  package static let tagSize = 16

  /// Encrypts `plaintext`; the result is 16 bytes longer.
  ///
  /// - Throws: ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    precondition(key.count == Self.keySize && nonce.count == Self.nonceSize, "wrong key or nonce length")
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count + Self.tagSize)
    var span = ciphertext.mutableSpan
    let isSealed =
      switch self {
      case .chaCha20Poly1305: SodiumChaChaPoly.seal(plaintext, data, key, nonce, into: &span)
      case .aes256GCM: OpenSSLAESGCM.seal(plaintext, data, key, nonce, into: &span)
      }
    guard isSealed else { throw .unavailable }
    return ciphertext
  }

  /// Decrypts `ciphertext`, tag included; the result is 16 bytes shorter.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, also when there is no room for a tag.
  package func open(
    _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    precondition(key.count == Self.keySize && nonce.count == Self.nonceSize, "wrong key or nonce length")
    guard ciphertext.count >= Self.tagSize else { throw .notAuthentic }
    var isAuthentic = false
    let plaintext = Secret(count: ciphertext.count - Self.tagSize) { plaintext in
      switch self {
      case .chaCha20Poly1305:
        isAuthentic = SodiumChaChaPoly.open(ciphertext, data, key, nonce, into: &plaintext)
      case .aes256GCM:
        isAuthentic = OpenSSLAESGCM.open(ciphertext, data, key, nonce, into: &plaintext)
      }
    }
    guard isAuthentic else { throw .notAuthentic }
    return plaintext
  }
}
