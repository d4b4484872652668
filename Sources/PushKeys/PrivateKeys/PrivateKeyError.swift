/// Why a private key of another program cannot be read.
public enum PrivateKeyError: Error, Equatable, Sendable {
  /// It is not in the format, or no private key of its kind.
  case malformed
  /// It is under a password.
  case encrypted
  /// It is a public key.
  case notPrivate
  /// It is a key of a kind that has no use here.
  case unsupported
  /// It is a private key in PEM, and not in PKCS#8.
  case notPKCS8
  /// It is a JWK Set, or PEM with several private keys, and one key is needed.
  case notOneKey
  /// Its public half is another key's.
  case mismatch
  /// It is a JWK, and this is wrong with it; there is one key, with the index 0.
  case jwk(KeySetError)
}
