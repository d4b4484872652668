/// AES in ECB mode with PKCS#7's padding (NIST SP 800-38A; RFC 5652, 6.3), for another system's envelopes.
///
/// Nothing is authenticated, and equal blocks of a plaintext are equal in its ciphertext. It is read, and not written.
package enum AESECB {
  /// Decrypts `ciphertext`, and takes the padding off.
  ///
  /// - Throws: ``CryptoError/notAuthentic`` if it is not one block or more, or its padding is wrong. About one wrong
  ///   key in 256 is not noticed.
  package static func decrypt(_ ciphertext: Span<UInt8>, key: Span<UInt8>) throws(CryptoError) -> Secret {
    precondition(AESCBC.keySizes.contains(key.count), "wrong key length")
    guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: AESCBC.blockSize) else { throw .notAuthentic }
    var written: Int?
    let padded = Secret(count: ciphertext.count + AESCBC.blockSize) { output in
      written = Backend.PaddedAES.decrypt(ciphertext, key, Span(), into: &output)
    }
    guard let written else { throw .notAuthentic }
    return Secret(copying: padded.exposedBytes.extracting(first: written))
  }
}
