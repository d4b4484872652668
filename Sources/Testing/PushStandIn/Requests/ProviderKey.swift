public import PushCore
private import CTLS
internal import PushKeys

/// The public half of a team's key, which the stand-in verifies provider tokens with.
public struct ProviderKey: Hashable, Sendable {
  /// The length of a signature, in bytes: r and s.
  static let signatureSize = 64

  /// The key's ID, ten characters.
  public let keyID: String

  /// The team's ID, ten characters.
  public let teamID: String

  /// The environment that the key is restricted to; nil if it is for both.
  public let environment: APNsEnvironment?

  /// The point on P-256, uncompressed: 65 bytes.
  public let point: [UInt8]

  /// Makes a key from its parts.
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
  /// The DER bytes before the point of a P-256 public key (RFC 5480, 2: SubjectPublicKeyInfo, id-ecPublicKey,
  /// secp256r1).
  private static let keyPrefix: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48,
    0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  static func isValid(_ signature: [UInt8], of message: [UInt8], by point: [UInt8]) -> Bool {
    // OpenSSL's queue of errors is left as it was: other code may look there for its own errors.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let key = unsafe key(decoding: keyPrefix + point) else { return false }
    defer { unsafe EVP_PKEY_free(key) }
    guard let context = unsafe EVP_MD_CTX_new(), let encoded = encoded(signature) else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    return unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
  }

  private static func key(decoding bytes: [UInt8]) -> OpaquePointer? {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      return unsafe d2i_PUBKEY(nil, &position, bytes.count)
    }
  }

  /// The signature's two numbers in the form that OpenSSL reads (RFC 3279, 2.2.3).
  private static func encoded(_ signature: [UInt8]) -> [UInt8]? {
    let numbers = [signature.prefix(signature.count / 2), signature.suffix(signature.count / 2)].map(integer)
    let content = numbers.flatMap { $0 }
    return content.count < 0x80 ? [0x30, UInt8(content.count)] + content : nil
  }

  /// A number as a DER integer, without leading zeros except one that keeps it positive.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return [0x02, UInt8(digits.count)] + digits
  }
}
