import COpenSSL
import PushEnvelope
import PushKeys
import PushPayload
import PushStandIn
import Synchronization
import Testing

/// A team's key, which signs provider tokens: the same token for the same second and IDs.
final class ProviderSigner: Sendable {
  static let keyID = "ABC123DEFG"
  static let teamID = "TEAM123456"

  private let pair = KeyPair()
  private let tokens = Mutex<[String: String]>([:])
  let key: ProviderKey

  init() { key = ProviderKey(keyID: Self.keyID, teamID: Self.teamID, point: pair.point) }

  /// A provider token.
  func token(at now: UnixTime, keyID: String = keyID, teamID: String = teamID) -> String {
    let header: JSONObject = ["alg": "ES256", "kid": .string(keyID)]
    let claims: JSONObject = ["iss": .string(teamID), "iat": .number(JSONNumber(now.seconds))]
    let text = "\(Base64URL.encode(header.encoded().span)).\(Base64URL.encode(claims.encoded().span))"
    return tokens.withLock { tokens in
      if let token = tokens[text] { return token }
      let token = "\(text).\(Base64URL.encode(pair.sign(Array(text.utf8)).span))"
      tokens[text] = token
      return token
    }
  }
}

/// A new key pair on P-256.
@safe
private final class KeyPair: @unchecked Sendable {
  private let pointer: OpaquePointer

  init() {
    guard let pointer = unsafe EC_KEY_new_by_curve_name(NID_X9_62_prime256v1),
      unsafe EC_KEY_generate_key(pointer) == 1
    else { preconditionFailure("OpenSSL makes no key") }
    unsafe self.pointer = pointer
  }

  deinit { unsafe EC_KEY_free(pointer) }

  var point: [UInt8] {
    var point = [UInt8](repeating: 0, count: 65)
    let size = unsafe EC_POINT_point2oct(
      EC_KEY_get0_group(pointer), EC_KEY_get0_public_key(pointer), POINT_CONVERSION_UNCOMPRESSED, &point, 65,
      nil)
    precondition(size == 65)
    return point
  }

  /// The numbers r and s, 32 bytes each.
  func sign(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe SHA256(message, message.count, &digest)
    guard let signature = unsafe ECDSA_do_sign(digest, 32, pointer) else { return [] }
    defer { unsafe ECDSA_SIG_free(signature) }
    return unsafe number(ECDSA_SIG_get0_r(signature)) + number(ECDSA_SIG_get0_s(signature))
  }

  private func number(_ number: OpaquePointer?) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    unsafe BN_bn2binpad(number, &bytes, 32)
    return bytes
  }
}
