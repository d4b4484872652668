import Foundation
import PushCompat
import PushCrypto
import PushCore
import Testing
import PushReceiver

/// Where `Checks/Independent/compat.py` put its messages, if it runs these tests.
private let folder: String? = ProcessInfo.processInfo.environment["SEALEDPUSH_COMPAT_ORACLE"]

/// Messages to and from independent implementations.
@Suite(.enabled(if: folder != nil), .needsXSalsa20, .needsSealedBoxes)
struct CompatOracleTests {
  @Test func `what others sealed opens, and what is no longer whole does not`() throws {
    let messages = try read("sealed-by-others.json")
    #expect(messages.count >= 100)
    for message in messages {
      let format = try #require(self.format(message))
      let payload = message["payload"]!.object!
      #expect(type(of: format).isRecognized(payload), "\(message)")
      #expect(try format.open(payload) == base64URL(message["plaintext"]!.string!), "\(message)")
      let damaged = message["damaged"]!.object!
      expect(.notAuthentic, from: format, opening: damaged)
    }
  }

  @Test func `what is sealed here is left to others`() throws {
    var sealed: [JSONValue] = []
    for request in try read("to-seal.json") {
      let plaintext = base64URL(request["plaintext"]!.string!)
      var answer = request
      answer["payload"] = .object(try seal(plaintext, request))
      sealed.append(.object(answer))
    }
    #expect(sealed.count >= 100)
    let output = URL(fileURLWithPath: folder!).appendingPathComponent("sealed-here.json")
    try Data(JSONValue.array(sealed).encoded()).write(to: output)
  }

  private func read(_ name: String) throws -> [JSONObject] {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder!).appendingPathComponent(name))
    return try JSONValue(parsing: Array(data).span).array!.map { $0.object! }
  }

  private func format(_ message: JSONObject) -> (any EnvelopeFormat)? {
    let key = base64URL(message["key"]!.string!)
    let carriage = message["carriage"]?.string == "z85" ? WebPushCarriage.z85 : .base64URL
    switch message["format"]!.string! {
    case WebPush.name: return webPushKeys(message).map { WebPush(keys: $0, carriage: carriage) }
    case WebPushDraft.name: return webPushKeys(message).map { WebPushDraft(keys: $0, carriage: carriage) }
    case SodiumSealedBox.name: return SodiumSealedBox(privateKey: key.span)
    case Zulip.name: return zulipKey(message).map { Zulip(keys: [$0]) }
    case HomeAssistant.name:
      let isOlder = message["rule"]!.string! == "truncated"
      return (isOlder ? HomeAssistantKey.truncated(secret: key.span) : .hexadecimal(secret: key.span)).map {
        HomeAssistant(key: $0)
      }
    default: return nil
    }
  }

  private func webPushKeys(_ message: JSONObject) -> WebPushKeys? {
    let (key, auth) = (base64URL(message["key"]!.string!), base64URL(message["auth"]!.string!))
    return WebPushKeys(privateKey: key.span, authenticationSecret: auth.span)
  }

  private func zulipKey(_ message: JSONObject) -> ZulipKey? {
    let pushKey = Array(message["push_key"]!.string!.utf8)
    return ZulipKey(id: UInt32(message["id"]!.number!.integer!), pushKey: pushKey.span)
  }

  private func seal(_ plaintext: [UInt8], _ request: JSONObject) throws -> JSONObject {
    switch request["format"]!.string! {
    case WebPush.name:
      let (p256dh, auth) = (request["p256dh"]!.string!, request["auth"]!.string!)
      let subscription = try #require(WebPushSubscription(p256dh: p256dh, auth: auth))
      let body = try WebPush.seal(
        plaintext.span, to: subscription, padding: Int(request["padding"]!.number!.integer!))
      let isZ85 = request["carriage"]!.string == "z85"
      return (isZ85 ? WebPushCarriage.z85 : .base64URL).members(of: body.span)
    case SodiumSealedBox.name:
      let publicKey = base64URL(request["public_key"]!.string!)
      let recipient = SodiumRecipient(publicKey: publicKey.span)!
      return ["sealed_box": .string(try SodiumSealedBox.seal(plaintext.span, to: recipient))]
    default:
      return try Zulip.seal(plaintext.span, with: try #require(zulipKey(request)))
    }
  }
}
