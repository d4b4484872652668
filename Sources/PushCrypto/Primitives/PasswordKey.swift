/// PBKDF2 with HMAC (RFC 8018, 5.2): a key from a password, for other systems' envelopes.
///
/// CryptoKit lacks it, and CommonCrypto has it on the same systems, though not with MD5.
package enum PBKDF2 {
  /// Whether there is the algorithm with a digest.
  package static func isAvailable(_ digest: Digest) -> Bool { Backend.PasswordKey.hasPBKDF2(digest) }

  /// How many iterations there can be: above the million, a payload would cost seconds.
  package static let iterations = 1...1_000_000

  /// A key of `count` bytes.
  ///
  /// The work is in proportion to the iterations, and to the digests that `count` takes.
  ///
  /// - Throws: ``CryptoError/unavailable`` if the system's library does not have the digest.
  package static func key(
    of password: Span<UInt8>, salt: Span<UInt8>, iterations: Int, digest: Digest, count: Int
  ) throws(CryptoError) -> Secret {
    precondition(Self.iterations.contains(iterations) && count > 0, "wrong iterations or key length")
    var isDerived = false
    let key = Secret(count: count) { bytes in
      isDerived = Backend.PasswordKey.pbkdf2(password, salt, iterations, digest, into: &bytes)
    }
    guard isDerived else { throw .unavailable }
    return key
  }
}

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

/// A digest that another system's passwords go through.
package enum Digest: Sendable {
  /// MD5 (RFC 1321), which is broken: only for what `openssl enc` wrote before version 1.1.0.
  case md5

  /// SHA-1 (FIPS 180-4), which is broken where collisions matter.
  case sha1

  /// SHA-256 (FIPS 180-4).
  case sha256

  /// SHA-512 (FIPS 180-4).
  case sha512
}
