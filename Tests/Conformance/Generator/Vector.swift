import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport

/// What a receiver is told beside the payload.
struct Setting {
  /// The suites of every file but `shared.json` and `xwing.json`.
  static let publicKeySuites: [Suite] = [.x25519ChaChaPoly, .p256AESGCM]

  var topic = Forge.topic
  var now = UnixTime(clamping: Int64(Forge.issuedAt) + 60)
  var suites = Setting.publicKeySuites
  var anonymous = true
  /// A payload that was delivered just before.
  var after: JSONObject?
  var isLocked = false
  /// The suites whose algorithms the opener's system does not have.
  var lacks: [Suite] = []
  var hasNoTime = false
  /// The accounts that are signed in; null: the opener does not know them.
  var accounts: [AccountTag]?
}

extension [AccountTag] {
  /// The tags in a vector.
  var inVectors: JSONValue { .array(map { .string($0.text) }) }
}

/// A payload that must not open.
struct DegradedVector {
  let id: String
  let rule: String
  let comment: String
  let expect: DegradeReason
  let payload: JSONObject
  var setting = Setting()
  /// The push type, in a file where it is not always `alert`.
  var pushType: String?

  func json(shown: ShownContent) -> JSONObject {
    var object: JSONObject = [
      "id": .string(id), "rule": .string(rule), "comment": .string(comment),
    ]
    object["pushType"] = pushType.map(JSONValue.string)
    let more: JSONObject = [
      "topic": .string(setting.topic), "now": .number(JSONNumber(setting.now.seconds)),
      "accepts": [
        "suites": .array(setting.suites.map { .string($0.name) }), "anonymous": .boolean(setting.anonymous),
      ],
    ]
    for (name, value) in more { object[name] = value }
    object["after"] = setting.after.map { .string($0.text) }
    if setting.isLocked { object["locked"] = true }
    if !setting.lacks.isEmpty { object["lacks"] = .array(setting.lacks.map { .string($0.name) }) }
    if setting.hasNoTime { object["deadline"] = 0 }
    object["accounts"] = setting.accounts?.inVectors
    object["payload"] = .string(payload.text)
    object["expect"] = .string(expect.rawValue)
    object["shown"] = .object(shown.inVectors)
    return object
  }
}

/// A payload that must open.
struct OpenedVector {
  let id: String
  let comment: String
  let forge: Forge
  /// The sealer's rule, or `other`.
  let padding: String
  let limit: Int
  let payload: JSONObject
  var now = UnixTime(clamping: Int64(Forge.issuedAt) + 60)
  /// A payload that was delivered just before.
  var after: JSONObject?
  /// Whether it is the same message as that.
  var isDuplicate = false
  /// The accounts that are signed in; null: the opener does not know them.
  var accounts: [AccountTag]?
  /// What Diffie-Hellman gives, if no sealer makes the encapsulated key.
  var secret: [UInt8]?
  /// The push type, in a file where it is not always `alert`.
  var pushType: String?

  func json(shown: ShownContent) -> JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["pushType"] = pushType.map(JSONValue.string)
    let more: JSONObject = [
      "suite": .string(forge.recipient.suite.name),
      "sender": forge.signer.map { .string($0.publicKey.thumbprint.text) } ?? .null,
      "padding": .string(padding), "topic": .string(forge.topic),
      "now": .number(JSONNumber(now.seconds)), "limit": .number(JSONNumber(limit)),
      secret == nil ? forge.randomMember.name : "dh": .string(secret?.hex ?? forge.randomMember.text),
      "messageID": .string(MessageID(forge.messageID)?.text ?? ""),
      "issuedAt": .number(JSONNumber(Int64(forge.issuedAt))),
      "lifetime": .number(JSONNumber(Int64(forge.lifetime))),
      "content": .string(String(decoding: forge.content, as: UTF8.self)),
      "payload": .string(payload.text), "expect": "opened", "shown": .object(shown.inVectors),
    ]
    for (name, value) in more { object[name] = value }
    object["after"] = after.map { .string($0.text) }
    if isDuplicate { object["duplicate"] = true }
    object["accounts"] = accounts?.inVectors
    return object
  }
}

extension ShownContent {
  /// The members that the vectors have; the others are only on Apple's devices.
  var inVectors: JSONObject {
    var object = json
    for key in ["launchImageName", "filterCriteria", "attachments"] { object[key] = nil }
    return object
  }
}

extension Forge {
  /// What a sealer has to take for random, so that it makes the same envelope.
  var randomMember: (name: String, text: String) {
    switch recipient.suite {
    case .sharedChaChaPoly: ("salt", Base64URL.encode(randomness.span))
    case .xwingAESGCM: ("eseed", randomness.hex)
    case .x25519ChaChaPoly, .p256AESGCM: ("ikmE", randomness.hex)
    }
  }
}

extension JSONObject {
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension [UInt8] {
  var hex: String {
    map { byte in String(byte >> 4, radix: 16) + String(byte & 0x0f, radix: 16) }.joined()
  }
}
