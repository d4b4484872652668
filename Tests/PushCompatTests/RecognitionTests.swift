import PushCompat
import PushCore
import Testing
import PushReceiver

/// Several formats side by side.
struct RecognitionTests {
  private static let box = JSONValue.string(String(repeating: "A", count: 64))
  private static let payloads: [(name: String, payload: JSONObject)] = [
    (WebPush.name, WebPushCarriage.z85.payload(WebPushExample.body)),
    (WebPush.name, WebPushCarriage.base64URL.payload(WebPushExample.body)),
    (WebPushDraft.name, WebPushExample.draftPayload(.z85)),
    (WebPushDraft.name, WebPushExample.draftPayload()),
    (SodiumSealedBox.name, ["sealed_box": box]),
    (Zulip.name, ["push_key_id": 1, "encrypted_data": box]),
    (HomeAssistant.name, ["encrypted": true, "encrypted_data": box]),
  ]
  private static let recognizers: [(name: String, isRecognized: @Sendable (JSONObject) -> Bool)] = [
    (WebPush.name, { WebPush.isRecognized($0) }),
    (WebPushDraft.name, { WebPushDraft.isRecognized($0) }),
    (SodiumSealedBox.name, { SodiumSealedBox.isRecognized($0) }),
    (Zulip.name, { Zulip.isRecognized($0) }),
    (HomeAssistant.name, { HomeAssistant.isRecognized($0) }),
  ]

  @Test func `each payload is recognized by its own format alone`() {
    for (name, payload) in Self.payloads {
      let names = Self.recognizers.filter { $0.isRecognized(payload) }.map(\.name)
      #expect(names == [name])
    }
  }

  @Test func `names differ`() {
    #expect(Set(Self.recognizers.map(\.name)).count == Self.recognizers.count)
  }

  @Test func `texts of any kind end in an error`() {
    let key = [UInt8](1...32)
    let formats: [any EnvelopeFormat] = [
      WebPush(keys: WebPushExample.keys, carriage: .z85),
      WebPush(keys: WebPushExample.keys, carriage: .base64URL),
      WebPushDraft(keys: WebPushExample.keys, carriage: .z85),
      WebPushDraft(keys: WebPushExample.keys, carriage: .base64URL),
      SodiumSealedBox(privateKey: key.span)!, Zulip(keys: [ZulipKey()]),
      HomeAssistant(key: .truncated(secret: key.span)!),
    ]
    var generator = SplitMix(state: 1)
    for _ in 0..<400 {
      var payload: JSONObject = ["push_key_id": 1, "encrypted": true]
      for member in ["p", "m", "k", "s", "sealed_box", "encrypted_data"] where Bool.random(using: &generator)
      {
        payload[member] = .string(Self.text(&generator))
      }
      for format in formats {
        #expect(throws: EnvelopeFormatError.self) { try format.open(payload) }
      }
    }
  }

  /// A text of characters that most encodings have, sometimes with padding behind them.
  private static func text(_ generator: inout SplitMix) -> String {
    let characters = Array("ABCDwxyz0123" + (Bool.random(using: &generator) ? "-_" : ""))
    let count = Int.random(in: 0...400, using: &generator)
    let padding = String(repeating: "=", count: Int.random(in: 0...2, using: &generator))
    return String((0..<count).map { _ in characters.randomElement(using: &generator)! }) + padding
  }
}

/// Numbers that are the same in each run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
