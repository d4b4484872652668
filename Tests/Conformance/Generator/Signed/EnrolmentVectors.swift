import PushCore

/// An enrolment, and what a backend makes of it in itself.
struct EnrolmentVector {
  let id: String
  let comment: String
  var rule: String?
  /// The rule that the signed set in it breaks.
  var inner: String?
  /// The app of the backend, if it serves one alone.
  var topic: String? = SignedSetForge.topic
  /// The backend.
  var audience = SignedSetForge.audience
  /// What the backend gave, if it did.
  var challenge: String?
  /// The services that the backend delivers through, if it is not APNs alone.
  var services: [String]?
  let enrolment: String
  /// How many spaces are behind it.
  var spaces = 0
  let expect: String
  /// What is said of a good one.
  var facts: JSONObject = [:]

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = rule.map(JSONValue.string)
    object["inner"] = inner.map(JSONValue.string)
    object["topic"] = topic.map(JSONValue.string) ?? .null
    object["audience"] = .string(audience)
    object["challenge"] = challenge.map(JSONValue.string)
    object["services"] = services.map { .array($0.map(JSONValue.string)) }
    object["enrolment"] = .string(enrolment)
    if spaces > 0 { object["spaces"] = .number(JSONNumber(spaces)) }
    object["expect"] = .string(expect)
    for (name, value) in facts { object[name] = value }
    return object
  }
}

/// Makes enrolments.
struct EnrolmentVectors {
  let pairs: SigningPairs
  let keys: PublicKeys

  func all() throws -> [EnrolmentVector] {
    try good() + goodForms() + reports() + sizes() + memberFaults() + signedFaults() + mismatches()
      + audiences() + challenges()
  }

  var forge: EnrolmentForge { EnrolmentForge([keys.x25519], by: pairs.identity) }

  func accepted(
    _ name: String, _ comment: String, topic: String? = SignedSetForge.topic, challenge: String? = nil,
    _ change: (inout EnrolmentForge) -> Void = { _ in }
  ) throws -> EnrolmentVector {
    var forge = forge
    change(&forge)
    return EnrolmentVector(
      id: "enrolment-\(name)", comment: comment, topic: topic, challenge: challenge,
      enrolment: try forge.text(),
      expect: "accepted", facts: forge.signed.facts("identity"))
  }

  func refused(
    _ name: String, _ rule: String, _ reason: String, _ comment: String, challenge: String? = nil,
    _ change: (inout EnrolmentForge) -> Void
  ) throws -> EnrolmentVector {
    var forge = forge
    change(&forge)
    return EnrolmentVector(
      id: "enrolment-\(name)", comment: comment, rule: rule, challenge: challenge,
      enrolment: try forge.text(),
      expect: reason)
  }

  /// [11.11].
  func refused(_ fault: SetFault) throws -> EnrolmentVector {
    var vector = try refused(fault.name, "11.11", fault.reason, fault.comment) { fault.change(&$0.signed) }
    vector.inner = fault.rule
    return vector
  }

  private func sizes() throws -> [EnrolmentVector] {
    var most = try accepted("32768", "as long as an enrolment may be, with white space at its end")
    most.spaces = 32_768 - most.enrolment.utf8.count
    var more = try refused("32769", "11.10", "too-large", "one byte too many to be looked at") { _ in }
    more.spaces = 32_769 - more.enrolment.utf8.count
    return [most, more]
  }
}
