import PushCore
import Testing
import PushReceiver

@testable import PushCompat

/// What of a payload is a Web Push message's.
struct WebPushCarriageTests {
  private let format = WebPush(keys: WebPushExample.keys, carriage: .base64URL)
  private let payload = WebPushCarriage.base64URL.payload(WebPushExample.body)

  @Test func `the members are where relays write them`() {
    #expect(WebPushCarriage.base64URL.members(of: [1].span) == ["m": "AQ"])
    #expect(WebPushCarriage.z85.members(of: [1].span) == ["p": "01"])
  }

  @Test func `other members make no difference`() throws {
    let payload = payload.with("aps", ["mutable-content": 1]).with("x", "1@host").with("i", "1")
    #expect(WebPush.isRecognized(payload))
    #expect(text(try format.open(payload)) == WebPushExample.text)
  }

  @Test func `a payload without the body has none`() {
    for payload in [[:], ["aps": [:]], WebPushCarriage.z85.payload(WebPushExample.body)] as [JSONObject] {
      expect(.absent, from: format, opening: payload)
    }
    #expect(!WebPush.isRecognized([:]))
  }

  @Test(arguments: [1, true, .null, ["AQ"], ["m": "AQ"]] as [JSONValue])
  func `a body of another type is malformed`(value: JSONValue) {
    expect(.malformed(member: "m"), from: format, opening: ["m": value])
    #expect(!WebPush.isRecognized(["m": value]))
  }

  @Test func `a body in another encoding is malformed`() {
    let body = payload["m"]!.string!
    for other in [body + "+", body + " ", body + "\n", " " + body, body + "A", body + "===="] {
      expect(.malformed(member: "m"), from: format, opening: ["m": .string(other)])
    }
    expect(
      .malformed(member: "p"), from: WebPush(keys: WebPushExample.keys, carriage: .z85),
      opening: ["p": .string(body + ",")])
  }

  @Test func `padding is taken where it belongs`() throws {
    // 144 bytes need none, 145 two, 146 one.
    for padding in 0..<3 {
      let body = try WebPush.seal(
        [UInt8](repeating: 7, count: 41 + padding).span, to: WebPushExample.subscription)
      let text = WebPushCarriage.base64URL.members(of: body.span)["m"]!.string!
      let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
      #expect(try format.open(["m": .string(padded)]).count == 41 + padding)
      expect(.malformed(member: "m"), from: format, opening: ["m": .string(padded + "=")])
    }
    expect(.malformed(member: "m"), from: format, opening: ["m": "===="])
    expect(.malformed(member: "m"), from: format, opening: ["m": ""])
  }

  @Test func `more text than a payload holds is not decoded`() {
    expect(
      .tooLarge, from: format, opening: ["m": .string(String(repeating: "A", count: 8193))])
    expect(
      .malformed(member: "m"), from: format,
      opening: ["m": .string(String(repeating: "A", count: 8192))])
  }

  @Test func `with a key or a salt beside it, it is the older coding`() {
    for member in ["k", "s"] {
      let payload = payload.with(member, "AQ")
      #expect(!WebPush.isRecognized(payload))
      expect(.absent, from: format, opening: payload)
    }
  }

  @Test func `short texts under the same names are nobody's`() {
    for payload in [["p": "low"], ["m": "hello"], ["p": "HelloWorld"]] as [JSONObject] {
      #expect(!WebPush.isRecognized(payload))
      #expect(!WebPushDraft.isRecognized(payload))
    }
  }

  @Test func `a subscription has a point and 16 bytes`() {
    let (key, secret) = (WebPushExample.receiverPublicKey, WebPushExample.secret)
    #expect(WebPushSubscription(p256dh: String(key.dropLast(2)), auth: secret) == nil)
    #expect(WebPushSubscription(p256dh: changing(key, at: 40), auth: secret) == nil)
    #expect(WebPushSubscription(p256dh: key, auth: "AAAA") == nil)
    #expect(WebPushSubscription(p256dh: key, auth: "") == nil)
  }

  @Test(arguments: ["", "="], ["", "=="])
  func `a subscription may have all of its padding`(ofKey: String, ofSecret: String) throws {
    let (key, secret) = (WebPushExample.receiverPublicKey, WebPushExample.secret)
    let made = WebPushSubscription(p256dh: key + ofKey, auth: secret + ofSecret)
    let subscription = try #require(made)
    let text = Array(WebPushExample.text.utf8)
    let sealed = try WebPush.seal(text.span, to: subscription)
    let payload = WebPushCarriage.base64URL.members(of: sealed.span)
    #expect(try WebPush(keys: WebPushExample.keys, carriage: .base64URL).open(payload) == text)
  }

  @Test(arguments: [
    ("==", ""), ("A", ""), (" ", ""), ("\n", ""), ("", "="), ("", "==="), ("", "A="), ("", "=A"),
  ])
  func `other padding is none`(ofKey: String, ofSecret: String) {
    let (key, secret) = (WebPushExample.receiverPublicKey, WebPushExample.secret)
    #expect(WebPushSubscription(p256dh: key + ofKey, auth: secret + ofSecret) == nil)
    #expect(WebPushSubscription(p256dh: key, auth: "B-BZMqHH6r4Tts7J_aSIgh") == nil, "a bit at the end")
  }

  @Test func `a receiver has a private key and 16 bytes`() {
    let secret = base64URL(WebPushExample.secret)
    for key in [[], [1], [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xff, count: 32)] as [[UInt8]] {
      #expect(WebPushKeys(privateKey: key.span, authenticationSecret: secret.span) == nil)
    }
    let key = base64URL(WebPushExample.receiverKey)
    #expect(WebPushKeys(privateKey: key.span, authenticationSecret: secret.span.extracting(0..<15)) == nil)
  }
}
