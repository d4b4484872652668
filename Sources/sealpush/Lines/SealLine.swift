import PushEnvelope
import PushPayload

/// A line of `seal --lines`: what to seal, and to whom.
struct SealLine {
  /// A public key or key set, or the name of a device in the file of recipients.
  enum Target {
    case keys(JSONObject)
    case name(String)
  }

  private static let members = ["to", "payload", "message_id", "lifetime"]

  /// Whom it is for, if the line says it.
  let target: Target?
  let payload: JSONObject
  /// The message's identity, if the line says it.
  let messageID: MessageID?
  /// How long the message is good for, if the line says it.
  let lifetime: Lifetime?

  /// Reads a line; a member that no line has is an error too.
  init(parsing text: [UInt8]) throws(LineError) {
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: text.span)
    } catch {
      throw LineError("bad-json", "not strict JSON: \(error)")
    }
    if let name = object.keys.first(where: { !Self.members.contains($0) }) {
      throw LineError("bad-member", "'\(name.utf8.count <= 20 ? name : "…")' is not known here")
    }
    switch object["to"] {
    case .object(let keys): target = .keys(keys)
    case .string(let name): target = .name(name)
    case nil: target = nil
    default: throw Self.badTarget
    }
    guard let payload = object["payload"]?.object else { throw .badMember("payload", "an object") }
    self.payload = payload
    messageID = try object["message_id"].map { (value) throws(LineError) in
      guard let messageID = value.string.flatMap({ MessageID(text: $0) }) else {
        throw .badMember("message_id", "a UUID")
      }
      return messageID
    }
    lifetime = try object["lifetime"].map { (value) throws(LineError) in
      guard let lifetime = Self.lifetime(value) else {
        throw .badMember("lifetime", "a number of seconds, or as 12h or 30d, of at most 30 days")
      }
      return lifetime
    }
  }

  /// What is wrong with a line that says no recipient.
  static let badTarget = LineError.badMember("to", "a public key, a key id or a device token")

  private static func lifetime(_ value: JSONValue) -> Lifetime? {
    guard let text = value.string else { return value.number?.integer.flatMap(Lifetime.init(seconds:)) }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let number = Int64(digits)
    else { return nil }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflow ? nil : Lifetime(seconds: seconds)
  }
}
