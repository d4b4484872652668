/// Authenticated encryption with a 12-byte nonce and a 16-byte tag at the ciphertext's end.
package enum AEAD: Sendable {
  /// ChaCha20-Poly1305 (RFC 8439).
  case chaCha20Poly1305

  /// AES-128-GCM (NIST SP 800-38D).
  case aes128GCM

  /// AES-192-GCM (NIST SP 800-38D), which has no HPKE identifier.
  case aes192GCM

  /// AES-256-GCM (NIST SP 800-38D).
  case aes256GCM

  /// The length of a nonce, in bytes.
  package static let nonceSize = 12

  /// The length of a tag, in bytes.
  package static let tagSize = 16

  /// The length of a key, in bytes: 16, 24 or 32.
  package var keySize: Int {
    switch self {
    case .aes128GCM: 16
    case .aes192GCM: 24
    case .chaCha20Poly1305, .aes256GCM: 32
    }
  }

  /// Encrypts `plaintext`; the result is 16 bytes longer.
  ///
  /// - Throws: ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    var ciphertext = [UInt8](repeating: 0, count: plaintext.count + Self.tagSize)
    var span = ciphertext.mutableSpan
    try seal(plaintext, authenticating: data, key: key, nonce: nonce, into: &span)
    return ciphertext
  }

  /// Encrypts in place.
  ///
  /// From `start`, `text` is the plaintext, followed by 16 bytes of room for the tag.
  ///
  /// - Throws: ``CryptoError/unavailable``; the plaintext may then still be there.
  package func seal(
    _ text: inout [UInt8], from start: Int, authenticating data: Span<UInt8>, key: Span<UInt8>,
    nonce: Span<UInt8>
  ) throws(CryptoError) {
    let size = text.count - start - Self.tagSize
    precondition(start >= 0 && size >= 0, "no room for the tag")
    let isSealed = unsafe text.withUnsafeMutableBufferPointer { text in
      guard let text = text.baseAddress else { return false }  // it has room for a tag
      let plaintext = unsafe Span(_unsafeStart: text + start, count: size)
      return unsafe seal(plaintext, authenticating: data, key: key, nonce: nonce, into: text + start)
    }
    guard isSealed else { throw .unavailable }
  }

  /// Encrypts `plaintext` into memory that is exactly 16 bytes longer.
  ///
  /// - Throws: ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
    into ciphertext: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    precondition(ciphertext.count == plaintext.count + Self.tagSize, "wrong room for the ciphertext")
    let isSealed = unsafe ciphertext.withPointer { ciphertext, _ in
      unsafe seal(plaintext, authenticating: data, key: key, nonce: nonce, into: ciphertext)
    }
    guard isSealed else { throw .unavailable }
  }

  /// Encrypts `plaintext` into memory that is 16 bytes longer, and may begin at the same address.
  ///
  /// Returns `false` if the library does not provide the cipher.
  @unsafe private func seal(
    _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
    into ciphertext: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    precondition(key.count == keySize && nonce.count == Self.nonceSize, "wrong key or nonce length")
    return switch self {
    case .chaCha20Poly1305:
      unsafe Backend.ChaChaPoly.seal(
        plaintext, authenticating: data, key: key, nonce: nonce, into: ciphertext)
    case .aes128GCM, .aes192GCM, .aes256GCM:
      unsafe Backend.AESGCM.seal(plaintext, authenticating: data, key: key, nonce: nonce, into: ciphertext)
    }
  }

  /// Decrypts `ciphertext`, which includes the tag; the result is 16 bytes shorter.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, also if the input is shorter than a tag; ``CryptoError/unavailable``.
  package func open(
    _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    guard ciphertext.count >= Self.tagSize else { throw .notAuthentic }
    var fault: CryptoError?
    let plaintext = Secret(count: ciphertext.count - Self.tagSize) { plaintext in
      do throws(CryptoError) {
        try open(ciphertext, authenticating: data, key: key, nonce: nonce, into: &plaintext)
      } catch {
        fault = error
      }
    }
    if let fault { throw fault }
    return plaintext
  }

  /// Decrypts `ciphertext`, which includes the tag, into memory that is exactly 16 bytes shorter.
  ///
  /// The memory is all zero after a failure.
  ///
  /// - Throws: ``CryptoError/notAuthentic``, also if the input is shorter than a tag; ``CryptoError/unavailable``.
  package func open(
    _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
    into plaintext: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    precondition(key.count == keySize && nonce.count == Self.nonceSize, "wrong key or nonce length")
    guard ciphertext.count >= Self.tagSize else { throw .notAuthentic }
    precondition(plaintext.count == ciphertext.count - Self.tagSize, "wrong room for the plaintext")
    let isAuthentic: Bool?
    switch self {
    case .chaCha20Poly1305:
      isAuthentic = Backend.ChaChaPoly.open(
        ciphertext, authenticating: data, key: key, nonce: nonce, into: &plaintext)
    case .aes128GCM, .aes192GCM, .aes256GCM:
      isAuthentic = Backend.AESGCM.open(
        ciphertext, authenticating: data, key: key, nonce: nonce, into: &plaintext)
    }
    guard isAuthentic == true else {
      for index in plaintext.indices { plaintext[index] = 0 }
      throw isAuthentic == nil ? .unavailable : .notAuthentic
    }
  }
}
