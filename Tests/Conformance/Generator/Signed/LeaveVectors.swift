import PushCore

/// A leave, and what becomes of a file of registrations when it comes.
struct LeaveVector {
  let id: String
  let comment: String
  var rule: String?
  /// The rule that the signed text in it breaks.
  var inner: String?
  /// The app of the backend, if it serves one alone.
  var topic: String? = SignedSetForge.topic
  /// The backend.
  var audience = SignedSetForge.audience
  var lines: [String]
  let leave: String
  /// How many spaces are behind it.
  var spaces = 0
  let expect: String
  /// What is said of a good one.
  var facts: JSONObject = [:]
  /// The lines afterwards; null if it is refused.
  var after: [String]?

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = rule.map(JSONValue.string)
    object["inner"] = inner.map(JSONValue.string)
    object["topic"] = topic.map(JSONValue.string) ?? .null
    object["audience"] = .string(audience)
    object["lines"] = .array(lines.map(JSONValue.string))
    object["leave"] = .string(leave)
    if spaces > 0 { object["spaces"] = .number(JSONNumber(spaces)) }
    object["expect"] = .string(expect)
    for (name, value) in facts { object[name] = value }
    object["after"] = after.map { .array($0.map(JSONValue.string)) }
    return object
  }
}

/// Makes leaves of Ada's phone.
struct LeaveVectors {
  private let pairs: SigningPairs
  private let registrations: RegistrationVectors
  private let enrolments: EnrolmentVectors

  init(pairs: SigningPairs, keys: PublicKeys) {
    self.pairs = pairs
    registrations = RegistrationVectors(pairs: pairs, keys: keys)
    enrolments = EnrolmentVectors(pairs: pairs, keys: keys)
  }

  func all() throws -> [LeaveVector] {
    try removed() + unchanged() + forms() + older() + memberFaults() + signedFaults() + claimFaults()
  }

  private var ada: RegistrationState { RegistrationState("ada", registrations.ada) }
  private var ben: RegistrationState { RegistrationState("ben", registrations.ben) }

  /// An enrolment of Ada's phone under a name, which is pending.
  private func pending(
    _ name: String, serial: Int64, topic: String = SignedSetForge.topic
  ) -> RegistrationState {
    RegistrationState(
      name,
      registrations.adaLater {
        $0.signed.serial = serial
        $0.signed.claims["topic"] = topic.quoted
      }, over: nil)
  }

  private func taken(
    _ name: String, _ expect: String, _ comment: String, _ before: [RegistrationState],
    after: [RegistrationState], _ change: (inout StatementForge) -> Void = { _ in }
  ) throws -> LeaveVector {
    var forge = StatementForge(.leave, by: pairs.identity)
    change(&forge)
    var facts = forge.signed.facts("identity")
    facts["kids"] = nil
    return LeaveVector(
      id: "leave-\(name)", comment: comment, lines: try before.map { try $0.line() },
      leave: try forge.text(), expect: expect, facts: facts, after: try after.map { try $0.line() })
  }

  private func refused(
    _ name: String, _ rule: String, _ reason: String, _ comment: String,
    _ before: [RegistrationState]? = nil, _ change: (inout StatementForge) -> Void
  ) throws -> LeaveVector {
    var forge = StatementForge(.leave, by: pairs.identity)
    change(&forge)
    return LeaveVector(
      id: "leave-\(name)", comment: comment, rule: rule, lines: try (before ?? [ada]).map { try $0.line() },
      leave: try forge.text(), expect: reason)
  }

  private func removed() throws -> [LeaveVector] {
    let later = RegistrationVectors.later
    let over = RegistrationState("ada", pending("ada", serial: later - 1).newest, over: registrations.ada)
    var topics = try taken(
      "other-topic-stays", "removed", "what the identity has for another app stays",
      [ada, pending("other", serial: later - 1, topic: "com.example.other")],
      after: [pending("other", serial: later - 1, topic: "com.example.other")])
    topics.topic = nil
    return [
      try taken("plain", "removed", "a phone leaves, and another stays", [ada, ben], after: [ben]),
      try taken(
        "pending", "removed", "nothing is proven yet", [pending("ada", serial: later - 1)], after: []),
      try taken("pending-over", "removed", "a newer enrolment is pending", [over], after: []),
      try taken(
        "both", "removed", "two registrations have the identity, one of them pending",
        [ada, ben, pending("bob", serial: later - 1)], after: [ben]),
      try taken(
        "newer-stays", "removed", "one of two has enrolled since", [ada, pending("bob", serial: later)],
        after: [pending("bob", serial: later)]),
      topics,
      try taken("clock", "removed", "the clock went back: nothing is judged by it", [ada], after: []) {
        $0.signed.issuedAt = 0
      },
      try taken("far", "removed", "the greatest serial", [ada], after: []) {
        $0.signed.serial = 9_007_199_254_740_991
      },
    ]
  }

  private func unchanged() throws -> [LeaveVector] {
    [
      try taken("unknown", "unchanged", "nobody has the identity", [ben], after: [ben]),
      try taken("none", "unchanged", "there is no registration", [], after: []),
    ]
  }

  /// The same, written otherwise.
  private func forms() throws -> [LeaveVector] {
    var most = try taken(
      "32768", "removed", "as long as a leave may be, with white space at its end", [ada], after: [])
    most.spaces = 32_768 - most.leave.utf8.count
    var more = try refused("32769", "11.25", "too-large", "one byte too many to be looked at") { _ in }
    more.spaces = 32_769 - more.leave.utf8.count
    return [
      most, more,
      try taken("space", "removed", "with white space", [ada], after: []) { $0.changeText = \.spacedText },
      try taken("other-form", "removed", "escapes, and the members in another order", [ada], after: []) {
        $0.changeMembers = {
          $0.rename("leave", to: "le\\u0061ve")
          $0 = $0.reversed
        }
      },
      try taken("claims-more", "removed", "claims that it does not have are ignored", [ada], after: []) {
        $0.signed.claims.append("exp", "null")
        $0.signed.claims.append("token", "1")
        $0.signed.claims.append("keys", "[]")
      },
    ]
  }

  /// [11.27].
  private func older() throws -> [LeaveVector] {
    let moment = SignedSetForge.moment
    var topic = try refused(
      "registered-other-topic", "11.27", "other-topic", "the identity has a registration for another app",
      [pending("ada", serial: moment, topic: "com.example.other")]
    ) { _ in }
    topic.topic = nil
    var both = try refused(
      "registered-both", "11.27", "older-serial", "one is for another app, and the other has enrolled since",
      [pending("other", serial: moment, topic: "com.example.other"), pending("ada", serial: moment + 2)]
    ) { _ in }
    both.topic = nil
    return [
      try refused("older", "11.27", "older-serial", "the phone has enrolled since") {
        $0.signed.serial = moment - 1
      },
      try refused("same-serial", "11.27", "older-serial", "an enrolment has the same serial") {
        $0.signed.serial = moment
      },
      try refused(
        "older-pending", "11.27", "older-serial", "what counts is the newest enrolment, proven or not",
        [RegistrationState("ada", pending("ada", serial: moment + 2).newest, over: registrations.ada)]
      ) { _ in },
      topic, both,
    ]
  }

  private func memberFaults() throws -> [LeaveVector] { try StatementFault.members(of: .leave).map(refused) }

  /// [11.26], and in it [11.1] to [11.5].
  private func signedFaults() throws -> [LeaveVector] {
    try StatementFault.signed(.leave, enrolments.headerFaults, by: pairs).map(refused)
  }

  private func refused(_ fault: StatementFault) throws -> LeaveVector {
    var vector = try refused(fault.name, fault.rule, fault.reason, fault.comment) { fault.change(&$0) }
    vector.inner = fault.inner
    return vector
  }

  /// [11.26]: the audience, and what the leave is for.
  private func claimFaults() throws -> [LeaveVector] {
    func other(_ name: String, _ comment: String, signed: String, _ audience: String) throws -> LeaveVector {
      var vector = try refused("audience-\(name)", "11.26", "other-audience", comment) {
        $0.signed.claims["audience"] = signed.quoted
      }
      vector.audience = audience
      return vector
    }
    let own = SignedSetForge.audience
    var topic = try refused("other-topic", "11.26", "other-topic", "for another app") { _ in }
    topic.topic = "com.example.other"
    var both = try refused("other-both", "11.26", "other-topic", "and for another backend: that comes last") {
      $0.signed.claims["audience"] = "https://push.example.net".quoted
    }
    both.topic = "com.example.other"
    return [
      topic, both,
      try other("other", "it is for another backend", signed: "https://push.example.net", own),
      try other("slash", "with a slash at its end", signed: own + "/", own),
      try other("case", "in other letters", signed: own.uppercased(), own),
      try other(
        "composed", "the same to Unicode, and not byte by byte", signed: "cafe\u{301}", "caf\u{E9}"),
    ]
      + (try StatementFault.audiences(of: .leave).map(refused))
  }
}
