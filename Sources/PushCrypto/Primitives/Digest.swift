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
