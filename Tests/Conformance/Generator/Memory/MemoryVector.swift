import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport

/// A push that arrives.
struct MemoryDelivery {
  var forge: Forge
  var now = UnixTime(clamping: Int64(Forge.issuedAt) + 60)
  var type = PushType.alert

  func json() throws -> JSONObject {
    var object: JSONObject = ["payload": .string(try payload().text)]
    object["now"] = .number(JSONNumber(now.seconds))
    if type != .alert { object["pushType"] = .string(type.rawValue) }
    return object
  }

  private func payload() throws -> JSONObject {
    var forge = forge
    forge.firstByte = type.contentType.rawValue << 4 | (forge.signer == nil ? 0 : 1)
    guard type != .alert else { return try forge.payload() }
    let envelope: JSONObject = ["ENCRYPTED_DATA": .string(try forge.text())]
    guard type == .liveActivity else {
      return ["aps": [:], "ENCRYPTED_DATA": envelope["ENCRYPTED_DATA"] ?? .null]
    }
    return ["aps": ["timestamp": 1_795_000_000, "event": "update", "content-state": .object(envelope)]]
  }
}

/// A push, those that came before it, and what the memory of section 7 says of it.
struct MemoryVector {
  let id: String
  let comment: String
  let before: [MemoryDelivery]
  let push: MemoryDelivery
  /// How many messages the memory holds; null: enough.
  var capacity: Int?
  let expect: String

  func json() throws -> JSONObject {
    var object: JSONObject = ["id": .string("memory-\(id)"), "comment": .string(comment)]
    object["rule"] = expect == DegradeReason.replayed.rawValue ? "7.1" : nil
    object["topic"] = .string(Forge.topic)
    object["capacity"] = capacity.map { .number(JSONNumber($0)) }
    object["before"] = .array(try before.map { .object(try $0.json()) })
    for (name, value) in try push.json() { object[name] = value }
    object["expect"] = .string(expect)
    return object
  }
}
