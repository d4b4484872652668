import PushCompat
import PushCrypto
import PushCore
import Testing
import PushReceiver

/// Zulip's notifications and registrations.
struct ZulipTests {
  private static let pushKey = "MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"
  private static let plaintext =
    #"{"type": "test", "realm_name": "R", "realm_url": "https://r.example", "time": 1754577820, "user_id": 10}"#
  private static let box =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXtUSv0EUCeqgzhCYkvppL/SXdTDa3r4Aqmx77Wxv7aLtyhzS67UlSsHnDCvF3/YHD0fnZ9WfC"
    + "kGPV4L/sCAqJeQNjAOuH5691kzBVk38Z9pis7Jo7KTbrmX2f5PPwU7m1w+fnzKUmHMi1GLx/UV6V8eg+Jrx/s2IV"

  private let key = ZulipKey(id: 7, pushKey: Array(pushKey.utf8))!
  private let payload: JSONObject = [
    "push_key_id": 7, "encrypted_data": .string(box), "aps": ["mutable-content": 1],
  ]
  private var format: Zulip { Zulip(keys: [key]) }

  @Test(.needsXSalsa20) func `the example opens`() throws {
    #expect(Zulip.isRecognized(payload))
    #expect(text(try format.open(payload)) == Self.plaintext)
  }

  @Test func `the example is sealed byte for byte`() throws {
    let plaintext = Array(Self.plaintext.utf8)
    guard XSalsa20Poly1305.isAvailable else {
      // CryptoKit has none.
      #expect(throws: EnvelopeFormatError.unavailable) { try Zulip.seal(plaintext.span, with: key) }
      return
    }
    let sealed = try Zulip.seal(plaintext.span, with: key, random: ScriptedRandom([UInt8](0...23)))
    #expect(sealed == ["push_key_id": 7, "encrypted_data": .string(Self.box)])
  }

  @Test(.needsXSalsa20) func `every account's key is found by its number`() throws {
    let keys = [ZulipKey(id: 0, pushKey: Array(Self.pushKey.utf8))!, ZulipKey(), ZulipKey()]
    let format = Zulip(keys: keys)
    for key in keys {
      let sealed = try Zulip.seal([1, 2].span, with: key)
      #expect(try format.open(sealed) == [1, 2])
    }
    expect(.wrongKey, from: format, opening: payload)
    expect(.wrongKey, from: Zulip(keys: []), opening: payload)
  }

  @Test(.needsXSalsa20) func `another key with the same number opens nothing`() throws {
    let other = ZulipKey(random: ScriptedRandom([0, 0, 0, 7], [UInt8](repeating: 1, count: 32)))
    #expect(other.id == 7)
    expect(.notAuthentic, from: Zulip(keys: [other]), opening: payload)
    expect(.notAuthentic, from: Zulip(keys: [key, other]), opening: payload)
  }

  @Test(arguments: [-1, 4_294_967_296, "7", 7.0, true, .null] as [JSONValue])
  func `a number that is none of 32 bits is malformed`(value: JSONValue) {
    let payload = payload.with("push_key_id", value)
    expect(.malformed(member: "push_key_id"), from: format, opening: payload)
    #expect(!Zulip.isRecognized(payload))
  }

  @Test(.needsXSalsa20) func `the largest number is a number`() throws {
    let key = ZulipKey(id: .max, pushKey: Array(Self.pushKey.utf8))!
    #expect(try Zulip(keys: [key]).open(payload.with("push_key_id", 4_294_967_295)).count == 104)
  }

  @Test(arguments: ["push_key_id", "encrypted_data"]) func `both members must be there`(member: String) {
    expect(.absent, from: format, opening: payload.with(member, nil))
    #expect(!Zulip.isRecognized(payload.with(member, nil)))
  }

  @Test(
    arguments: [
      1, "", "AAAA", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXtUSv0EUCeqgzhCYkvppL", "A-__",
    ] as [JSONValue])
  func `data that is no box is malformed`(value: JSONValue) {
    expect(
      .malformed(member: "encrypted_data"), from: format,
      opening: payload.with("encrypted_data", value))
  }

  @Test(.needsXSalsa20) func `an empty plaintext is the shortest, and the longest fills the text`() throws {
    let empty = try Zulip.seal(Span(), with: key)
    #expect(try format.open(empty) == [])
    let longest = [UInt8](repeating: 1, count: Zulip.maximumPlaintextSize)
    let sealed = try Zulip.seal(longest.span, with: key)
    #expect(sealed["encrypted_data"]!.string!.utf8.count == 8192)
    #expect(try format.open(sealed) == longest)
    #expect(throws: EnvelopeFormatError.tooLarge) { try Zulip.seal((longest + [1]).span, with: key) }
  }

  @Test(.needsXSalsa20) func `any character that changes is noticed`() {
    for offset in 0..<Self.box.utf8.count {
      let changed = JSONValue.string(changing(Self.box, at: offset))
      expect(.notAuthentic, from: format, opening: payload.with("encrypted_data", changed))
    }
    expect(
      .tooLarge, from: format,
      opening: payload.with("encrypted_data", .string(String(repeating: "A", count: 8193))))
  }

  @Test func `a push key is written as it was read`() {
    #expect(key.withExposedPushKey { text(Array(copying: $0)) } == Self.pushKey)
  }

  @Test(arguments: [
    "", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",  // without the algorithm
    "MAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f",  // another algorithm
    "MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4=", "MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fAAAA",
    "MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4_",
  ]) func `what is no push key is refused`(text: String) {
    #expect(ZulipKey(id: 1, pushKey: Array(text.utf8)) == nil)
  }
}
