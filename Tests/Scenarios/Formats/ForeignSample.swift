import Testing

/// A payload of another system's, whose values are other implementations', and what opens it.
struct ForeignSample: CustomTestStringConvertible {
  /// Beside `--format` and `--secret`.
  let options: String
  let format: String
  let secret: String
  /// The members beside `aps`.
  let members: String
  let plaintext: String
  /// What `inspect` says.
  let inspection: [String: String]
  /// The member that carries the most.
  let member: String

  var testDescription: String { "\(format) \(options)" }

  /// `open`, with what it needs but for `--in`.
  var open: String { "open --format \(format) --secret secret \(options)" }

  /// The payload.
  var payload: String {
    #"{"aps":{"alert":{"title":"New","body":"(Encrypted)"},"mutable-content":1},\#(members)}"#
  }

  init(
    _ format: String, _ options: String = "", secret: String, _ members: String, opens plaintext: String,
    member: String, _ inspection: [String: String]
  ) {
    self.format = format
    self.options = options
    self.secret = secret
    self.members = members
    self.plaintext = plaintext
    self.member = member
    self.inspection = inspection
  }

  /// A folder with the secret in `secret`, and the payload in `payload.json`.
  func tool() throws -> Tool {
    let tool = try Tool()
    try tool.write(secret, to: "secret")
    try tool.write(payload, to: "payload.json")
    return tool
  }

  /// All of them, each format at least once.
  static let all = salted + bark + webPush + boxes

  static let salted = [
    ForeignSample(
      "openssl-salted", "--unauthenticated", secret: "correct horse\n",
      #""ENCRYPTED_DATA":"U2FsdGVkX18BAgMEBQYHCP4gQNgG45IRi9CrqIvK9lf0wr5WYUoCJoAOMHMfoMPZ""#,
      opens: #"{"title":"Hi","body":"Secret"}"#, member: "ENCRYPTED_DATA",
      ["in": "ENCRYPTED_DATA", "ciphertext": "32 bytes", "salt": "0102030405060708"])
  ]

  private static let barkKey = "12345678901234567890123456789012"
  private static let barkText = #"{"body": "test", "sound": "birdsong"}"#
  static let bark = [
    ForeignSample(
      "bark", "--unauthenticated", secret: barkKey,
      #""ciphertext":"DU5gAgiWJPRg5N5Kh3qC9hoVD/+ViihiEa+qiunNaU6nfZ11hVqHg9l6vSbrIlsa","iv":"1111111111111111""#,
      opens: barkText, member: "ciphertext",
      ["in": "ciphertext, iv", "ciphertext": "48 bytes", "iv": "1111111111111111"]),
    ForeignSample(
      "bark", "--unauthenticated --mode cbc --iv 1111111111111111", secret: barkKey,
      #""ciphertext":"DU5gAgiWJPRg5N5Kh3qC9hoVD/+ViihiEa+qiunNaU6nfZ11hVqHg9l6vSbrIlsa""#,
      opens: barkText, member: "ciphertext", ["in": "ciphertext", "ciphertext": "48 bytes"]),
    ForeignSample(
      "bark", "--mode gcm", secret: barkKey + "\r\n",
      #""ciphertext":"+9CfgWY449vFMEvhomFKcD6cZZsKnNlWM8Nq/4icwMIT3ccCV+Rg1TX3ITi9Lbb+iCpkXAw=","iv":"123456789012""#,
      opens: barkText, member: "ciphertext", ["ciphertext": "53 bytes", "iv": "123456789012"]),
    ForeignSample(
      "bark", "--unauthenticated --mode ecb", secret: barkKey,
      #""ciphertext":"UwhBNZS82HFEd9XS80XjZlvCHLgodB0PQx1MypTDkFH3wLoGbmXd/D7oLJDlhiDC""#,
      opens: barkText, member: "ciphertext", ["in": "ciphertext", "ciphertext": "48 bytes"]),
  ]

  /// RFC 8291's example, and the same in the older coding.
  static let webPush = [
    ForeignSample(
      "webpush-aes128gcm", "--carriage base64url", secret: webPushSecret,
      #""m":"\#(webPushBody)""#, opens: "When I grow up, I want to be a watermelon", member: "m",
      [
        "in": "m", "ciphertext": "58 bytes", "record size": "4096",
        "salt": "0c6bfaadad67958803092d454676f397",
      ]),
    ForeignSample(
      "webpush-aesgcm", "--carriage base64url", secret: webPushSecret,
      #"""
      "m":"4qwOLFm_mNy0vf1A8f3Bm6B5UD15y3aV_xZy14pixUhcPTIoZKHzq5i3dZ6PzqSMxBI_-VDUZ4jW04M","s":"DGv6ra1nlYgDCS1FRnbzlw",
      "k":"BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
      """#,
      opens: "When I grow up, I want to be a watermelon", member: "m",
      ["in": "m, k, s", "ciphertext": "59 bytes", "salt": "0c6bfaadad67958803092d454676f397"]),
  ]
  static let webPushSecret = #"""
    {"private_key": "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "auth": "BTBZMqHH6r4Tts7J_aSIgg",
     "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "v": 1}
    """#
  private static let webPushBody =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
    + "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"

  static let boxes = [
    ForeignSample(
      "sodium-sealed-box", secret: "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=\n",
      #""sealed_box":"WGmv9FBUlzLLqu1eXfmzCm2jHLDldCutWtShp2jxpnuthlpGiz+LRbXtZdmwsXDMOfrqYvQyKVVS9rKEDuHmKTpB7xzQNnWgpNax00lX""#,
      opens: #"{"title":"Hi","body":"Secret"}"#, member: "sealed_box",
      ["in": "sealed_box", "ciphertext": "46 bytes"]),
    ForeignSample(
      "zulip", secret: zulipSecret,
      """
      "push_key_id":7,"encrypted_data":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXtUSv0EUCeqgzhCYkvppL/SXdTDa3r4Aqmx77Wxv7aLtyhzS6\
      7UlSsHnDCvF3/YHD0fnZ9WfCkGPV4L/sCAqJeQNjAOuH5691kzBVk38Z9pis7Jo7KTbrmX2f5PPwU7m1w+fnzKUmHMi1GLx/UV6V8eg+Jrx/s2IV"
      """,
      opens:
        #"{"type": "test", "realm_name": "R", "realm_url": "https://r.example", "time": 1754577820, "user_id": 10}"#,
      member: "encrypted_data",
      ["in": "push_key_id, encrypted_data", "ciphertext": "120 bytes", "key id": "7"]),
    homeAssistant("", "jEqAoRVL3DAX8+VbBDHCHlrP663q8JeFxHoSMUPNwvdxJlLVeZ/93bm5MQ=="),
    homeAssistant("--key-rule hexadecimal", "jEqAoRVL3DAX8+VbBDHCHlrP663q8JeFxHoSMUPNwvdxJlLVeZ/93bm5MQ=="),
    homeAssistant("--key-rule truncated", "Ap1TebegOeg24F74kLb2shA+eFVcEraV2vWUNoL3m3e/GVXpmmwNGjUhvQ=="),
  ]
  static let zulipSecret =
    #"{"push_key_id":7,"push_key":"MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"}"#

  private static func homeAssistant(_ options: String, _ box: String) -> ForeignSample {
    ForeignSample(
      "home-assistant", options, secret: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
      #""webhook_id":"w","encrypted":true,"encrypted_data":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYX\#(box)""#,
      opens: #"{"title":"t","message":"m"}"#, member: "encrypted_data",
      ["in": "encrypted, encrypted_data", "ciphertext": "43 bytes", "webhook id": "w"])
  }
}
