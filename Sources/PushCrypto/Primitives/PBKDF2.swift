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
