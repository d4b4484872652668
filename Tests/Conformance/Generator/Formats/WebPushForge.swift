import PushCompat
import PushCrypto
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Makes Web Push messages step by step, in both codings, so that a vector can have one fault at any step.
struct WebPushForge {
  /// The receiver's private key and secret; RFC 8291's own unless a vector has others.
  var privateKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
  var secret = "BTBZMqHH6r4Tts7J_aSIgg"

  let id: String
  let comment: String
  var carriage = "z85"
  /// The salt, 16 bytes, and the sender's private key, 32 bytes.
  var random: [UInt8]
  var plaintext = Array("When I grow up, I want to be a watermelon".utf8)
  var padding = 0
  /// The record's plaintext; null: data, a delimiter and padding.
  var record: [UInt8]?
  var recordSize = 4096
  /// What a body is changed to at the end.
  var changeBody: ([UInt8]) -> [UInt8] = { $0 }
  /// The sender's public key as it is sent; null: the right one.
  var sentKey: [UInt8]?
  var salt: [UInt8] { Array(random.prefix(16)) }
  /// The salt as it is sent, in `aesgcm`; null: the right one.
  var sentSalt: [UInt8]?

  init(_ id: String, _ comment: String) {
    self.id = id
    self.comment = comment
    random = Array(FixedRandomness.bytes(of: id).prefix(16)) + FixedRandomness.bytes(of: "sender \(id)")
  }

  func parameters() -> JSONObject {
    ["privateKey": .string(privateKey), "auth": .string(secret), "carriage": .string(carriage)]
  }

  /// Bytes as the relay writes them.
  func text(_ bytes: [UInt8]) throws -> JSONValue {
    let carriage: WebPushCarriage = carriage == "z85" ? .z85 : .base64URL
    return try #require(carriage.members(of: bytes.span).map(\.value).first)
  }

  /// The member with the body.
  var member: String { carriage == "z85" ? "p" : "m" }

  /// A message in `aes128gcm`.
  func standard() throws -> FormatVector {
    let keys = try keys()
    let ikm = derive(
      32, keys.ecdh, keys.secret, terminated("WebPush: info") + keys.receiver + keys.sender)
    let record = record ?? plaintext + [2] + [UInt8](repeating: 0, count: padding)
    let sealed = try seal(
      record, derive(16, ikm, salt, terminated("Content-Encoding: aes128gcm")),
      derive(12, ikm, salt, terminated("Content-Encoding: nonce")))
    let size = (0..<4).reversed().map { UInt8(truncatingIfNeeded: recordSize >> (8 * $0)) }
    let body = changeBody(salt + size + [65] + (sentKey ?? keys.sender) + sealed)
    return FormatVector(
      id: id, comment: comment, format: WebPush.name, parameters: parameters(), random: random,
      payload: ["aps": Self.aps, member: try text(body)], outcome: .opened(plaintext))
  }

  /// The same in `aesgcm`.
  func draft() throws -> FormatVector {
    let keys = try keys()
    let ikm = derive(32, keys.ecdh, keys.secret, terminated("Content-Encoding: auth"))
    let context = terminated("P-256") + [0, 65] + keys.receiver + [0, 65] + keys.sender
    let zeros = [UInt8](repeating: 0, count: padding)
    let record = record ?? [UInt8(padding >> 8), UInt8(padding & 0xff)] + zeros + plaintext
    let sealed = try seal(
      record, derive(16, ikm, salt, terminated("Content-Encoding: aesgcm") + context),
      derive(12, ikm, salt, terminated("Content-Encoding: nonce") + context))
    return FormatVector(
      id: id, comment: comment, format: WebPushDraft.name, parameters: parameters(), random: random,
      payload: [
        "aps": Self.aps, member: try text(changeBody(sealed)), "k": try text(sentKey ?? keys.sender),
        "s": try text(sentSalt ?? salt),
      ], outcome: .opened(plaintext))
  }

  private static let aps: JSONValue = ["alert": "New notification", "mutable-content": 1]

  private func keys() throws -> (ecdh: [UInt8], secret: [UInt8], receiver: [UInt8], sender: [UInt8]) {
    let privateKey = try Base64URL.decode(privateKey)
    let sender = Array(random.dropFirst(16))
    let (receiver, sent) = (
      try P256.publicKey(of: privateKey.span), try P256.publicKey(of: sender.span)
    )
    let ecdh = try P256.sharedSecret(privateKey: sender.span, publicKey: receiver.span)
    return ([UInt8](copying: ecdh.exposedBytes), try Base64URL.decode(secret), receiver, sent)
  }

  private func derive(_ count: Int, _ key: [UInt8], _ salt: [UInt8], _ info: [UInt8]) -> [UInt8] {
    let derived = SharedKey.derive(count: count, from: key.span, salt: salt.span, info: info.span)
    return [UInt8](copying: derived.exposedBytes)
  }

  private func seal(_ record: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) throws -> [UInt8] {
    try AEAD.aes128GCM.seal(record.span, authenticating: Span(), key: key.span, nonce: nonce.span)
  }

  private func terminated(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}
