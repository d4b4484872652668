/// AES in CBC mode with PKCS#7 padding (NIST SP 800-38A; RFC 5652, 6.3), for other systems' envelopes.
///
/// Nothing is authenticated: by altering the ciphertext an attacker alters the plaintext, and valid padding proves
/// nothing. CryptoKit lacks this mode; CommonCrypto provides it on the same systems.
package enum AESCBC {
  /// Whether the algorithm is available.
  package static var isAvailable: Bool { Backend.PaddedAES.isAvailable }

  /// The length of a block and of an initialization vector, in bytes.
  package static let blockSize = 16

  /// The valid key lengths, in bytes.
  package static let keySizes = [16, 24, 32]

  /// Encrypts `plaintext`; the result is 1 to 16 bytes longer, a whole number of blocks.
  ///
  /// - Throws: ``CryptoError/unavailable``.
  package static func encrypt(
    _ plaintext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    check(key: key, initializationVector: initializationVector)
    let count = plaintext.count - plaintext.count % blockSize + blockSize
    var ciphertext = [UInt8](repeating: 0, count: count)
    var span = ciphertext.mutableSpan
    guard
      Backend.PaddedAES.encrypt(plaintext, key: key, initializationVector: initializationVector, into: &span)
    else {
      throw .unavailable
    }
    return ciphertext
  }

  /// Decrypts `ciphertext` and removes the padding.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` if the input is not a positive number of whole blocks or its padding is
  ///   wrong, which fails to detect about one wrong key in 256; ``CryptoError/unavailable``.
  package static func decrypt(
    _ ciphertext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>
  ) throws(CryptoError) -> Secret {
    check(key: key, initializationVector: initializationVector)
    guard isAvailable else { throw .unavailable }
    guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: blockSize) else { throw .notAuthentic }
    var written: Int?
    let padded = Secret(count: ciphertext.count + blockSize) { output in
      written = Backend.PaddedAES.decrypt(
        ciphertext, key: key, initializationVector: initializationVector, into: &output)
    }
    guard let written else { throw .notAuthentic }
    return Secret(copying: padded.exposedBytes.extracting(first: written))
  }

  private static func check(key: Span<UInt8>, initializationVector: Span<UInt8>) {
    precondition(
      keySizes.contains(key.count) && initializationVector.count == blockSize,
      "wrong key or initialization vector length")
  }
}

/// AES in ECB mode with PKCS#7 padding (NIST SP 800-38A; RFC 5652, 6.3), only to read another system's envelopes.
///
/// Nothing is authenticated, and equal plaintext blocks give equal ciphertext blocks.
package enum AESECB {
  /// Decrypts `ciphertext` and removes the padding.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` if the input is not a positive number of whole blocks or its padding is
  ///   wrong, which fails to detect about one wrong key in 256.
  package static func decrypt(_ ciphertext: Span<UInt8>, key: Span<UInt8>) throws(CryptoError) -> Secret {
    precondition(AESCBC.keySizes.contains(key.count), "wrong key length")
    guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: AESCBC.blockSize) else { throw .notAuthentic }
    var written: Int?
    let padded = Secret(count: ciphertext.count + AESCBC.blockSize) { output in
      written = Backend.PaddedAES.decrypt(ciphertext, key: key, initializationVector: Span(), into: &output)
    }
    guard let written else { throw .notAuthentic }
    return Secret(copying: padded.exposedBytes.extracting(first: written))
  }
}
