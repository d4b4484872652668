import CTLS
import PushCore
import PushKeys
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

  /// The private key as Apple issues it: PKCS#8 in PEM.
  var p8: [UInt8] { pair.p8 }

  /// A provider token.
  func token(at now: UnixTime, keyID: String = keyID, teamID: String = teamID) -> String {
    token(issuedAt: JSONNumber(now.seconds), keyID: keyID, teamID: teamID)
  }

  /// A provider token whose time is written as it is here.
  func token(issuedAt: JSONNumber, keyID: String = keyID, teamID: String = teamID) -> String {
    let header: JSONObject = ["alg": "ES256", "kid": .string(keyID)]
    let claims: JSONObject = ["iss": .string(teamID), "iat": .number(issuedAt)]
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
    guard let pointer = unsafe tls_generate_p256() else { preconditionFailure("OpenSSL makes no key") }
    unsafe self.pointer = pointer
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  var point: [UInt8] {
    var (point, size) = ([UInt8](repeating: 0, count: 65), 0)
    precondition(unsafe EVP_PKEY_get_octet_string_param(pointer, "pub", &point, 65, &size) == 1 && size == 65)
    return point
  }

  var p8: [UInt8] {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { return [] }
    defer { unsafe BIO_free(bio) }
    guard unsafe PEM_write_bio_PKCS8PrivateKey(bio, pointer, nil, nil, 0, nil, nil) == 1 else { return [] }
    var bytes: UnsafeMutablePointer<CChar>?
    let count = unsafe tls_memory(bio, &bytes)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// The numbers r and s, 32 bytes each.
  func sign(_ message: [UInt8]) -> [UInt8] {
    guard let context = unsafe EVP_MD_CTX_new() else { return [] }
    defer { unsafe EVP_MD_CTX_free(context) }
    var (encoded, size) = ([UInt8](repeating: 0, count: 80), 80)
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1,
      unsafe EVP_DigestSign(context, &encoded, &size, message, message.count) == 1
    else { return [] }
    // 30 length, and of each number 02, its length and its bytes.
    let length = Int(encoded[3])
    return number(encoded[4..<4 + length]) + number(encoded[(6 + length)..<size])
  }

  private func number(_ digits: ArraySlice<UInt8>) -> [UInt8] {
    let digits = digits.suffix(32)
    return [UInt8](repeating: 0, count: 32 - digits.count) + digits
  }
}
