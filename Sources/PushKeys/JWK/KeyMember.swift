/// The members of a JWK that are read here (RFC 7517, 4; RFC 7518, 6.2 and 6.4; RFC 8037, 2; RFC 7519, 4.1).
enum KeyMember: String {
  case type = "kty"
  case curve = "crv"
  case x, y
  case privateKey = "d"
  case sharedKey = "k"
  case id = "kid"
  case use
  case algorithm = "alg"
  case issuedAt = "iat"
  case notBefore = "nbf"
  case expiresAt = "exp"
  case status

  /// The members that hold a private or symmetric key of any kind (RFC 7518, 6.3.2 and 6.4; `priv` of ML-KEM's
  /// and ML-DSA's draft).
  static let privateNames: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]
}
