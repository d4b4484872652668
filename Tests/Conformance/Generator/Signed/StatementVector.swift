import PushCore

/// A receipt, or a device's other tokens, and what a backend makes of it.
struct StatementVector {
  let id: String
  let comment: String
  var rule: String?
  /// The rule that the signed text in it breaks.
  var inner: String?
  /// The app of the backend, if it serves one alone.
  var topic: String? = SignedSetForge.topic
  /// The backend.
  var audience = SignedSetForge.audience
  /// What the backend has.
  var setting: JSONObject
  let forge: StatementForge
  /// How many spaces are behind it.
  var spaces = 0
  let expect: String
  /// What comes of a good one.
  var result: JSONObject = [:]

  func json() throws -> JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = rule.map(JSONValue.string)
    object["inner"] = inner.map(JSONValue.string)
    object["topic"] = topic.map(JSONValue.string) ?? .null
    object["audience"] = .string(audience)
    for (name, value) in setting { object[name] = value }
    object[forge.kind.rawValue] = .string(try forge.text())
    if spaces > 0 { object["spaces"] = .number(JSONNumber(spaces)) }
    object["expect"] = .string(expect)
    guard ["accepted", "unchanged"].contains(expect) else { return object }
    var facts = forge.signed.facts("identity")
    facts["kids"] = nil
    if forge.kind == .receipt { facts["serial"] = nil }
    for (name, value) in facts { object[name] = value }
    for (name, value) in result { object[name] = value }
    return object
  }
}

extension StatementVector {
  init(_ fault: StatementFault, _ kind: StatementForge.Kind, good: StatementForge, _ setting: JSONObject) {
    var forge = good
    fault.change(&forge)
    self.init(
      id: "\(kind.rawValue)-\(fault.name)", comment: fault.comment, rule: fault.rule, inner: fault.inner,
      setting: setting, forge: forge, expect: fault.reason)
  }

  /// As long as it may be, and one byte longer.
  static func sizes(_ good: StatementVector, _ kind: StatementForge.Kind) throws -> [StatementVector] {
    let count = try good.forge.text().utf8.count
    var most = good
    most.spaces = 32_768 - count
    var more = StatementVector(
      id: "\(kind.rawValue)-32769", comment: "one byte too many to be looked at", rule: kind.rules.outer,
      setting: good.setting, forge: good.forge, expect: "too-large")
    more.spaces = 32_769 - count
    return [most, more]
  }

  /// For another app, or another backend.
  static func others(
    _ kind: StatementForge.Kind, good: StatementForge, _ setting: JSONObject
  ) -> [StatementVector] {
    func other(
      _ name: String, _ reason: String, _ comment: String, signed: String = SignedSetForge.audience,
      topic: String = SignedSetForge.topic, audience: String = SignedSetForge.audience
    ) -> StatementVector {
      var forge = good
      forge.signed.claims["audience"] = signed.quoted
      return StatementVector(
        id: "\(kind.rawValue)-\(name)", comment: comment, rule: kind.rules.claims, topic: topic,
        audience: audience, setting: setting, forge: forge, expect: reason)
    }
    let own = SignedSetForge.audience
    return [
      other("other-topic", "other-topic", "for another app", topic: "com.example.other"),
      other(
        "other-both", "other-topic", "and for another backend: that comes last",
        signed: "https://push.example.net", topic: "com.example.other"),
      other(
        "audience-other", "other-audience", "it is for another backend", signed: "https://push.example.net"),
      other("audience-slash", "other-audience", "with a slash at its end", signed: own + "/"),
      other(
        "audience-composed", "other-audience", "the same to Unicode, and not byte by byte",
        signed: "cafe\u{301}", audience: "caf\u{E9}"),
    ]
  }
}
