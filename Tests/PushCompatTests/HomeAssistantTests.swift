import PushCompat
import PushCore
import Testing
import PushReceiver

/// Home Assistant's notifications.
struct HomeAssistantTests {
  private static let secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
  private static let box =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXjEqAoRVL3DAX8+VbBDHCHlrP663q8JeFxHoSMUPNwvdxJlLVeZ/93bm5MQ=="
  private static let olderBox =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXAp1TebegOeg24F74kLb2shA+eFVcEraV2vWUNoL3m3e/GVXpmmwNGjUhvQ=="
  private static let plaintext = #"{"title":"t","message":"m"}"#

  private let format = HomeAssistant(key: .hexadecimal(secret: Array(secret.utf8))!)
  private let older = HomeAssistant(key: .truncated(secret: Array(secret.utf8))!)
  private let payload: JSONObject = [
    "aps": ["mutable-content": 1], "webhook_id": "w", "encrypted": true, "encrypted_data": .string(box),
  ]

  @Test(.needsXSalsa20) func `the example opens`() throws {
    #expect(HomeAssistant.isRecognized(payload))
    #expect(text(try format.open(payload)) == Self.plaintext)
    #expect(text(try format.open(payload.with("webhook_id", nil))) == Self.plaintext)
  }

  @Test(.needsXSalsa20) func `the example of the older rule opens`() throws {
    let payload = payload.with("encrypted_data", .string(Self.olderBox))
    #expect(text(try older.open(payload)) == Self.plaintext)
  }

  @Test(.needsXSalsa20) func `one rule's key opens nothing of the other's`() {
    expect(.notAuthentic, from: older, opening: payload)
    expect(
      .notAuthentic, from: format, opening: payload.with("encrypted_data", .string(Self.olderBox)))
  }

  @Test(.needsXSalsa20) func `digits are hexadecimal in either case`() throws {
    let format = HomeAssistant(key: .hexadecimal(secret: Array(Self.secret.uppercased().utf8))!)
    #expect(text(try format.open(payload)) == Self.plaintext)
  }

  @Test func `a secret of other characters or another length has no key by the later rule`() {
    for secret in ["", String(Self.secret.dropLast()), Self.secret + "0"] {
      #expect(HomeAssistantKey.hexadecimal(secret: Array(secret.utf8)) == nil)
    }
    for character in ["g", "G", " ", "/", ":", "@", "`"] {
      #expect(HomeAssistantKey.hexadecimal(secret: Array((Self.secret.dropLast() + character).utf8)) == nil)
      #expect(HomeAssistantKey.hexadecimal(secret: Array((character + Self.secret.dropFirst()).utf8)) == nil)
    }
  }

  @Test(.needsXSalsa20) func `a short secret has zeros behind it by the older rule`() throws {
    // PyNaCl: SecretBox(b"abc".ljust(32, b"\0")).encrypt(b"m", bytes(range(24)))
    let box = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXdjquwhtcVUO7w3M3uCLMqEk="
    let format = HomeAssistant(key: .truncated(secret: Array("abc".utf8))!)
    #expect(try format.open(["encrypted": true, "encrypted_data": .string(box)]) == [0x6d])
    #expect(HomeAssistantKey.truncated(secret: Span()) == nil)
  }

  @Test(.needsXSalsa20) func `another webhook's notification is for another key`() throws {
    let ours = HomeAssistant(key: .hexadecimal(secret: Array(Self.secret.utf8))!, webhookID: "w")
    #expect(text(try ours.open(payload)) == Self.plaintext)
    #expect(text(try ours.open(payload.with("webhook_id", nil))) == Self.plaintext)
    expect(.wrongKey, from: ours, opening: payload.with("webhook_id", "v"))
    expect(.malformed(member: "webhook_id"), from: ours, opening: payload.with("webhook_id", 1))
  }

  @Test func `only what says that it is encrypted is`() {
    for value in [nil, false] as [JSONValue?] {
      expect(.absent, from: format, opening: payload.with("encrypted", value))
      #expect(!HomeAssistant.isRecognized(payload.with("encrypted", value)))
    }
    for value in [1, "true", .null] as [JSONValue] {
      expect(.malformed(member: "encrypted"), from: format, opening: payload.with("encrypted", value))
    }
  }

  @Test(arguments: [1, "", "AAAA", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXjEqAoRVL3DAX8+VbBDHC"] as [JSONValue])
  func `data that is no box is malformed`(value: JSONValue) {
    let payload = payload.with("encrypted_data", value)
    expect(.malformed(member: "encrypted_data"), from: format, opening: payload)
    #expect(!HomeAssistant.isRecognized(payload))
  }

  @Test func `data must be there, and not larger than a payload`() {
    expect(.absent, from: format, opening: payload.with("encrypted_data", nil))
    expect(
      .tooLarge, from: format,
      opening: payload.with("encrypted_data", .string(String(repeating: "A", count: 8193))))
  }

  @Test(.needsXSalsa20) func `any character that changes is noticed`() {
    for offset in 0..<Self.box.utf8.count - 3 {
      let changed = JSONValue.string(changing(Self.box, at: offset))
      expect(.notAuthentic, from: format, opening: payload.with("encrypted_data", changed))
    }
  }
}
