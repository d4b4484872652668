private import COpenSSL
public import PushKeys

/// The public half of a team's key, which the stand-in verifies provider tokens with.
public struct ProviderKey: Hashable, Sendable {
  /// The length of a signature, in bytes: r and s.
  static let signatureSize = 64

  /// The key's ID, ten characters.
  public let keyID: String

  /// The team's ID, ten characters.
  public let teamID: String

  /// The environment that the key is restricted to; nil for a key of both.
  public let environment: APNsEnvironment?

  /// The point on P-256, uncompressed: 65 bytes.
  public let point: [UInt8]

  /// Makes a key of its parts.
  public init(keyID: String, teamID: String, environment: APNsEnvironment? = nil, point: [UInt8]) {
    self.keyID = keyID
    self.teamID = teamID
    self.environment = environment
    self.point = point
  }

  /// Whether a token has this key's IDs and signature.
  func verifies(_ token: BearerToken) -> Bool {
    token.keyID == keyID && token.teamID == teamID
      && ES256.isValid(token.signature, of: Array(token.signedText.utf8), by: point)
  }
}

/// ECDSA with P-256 and SHA-256 (RFC 7518, 3.4): verification only.
private enum ES256 {
  static func isValid(_ signature: [UInt8], of message: [UInt8], by point: [UInt8]) -> Bool {
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    unsafe SHA256(message, message.count, &digest)
    guard let key = unsafe EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return false }
    defer { unsafe EC_KEY_free(key) }
    guard unsafe EC_KEY_oct2key(key, point, point.count, nil) == 1, let pair = unsafe pair(signature) else {
      return false
    }
    defer { unsafe ECDSA_SIG_free(pair) }
    return unsafe ECDSA_do_verify(digest, CInt(digest.count), pair, key) == 1
  }

  /// The signature's numbers r and s.
  private static func pair(_ signature: [UInt8]) -> OpaquePointer? {
    let half = signature.count / 2
    guard let pair = unsafe ECDSA_SIG_new() else { return nil }
    let r = unsafe BN_bin2bn(signature, CInt(half), nil)
    let s = unsafe BN_bin2bn(Array(signature.dropFirst(half)), CInt(half), nil)
    guard unsafe ECDSA_SIG_set0(pair, r, s) == 1 else {
      unsafe BN_free(r)
      unsafe BN_free(s)
      unsafe ECDSA_SIG_free(pair)
      return nil
    }
    return unsafe pair
  }
}
