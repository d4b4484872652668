/// How a single key is written for other programs.
public enum KeyFormat: String, Sendable, CaseIterable {
  /// A JWK (RFC 7517, 8037).
  case jwk

  /// PEM: PKCS#8 of a private key, SubjectPublicKeyInfo of a public one (RFC 7468, 8410, 5480).
  case pem

  /// The bytes: 32 of a private key, 32 or P-256's 65 of a public one.
  case raw
}
