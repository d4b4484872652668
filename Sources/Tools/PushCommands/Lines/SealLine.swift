package import PushCore
import PushKeys
import PushSealer

/// A line of `seal --lines`: what to seal, and to whom.
package struct SealLine {
  /// A public key or key set, or the name of a device in the file of recipients.
  enum Device {
    case keys(JSONObject)
    case name(String)
  }

  /// Whom a line is for.
  enum Target {
    case device(Device)
    /// Several devices, which may belong to one person.
    case devices([Device])
    /// The devices that the file of recipients has for a person.
    case person(String)
  }

  /// The longest "id", in bytes of JSON.
  static let maximumIDSize = 256

  private static let members = [
    "id", "to", "payload", "message_id", "issued_at", "lifetime", "priority", "collapse_id", "expiration",
  ]

  /// The recipient, if the line names one.
  let target: Target?
  let payload: JSONObject
  /// The message's identity, if the line gives one.
  let messageID: MessageID?
  /// When the message was issued, if the line says it.
  let issuedAt: UnixTime?
  /// How long the message is valid, if the line says it.
  let lifetime: Lifetime?
  /// The APNs headers that the line gives.
  let headers: HeaderOptions

  /// Whether the message fans out to an array of devices or to a person's devices, even if there is only one.
  var isFannedOut: Bool {
    switch target {
    case nil, .device: false
    case .devices, .person: true
    }
  }

  /// Reads the JSON of a line.
  package static func object(parsing text: [UInt8]) throws(LineError) -> JSONObject {
    do throws(JSONError) {
      return try JSONObject(parsing: text.span)
    } catch {
      throw LineError("bad-json", JSONFailure.describe(error, inLine: text))
    }
  }

  /// What the answer to a line repeats, if the line has it.
  package static func id(of object: JSONObject) throws(LineError) -> JSONValue? {
    try object.optional("id", rule: "a string or a number, of at most \(maximumIDSize) bytes") { id in
      (id.string != nil || id.number != nil) && id.encoded().count <= maximumIDSize ? id : nil
    }
  }

  /// Reads the members of a line; an unknown member is an error.
  init(parsing object: JSONObject) throws(LineError) {
    if let name = object.keys.first(where: { !Self.members.contains($0) }) {
      throw LineError("bad-member", "'\(name.utf8.count <= 20 ? name : "…")' is unknown")
    }
    target = try object["to"].map { (to) throws(LineError) in try Target(parsing: to) }
    payload = try object.required("payload", rule: "an object") { $0.object }
    messageID = try object.optional("message_id", rule: "a UUID") { $0.string.flatMap { try? MessageID($0) } }
    issuedAt = try object.optional("issued_at", rule: "a number of seconds since 1970") {
      $0.number?.integer.flatMap(UnixTime.init(seconds:))
    }
    let rule = "a number of seconds, or a time such as 12h or 30d, of at most 30 days"
    lifetime = try object.optional("lifetime", rule: rule) { $0.seconds.flatMap(Lifetime.init(seconds:)) }
    headers = HeaderOptions(
      priority: try object.optional("priority", rule: "10, 5 or 1") {
        $0.number?.integer.flatMap { Priority(rawValue: Int($0)) }
      },
      collapseID: try object.optional("collapse_id", rule: "a string") { $0.string },
      expiration: try object.optional("expiration", rule: "a number of seconds since 1970") {
        $0.number?.integer.flatMap(UnixTime.init(seconds:))
      })
  }

  /// The error for a "to" that names no recipient.
  static let badTarget = LineError.badMember(
    "to", rule: #"a device's name or public key, an array of them, or {"person":"…"}"#)
}

extension SealLine.Device {
  fileprivate init(parsing value: JSONValue) throws(LineError) {
    switch value {
    case .object(let keys): self = .keys(keys)
    case .string(let name): self = .name(name)
    default: throw SealLine.badTarget
    }
  }
}

extension SealLine.Target {
  fileprivate init(parsing value: JSONValue) throws(LineError) {
    if let devices = value.array {
      guard !devices.isEmpty else { throw SealLine.badTarget }
      self = .devices(try devices.map { (device) throws(LineError) in try SealLine.Device(parsing: device) })
    } else if let object = value.object, let person = object["person"] {
      guard let name = person.string, object.count == 1 else { throw SealLine.badTarget }
      self = .person(name)
    } else {
      self = .device(try SealLine.Device(parsing: value))
    }
  }
}

extension JSONObject {
  /// A member's value, if it is there.
  package func optional<Value>(
    _ name: String, rule: String, read: (JSONValue) -> Value?
  ) throws(LineError) -> Value? {
    guard let member = self[name] else { return nil }
    guard let value = read(member) else { throw .badMember(name, rule: rule) }
    return value
  }

  /// A member's value, which must be there.
  package func required<Value>(
    _ name: String, rule: String, read: (JSONValue) -> Value?
  ) throws(LineError) -> Value {
    guard let value = try optional(name, rule: rule, read: read) else { throw .badMember(name, rule: rule) }
    return value
  }
}

extension JSONValue {
  /// A duration: a number of seconds, or a text such as "12h".
  package var seconds: Int64? {
    guard let text = string else { return number?.integer }
    return try? TimeSpan.seconds(in: text)
  }
}

/// Why one line was not sealed.
package struct LineError: Error {
  /// A stable word for programs.
  package let code: String
  /// A sentence for people.
  package let message: String

  package init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: SealError, under policy: SealingPolicy) {
    let code =
      switch error {
      case .payload: "bad-payload"
      case .nothingToShow: "nothing-to-show"
      case .reservedKey: "reserved-key"
      case .attachments, .attachmentsOfData: "bad-attachments"
      case .tooLarge, .tooLargeForFCM: "too-large"
      case .notCarriedByFCM: "not-carried-by-fcm"
      case .topicOfOther: "other-topic"
      case .headers: "bad-headers"
      case .anonymousRequest: "anonymous-request"
      case .recipientRefused: "recipient-refused"
      case .notQuantumResistant: "not-quantum-resistant"
      case .unavailable: "suite-unavailable"
      case .cryptoUnavailable: "crypto-unavailable"
      }
    self.init(code, SealFailure.describe(error, policy: policy).message)
  }

  init(_ error: KeySetError) {
    if case .unavailable = error {
      self.init("suite-unavailable", "the device's keys: \(error.reason)")
    } else {
      self.init("recipient-refused", "the device's keys: \(error.reason)")
    }
  }

  package static func badMember(_ name: String, rule: String) -> LineError {
    LineError("bad-member", "'\(name)' must be \(rule)")
  }
}
