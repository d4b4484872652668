import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport

/// A payload that the app itself opens as data, or that is no data.
struct DataVector {
  let id: String
  let comment: String
  let pushType: PushType
  var service = PushService.apns
  let forge: Forge
  /// The sealer's rule, or `other`.
  let padding: String
  let payload: JSONObject
  var now = UnixTime(clamping: Int64(Forge.issuedAt) + 60)
  /// What was opened just before.
  var after: JSONObject?
  /// The accounts that are signed in; null: the opener does not know them.
  var accounts: [AccountTag]?
  /// The rule that is broken, and the reason; null: it opens.
  var fault: (rule: String, reason: DegradeReason)?

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id)]
    object["rule"] = fault.map { .string($0.rule) }
    object["comment"] = .string(comment)
    object["pushType"] = .string(service == .fcm ? pushType.nameAtFCM ?? "" : pushType.rawValue)
    object["suite"] = .string(forge.recipient.suite.name)
    object["sender"] = forge.signer.map { .string($0.publicKey.thumbprint.text) } ?? .null
    object["padding"] = .string(padding)
    object["topic"] = .string(forge.topic)
    object["now"] = .number(JSONNumber(now.seconds))
    object["limit"] = .number(JSONNumber(pushType.limit.bytes))
    object[forge.randomMember.name] = .string(forge.randomMember.text)
    object["messageID"] = .string(MessageID(forge.messageID)?.text ?? "")
    object["issuedAt"] = .number(JSONNumber(Int64(forge.issuedAt)))
    object["lifetime"] = .number(JSONNumber(Int64(forge.lifetime)))
    object["content"] = .string(String(decoding: forge.content, as: UTF8.self))
    object["after"] = after.map { .string($0.text) }
    object["accounts"] = accounts?.inVectors
    object["payload"] = .string(payload.text)
    object["expect"] = .string(fault?.reason.rawValue ?? "opened")
    return object
  }
}

extension DataVector {
  /// What the sealer makes of a message; its name is the forge's label.
  init(sealing forge: Forge, as type: PushType, _ comment: String, padding: Padding = .buckets) throws {
    let sealed = try forge.sealed(SealingPolicy(padding: padding, pushType: type))
    self.init(
      id: forge.label, comment: comment, pushType: type, forge: forge, padding: padding.rawValue,
      payload: try JSONObject(parsing: sealed.payload.span))
  }
}
