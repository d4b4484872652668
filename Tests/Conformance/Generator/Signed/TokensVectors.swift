import PushCore
import PushKeys

/// Makes the other tokens of Ada's phone: [11.34] to [11.37].
struct TokensVectors {
  private let pairs: SigningPairs
  private let registrations: RegistrationVectors
  private let enrolments: EnrolmentVectors

  init(pairs: SigningPairs, keys: PublicKeys) {
    self.pairs = pairs
    registrations = RegistrationVectors(pairs: pairs, keys: keys)
    enrolments = EnrolmentVectors(pairs: pairs, keys: keys)
  }

  /// A token as it is claimed.
  private struct Entry {
    let use: String
    var name: String?
    let token: String
    var isKnown = true

    var json: JSONObject {
      var object: JSONObject = ["use": .string(use)]
      object["name"] = name.map(JSONValue.string)
      object["token"] = .string(token)
      return object
    }
  }

  private static let call = Entry(use: "voip", token: "02")
  private static let activity = Entry(use: "activity", name: "order 7", token: "06")
  private static let all = [
    call, Entry(use: "complication", token: "03"), Entry(use: "pushtotalk", token: "04"),
    Entry(use: "start", name: "Order", token: "05"), activity,
  ]
  private static let later = RegistrationVectors.later

  private var ada: RegistrationState { RegistrationState("ada", registrations.ada) }
  private var ben: RegistrationState { RegistrationState("ben", registrations.ben) }

  func all() throws -> [StatementVector] {
    let (good, setting) = (forge([Self.call]), try setting([ada, ben]))
    return try accepted() + unchanged() + passedOver() + registered() + rivals()
      + StatementVector.others(.tokens, good: good, setting)
      + StatementVector.sizes(
        accepted("32768", "as long as they may be, with white space", [Self.call]), .tokens)
      + (StatementFault.members(of: .tokens)
      + StatementFault.signed(.tokens, enrolments.headerFaults, by: pairs)
      + StatementFault.audiences(of: .tokens) + environmentFaults + tokenFaults).map {
        StatementVector($0, .tokens, good: good, setting)
      }
  }

  private func forge(
    _ entries: [Entry], by identity: SigningPair? = nil, _ change: (inout SignedSetForge) -> Void = { _ in }
  ) -> StatementForge {
    var forge = StatementForge(
      .tokens, by: identity ?? pairs.identity, claiming: ("tokens", Self.array(entries.map(\.json.text))))
    change(&forge.signed)
    return forge
  }

  private static func array(_ entries: [String]) -> String { "[" + entries.joined(separator: ",") + "]" }

  /// The registrations, and what their devices have handed in.
  private func setting(_ states: [RegistrationState], _ before: [StatementForge] = []) throws -> JSONObject {
    var setting: JSONObject = ["lines": .array(try states.map { .string(try $0.line()) })]
    if !before.isEmpty { setting["before"] = .array(try before.map { .string(try $0.text()) }) }
    return setting
  }

  private func accepted(
    _ name: String, _ comment: String, _ entries: [Entry], _ states: [RegistrationState]? = nil,
    before: [StatementForge] = [], expect: String = "accepted", as registration: String = "ada",
    _ change: (inout SignedSetForge) -> Void = { _ in }
  ) throws -> StatementVector {
    StatementVector(
      id: "tokens-\(name)", comment: comment, setting: try setting(states ?? [ada, ben], before),
      forge: forge(entries, change), expect: expect,
      result: [
        "registration": .string(registration),
        "taken": .array(entries.filter(\.isKnown).map { .object($0.json) }),
      ])
  }

  private func refused(
    _ name: String, _ reason: String, _ comment: String, _ states: [RegistrationState]? = nil,
    before: [StatementForge] = [], _ entries: [Entry] = [call],
    _ change: (inout SignedSetForge) -> Void = { _ in }
  ) throws -> StatementVector {
    StatementVector(
      id: "tokens-\(name)", comment: comment, rule: "11.37", topic: nil,
      setting: try setting(states ?? [ada, ben], before), forge: forge(entries, change), expect: reason)
  }

  private func accepted() throws -> [StatementVector] {
    let name = String(repeating: "한", count: 42) + "ab"
    let many = (10..<42).map { Entry(use: "activity", name: "order \($0)", token: String($0)) }
    return [
      try accepted("plain", "the plain case: a token for calls", [Self.call]),
      try accepted("all", "one of each use", Self.all),
      try accepted("none", "the device has none any more", []),
      try accepted("32", "as many as there may be", many),
      try accepted("name-128", "the longest name, in bytes", [Entry(use: "start", name: name, token: "05")]),
      try accepted(
        "same-name", "an activity of the name of a type",
        [
          Entry(use: "start", name: "a", token: "05"), Entry(use: "activity", name: "a", token: "06"),
        ]),
      try accepted(
        "same-token", "one token for two types of pushes",
        [
          Self.call, Entry(use: "complication", token: "02"),
        ]),
      try accepted(
        "composed", "two names that are one to Unicode",
        [
          Entry(use: "activity", name: "caf\u{E9}", token: "05"),
          Entry(use: "activity", name: "cafe\u{301}", token: "06"),
        ]),
      try accepted("clock", "the clock went back", [Self.call]) { $0.issuedAt = 0 },
    ]
  }

  /// What has come before.
  private func unchanged() throws -> [StatementVector] {
    let (same, older) = (forge([Self.call]), forge(Self.all) { $0.serial = Self.later - 1 })
    return [
      try accepted("over-older", "in place of all before", [Self.activity], before: [older]),
      try accepted("same", "the same again", [Self.call], before: [same], expect: "unchanged"),
      try refused("older", "older-serial", "older ones", before: [same]) { $0.serial = Self.later - 1 },
      try refused(
        "same-serial", "same-serial", "other ones of the same serial", before: [same], [Self.activity]),
      try refused("same-serial-space", "same-serial", "the same, written otherwise", before: [same]) {
        $0.changePayload = { Array($0.spacedText.utf8) }
      },
      try accepted(
        "serial-enrolment", "an enrolment has a later serial: it has nothing to do with it", [Self.call],
        [RegistrationState("ada", registrations.adaLater { $0.signed.serial = Self.later + 5 }), ben]),
    ]
  }

  /// What a reader does not know.
  private func passedOver() throws -> [StatementVector] {
    let unknown = Entry(use: "widget", name: "", token: "07", isKnown: false)
    var more = try accepted("members-more", "members that nobody knows", [Self.call])
    more = StatementVector(
      id: more.id, comment: more.comment, setting: more.setting,
      forge: forge([]) { $0.claims["tokens"] = #"[{"use":"voip","token":"02","since":1}]"# },
      expect: "accepted",
      result: more.result)
    return [
      try accepted("use-unknown", "a use that nobody knows, beside another", [unknown, Self.call]), more,
    ]
  }

  /// [11.37]: whose tokens they are.
  private func registered() throws -> [StatementVector] {
    let other = RegistrationState(
      "ada", registrations.adaLater { $0.signed.claims["topic"] = "com.example.other".quoted })
    let sandbox = RegistrationState(
      "ada", registrations.adaLater { $0.signed.claims["environment"] = "sandbox".quoted })
    let over = RegistrationState(
      "ada", registrations.adaLater { $0.signed.claims["environment"] = "sandbox".quoted },
      over: registrations.ada)
    let keyAlone = RegistrationState(
      "ada", registrations.ada, over: registrations.ada, hasToken: false, asking: nil)
    return [
      try refused("stranger", "not-registered", "nobody has the identity", [ben]),
      try refused(
        "pending", "not-registered", "nothing is proven",
        [RegistrationState("ada", registrations.ada, over: nil), ben]),
      try refused(
        "registered-other-topic", "other-topic", "the identity is registered for another app", [other]),
      try refused(
        "environment", "mismatch", "the identity is registered in the other environment", [sandbox]),
      try refused("order", "other-topic", "both: the topic comes first", [other]) {
        $0.claims["environment"] = "sandbox".quoted
      },
      try accepted(
        "proven", "what counts is what is proven, and not what is pending", [Self.call], [over, ben]),
      try accepted("key-alone", "the keys are proven, and the token is not", [Self.call], [keyAlone, ben]),
    ]
  }

  /// [11.37]: who else has a token.
  private func rivals() throws -> [StatementVector] {
    let bens = forge([Self.call], by: pairs.otherIdentity)
    let activity = forge([Entry(use: "start", name: "x", token: "06")], by: pairs.otherIdentity)
    let dropped = RegistrationState("ben", registrations.ben, over: nil)
    return [
      try refused("in-use", "token-in-use", "another registration has it", before: [bens]),
      try refused(
        "in-use-activity", "token-in-use", "as the token of another use for the same type of pushes",
        before: [activity], [Self.activity]),
      try accepted(
        "in-use-other-type", "another has it for another type of pushes",
        [Entry(use: "complication", token: "02")], before: [bens]),
      try accepted(
        "in-use-dropped", "another that has nothing proven any more had it", [Self.call], [ada, dropped],
        before: [bens]),
      try accepted(
        "in-use-replaced", "another had it, and has said since that it has not", [Self.call],
        before: [
          forge([Self.call], by: pairs.otherIdentity) { $0.serial = Self.later - 1 },
          forge([], by: pairs.otherIdentity),
        ]),
      try refused(
        "order-in-use", "older-serial", "older ones, one of which another has",
        before: [
          forge(Self.all.suffix(1)) { $0.serial = Self.later + 1 }, bens,
        ]),
    ]
  }

  private var environmentFaults: [StatementFault] {
    [("absent", nil), ("null", "null"), ("development", "development".quoted)].map { id, value in
      StatementFault.claim("environment-\(id)", of: .tokens, "`environment`: no such") {
        $0["environment"] = value
      }
    }
  }

  private var tokenFaults: [StatementFault] {
    let values: [(String, String?, String)] = [
      ("absent", nil, "not there"), ("object", "{}", "no array"), ("null", "null", "nothing"),
      ("number", "[1]", "an element that is no object"),
      (
        "33", Self.array((10..<43).map { #"{"use":"activity","name":"\#($0)","token":"\#($0)"}"# }),
        "one too many"
      ),
      (
        "33-unknown", Self.array((10..<43).map { #"{"use":"u","token":"\#($0)"}"# }),
        "one too many, of no known use"
      ),
      ("use-absent", #"[{"token":"02"}]"#, "no use"),
      ("use-number", #"[{"use":1,"token":"02"}]"#, "no string"),
      ("token-absent", #"[{"use":"voip"}]"#, "no token"),
      ("token-number", #"[{"use":"voip","token":2}]"#, "no string"),
      ("token-odd", #"[{"use":"voip","token":"020"}]"#, "an odd number of digits"),
      ("token-empty", #"[{"use":"voip","token":""}]"#, "no digit"),
      ("token-upper-case", #"[{"use":"voip","token":"0F"}]"#, "in upper case"),
      (
        "token-514", #"[{"use":"voip","token":"\#(String(repeating: "0f", count: 257))"}]"#,
        "two digits too many"
      ),
      ("name-number", #"[{"use":"activity","name":1,"token":"02"}]"#, "a name that is no string"),
      ("name-absent", #"[{"use":"activity","token":"02"}]"#, "no name, where the use has one"),
      ("name-voip", #"[{"use":"voip","name":"a","token":"02"}]"#, "a name, where the use has none"),
      ("name-voip-empty", #"[{"use":"voip","name":"","token":"02"}]"#, "a name, where the use has none"),
      ("name-empty", #"[{"use":"start","name":"","token":"02"}]"#, "no character"),
      ("name-nul", #"[{"use":"start","name":"a\u0000","token":"02"}]"#, "U+0000"),
      ("name-0085", #"[{"use":"start","name":"a\u0085","token":"02"}]"#, "U+0085"),
      (
        "name-129", #"[{"use":"start","name":"\#(String(repeating: "한", count: 43))","token":"02"}]"#,
        "43 characters, and 129 bytes"
      ),
      ("use-twice", #"[{"use":"voip","token":"02"},{"use":"voip","token":"03"}]"#, "one use twice"),
      (
        "name-twice",
        #"[{"use":"start","name":"a","token":"02"},{"use":"start","name":"\u0061","token":"03"}]"#,
        "one use and name twice"
      ),
      (
        "token-twice",
        #"[{"use":"start","name":"a","token":"02"},{"use":"activity","name":"a","token":"02"}]"#,
        "one token twice for a type of pushes"
      ),
    ]
    return values.map { id, value, comment in
      StatementFault.claim("tokens-\(id)", of: .tokens, "`tokens`: \(comment)") { $0["tokens"] = value }
    }
  }
}
