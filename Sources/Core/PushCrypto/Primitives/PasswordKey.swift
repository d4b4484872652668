/// PBKDF2 with HMAC (RFC 8018, 5.2): derives a key from a password, for other systems' envelopes.
///
/// CryptoKit lacks it; CommonCrypto provides it on the same systems, though not with MD5.
package enum PBKDF2 {
  /// Whether the algorithm is available with a digest.
  package static func isAvailable(with digest: Digest) -> Bool { Backend.PasswordKey.hasPBKDF2(digest) }

  /// The valid iteration counts.
  ///
  /// With more than a million, a payload could take seconds to open.
  package static let iterations = 1...1_000_000

  /// Derives a key of `count` bytes.
  ///
  /// The time is proportional to the iterations and to the number of digests in `count` bytes.
  ///
  /// - Throws: ``CryptoError/unavailable`` if the system's library does not provide the digest.
  package static func key(
    of password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, digest: Digest, count: Int
  ) throws(CryptoError) -> Secret {
    precondition(Self.iterations.contains(iterations) && count > 0, "wrong iterations or key length")
    var isDerived = false
    let key = Secret(count: count) { bytes in
      isDerived = Backend.PasswordKey.pbkdf2(
        of: password, salt: salt, iterations: iterations, digest: digest, into: &bytes)
    }
    guard isDerived else { throw .unavailable }
    return key
  }
}

/// OpenSSL's original key derivation from a password, `EVP_BytesToKey`, with one round, for other systems' envelopes.
///
/// D(1) = H(password | salt), D(i) = H(D(i-1) | password | salt). A guess costs one to three digests.
package enum EVPBytesToKey {
  /// The length of a salt, in bytes.
  package static let saltSize = 8

  /// The length of the output, in bytes: an AES-256 key and an initialization vector.
  package static let size = 48

  /// Derives the 32-byte key followed by the 16-byte initialization vector.
  ///
  /// - Throws: ``CryptoError/unavailable`` if the system's library does not provide the digest.
  package static func key(
    of password: Span<UInt8>, salt: Span<UInt8>, digest: Digest
  ) throws(CryptoError) -> Secret {
    precondition(salt.count == saltSize, "wrong salt length")
    var isDerived = false
    let key = Secret(count: size) { bytes in
      isDerived = Backend.PasswordKey.bytesToKey(of: password, salt: salt, digest: digest, into: &bytes)
    }
    guard isDerived else { throw .unavailable }
    return key
  }
}

/// A digest for password-based keys of other systems.
package enum Digest: Sendable {
  /// MD5 (RFC 1321), which is broken: only for data that `openssl enc` wrote before version 1.1.0.
  case md5

  /// SHA-1 (FIPS 180-4), which is not collision-resistant.
  case sha1

  /// SHA-256 (FIPS 180-4).
  case sha256

  /// SHA-512 (FIPS 180-4).
  case sha512
}
