/// OpenSSL's first way from a password to a key, `EVP_BytesToKey`, in one round, for other systems' envelopes.
///
/// D(1) = H(password | salt), D(i) = H(D(i-1) | password | salt); a guess costs two digests, or three.
package enum EVPBytesToKey {
  /// The length of a salt, in bytes.
  package static let saltSize = 8

  /// The length of what is derived, in bytes: a key of AES-256 and an initialization vector.
  package static let size = 48

  /// The key, 32 bytes, and behind it the initialization vector, 16 bytes.
  ///
  /// - Throws: ``CryptoError/unavailable`` if the system's library does not have the digest.
  package static func key(
    of password: Span<UInt8>, salt: Span<UInt8>, digest: Digest
  ) throws(CryptoError) -> Secret {
    precondition(salt.count == saltSize, "wrong salt length")
    var isDerived = false
    let key = Secret(count: size) { bytes in
      isDerived = Backend.PasswordKey.bytesToKey(password, salt, digest, into: &bytes)
    }
    guard isDerived else { throw .unavailable }
    return key
  }
}
