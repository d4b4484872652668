import PushCrypto
import PushCore
import Testing

@testable import PushCompat
import PushReceiver

/// Web Push messages in the older `aesgcm`.
struct WebPushDraftTests {
  private let format = WebPushDraft(keys: WebPushExample.keys, carriage: .base64URL)
  private let payload = WebPushExample.draftPayload()

  @Test(arguments: [WebPushCarriage.z85, .base64URL])
  func `the example opens, however it is carried`(carriage: WebPushCarriage) throws {
    let payload = WebPushExample.draftPayload(carriage)
    #expect(WebPushDraft.isRecognized(payload))
    #expect(!WebPush.isRecognized(payload))
    let format = WebPushDraft(keys: WebPushExample.keys, carriage: carriage)
    #expect(text(try format.open(payload)) == WebPushExample.text)
  }

  @Test(arguments: [[0, 0], [0, 1, 0], [1, 0] + [UInt8](repeating: 0, count: 256)] as [[UInt8]])
  func `padding is left out`(padding: [UInt8]) throws {
    #expect(try format.open(sealed(padding + [2, 0])) == [2, 0])
    #expect(try format.open(sealed(padding)) == [])
  }

  @Test(arguments: [[0, 1], [0xff, 0xff, 0], [0, 1, 1], [0, 2, 0, 1], [0, 2, 0]] as [[UInt8]])
  func `authentic padding that is not as it says is malformed`(record: [UInt8]) throws {
    expect(.malformed(member: "m"), from: format, opening: try sealed(record))
  }

  @Test func `a record as long as another could follow is cut`() throws {
    #expect(try format.open(sealed([0, 0] + [UInt8](repeating: 1, count: 4093))).count == 4093)
    expect(
      .malformed(member: "m"), from: format,
      opening: try sealed([0, 0] + [UInt8](repeating: 1, count: 4094)))
  }

  @Test(arguments: ["m", "k", "s"]) func `each member must be there and a string`(member: String) {
    expect(.absent, from: format, opening: payload.with(member, nil))
    expect(.malformed(member: member), from: format, opening: payload.with(member, 1))
    expect(.malformed(member: member), from: format, opening: payload.with(member, "A"))
    expect(
      .tooLarge, from: format,
      opening: payload.with(member, .string(String(repeating: "A", count: 8193))))
    for value in [nil, 1, "A", "AQ"] as [JSONValue?] {
      #expect(!WebPushDraft.isRecognized(payload.with(member, value)))
    }
  }

  @Test func `a key or a salt of another length is malformed`() {
    let key = base64URL(WebPushExample.senderPublicKey)
    let salt = base64URL(WebPushExample.salt)
    for other in [Array(key.dropLast()), key + [0], [2] + key.dropFirst(), []] {
      expect(
        .malformed(member: "k"), from: format, opening: WebPushExample.draftPayload(publicKey: other))
    }
    for other in [Array(salt.dropLast()), salt + [0], []] {
      expect(.malformed(member: "s"), from: format, opening: WebPushExample.draftPayload(salt: other))
    }
  }

  @Test func `a key that is no point is malformed`() {
    var key = base64URL(WebPushExample.senderPublicKey)
    key[64] ^= 1
    expect(
      .malformed(member: "k"), from: format, opening: WebPushExample.draftPayload(publicKey: key))
  }

  @Test func `any bit that flips is noticed`() {
    for bit in 0..<8 * WebPushExample.draftBody.count {
      var flipped = WebPushExample.draftBody
      flipped[bit / 8] ^= 1 << (bit % 8)
      expect(.notAuthentic, from: format, opening: WebPushExample.draftPayload(body: flipped))
    }
    var salt = base64URL(WebPushExample.salt)
    salt[0] ^= 1
    expect(.notAuthentic, from: format, opening: WebPushExample.draftPayload(salt: salt))
    let other = base64URL(WebPushExample.receiverPublicKey)
    expect(.notAuthentic, from: format, opening: WebPushExample.draftPayload(publicKey: other))
  }

  @Test func `a body cut anywhere does not open`() {
    for count in 0..<WebPushExample.draftBody.count {
      let cut = Array(WebPushExample.draftBody.prefix(count))
      let error: EnvelopeFormatError = count < 18 ? .malformed(member: "m") : .notAuthentic
      expect(error, from: format, opening: WebPushExample.draftPayload(body: cut))
    }
  }

  /// A payload with a record as given, by the example's sender.
  private func sealed(_ record: [UInt8]) throws -> JSONObject {
    let subscription = WebPushExample.subscription
    let ecdh = try P256.sharedSecret(
      privateKey: base64URL(WebPushExample.senderKey).span,
      publicKey: subscription.publicKey.span)
    let cipher = WebPushCipher(
      coding: .aesgcm, ecdh: ecdh.exposedBytes, subscription: subscription,
      sender: base64URL(WebPushExample.senderPublicKey).span,
      salt: base64URL(WebPushExample.salt).span)
    return WebPushExample.draftPayload(body: try cipher.seal(record.span))
  }
}
