/// Makes registrations.
struct RegistrationVectors {
  let pairs: SigningPairs
  let keys: PublicKeys

  func all() throws -> [RegistrationVector] {
    try registered() + updated() + unchanged() + read() + otherDevices() + serials() + inUse() + orders()
      + lineFaults() + fileFaults()
  }

  /// Three phones, each with an identity, a token and a key of its own.
  var ada: EnrolmentForge { EnrolmentForge([keys.x25519], by: pairs.identity) }
  var ben: EnrolmentForge { phone(pairs.otherIdentity, 0) }
  var cleo: EnrolmentForge { phone(pairs.thirdIdentity, 1) }

  static let later = SignedSetForge.moment + 1

  private func phone(_ identity: SigningPair, _ number: Int) -> EnrolmentForge {
    EnrolmentForge([keys.others[number]], by: identity, token: String(repeating: "\(number + 1)e", count: 32))
  }

  /// An enrolment of Ada's phone a second later.
  func adaLater(_ change: (inout EnrolmentForge) -> Void = { _ in }) -> EnrolmentForge {
    var forge = ada
    forge.signed.serial = Self.later
    forge.signed.issuedAt = Self.later
    change(&forge)
    return forge
  }

  func accepted(
    _ name: String, _ expect: String, _ comment: String, _ before: [(String, EnrolmentForge)],
    _ new: EnrolmentForge,
    as registration: String, after: [(String, EnrolmentForge)]
  ) throws -> RegistrationVector {
    RegistrationVector(
      id: "registration-\(name)", comment: comment, lines: try before.map { try $1.line($0) },
      enrolment: (registration, try new.text()), expect: expect, after: try after.map { try $1.line($0) })
  }

  func refused(
    _ name: String, _ rule: String, _ reason: String, _ comment: String, _ before: [(String, EnrolmentForge)],
    _ new: EnrolmentForge, as registration: String
  ) throws -> RegistrationVector {
    RegistrationVector(
      id: "registration-\(name)", comment: comment, rule: rule, lines: try before.map { try $1.line($0) },
      enrolment: (registration, try new.text()), expect: reason)
  }

  private func registered() throws -> [RegistrationVector] {
    let names = [
      ("korean", "a name in Hangul", "에이다"), ("255", "the longest name", String(repeating: "a", count: 255)),
      ("no-break-space", "U+00A0, which is no control character", "Ada\u{A0}L"),
    ]
    return [
      try accepted("first", "registered", "the first of all", [], ada, as: "ada", after: [("ada", ada)]),
      try accepted(
        "second", "registered", "another phone", [("ada", ada)], ben, as: "ben",
        after: [("ada", ada), ("ben", ben)]),
      try accepted(
        "decomposed", "registered", "the same name to Unicode, and not byte by byte", [("caf\u{E9}", ada)],
        ben,
        as: "cafe\u{301}", after: [("caf\u{E9}", ada), ("cafe\u{301}", ben)]),
    ]
      + (try names.map { id, comment, name in
        try accepted("name-\(id)", "registered", comment, [], ada, as: name, after: [(name, ada)])
      })
  }

  private func updated() throws -> [RegistrationVector] {
    let changes: [(String, String, (inout EnrolmentForge) -> Void)] = [
      ("serial", "signed again", { _ in }), ("key", "after a rotation", { $0.signed.keys = [keys.rotated] }),
      ("suite", "with a key more", { $0.signed.keys = [keys.x25519, keys.p256] }),
      ("token", "a new token", { $0.signed.claims["token"] = "0e".quoted }),
      ("environment", "from Xcode to TestFlight", { $0.signed.claims["environment"] = "sandbox".quoted }),
      ("clock", "the clock went back: nothing is judged by it", { $0.signed.issuedAt = 0 }),
      ("far", "the greatest serial", { $0.signed.serial = 9_007_199_254_740_991 }),
    ]
    return try changes.map { name, comment, change in
      let new = adaLater(change)
      return try accepted(
        "updated-\(name)", "updated", comment, [("ada", ada)], new, as: "ada", after: [("ada", new)])
    } + [
      try accepted(
        "updated-order", "updated", "the order stays", [("ada", ada), ("ben", ben)], adaLater(), as: "ada",
        after: [("ada", adaLater()), ("ben", ben)])
    ]
  }

  private func unchanged() throws -> [RegistrationVector] {
    var spaced = ada
    spaced.changeText = \.spacedText
    return [
      try accepted(
        "unchanged", "unchanged", "the same again", [("ada", ada)], ada, as: "ada", after: [("ada", ada)]),
      try accepted(
        "unchanged-space", "unchanged", "the same signed text, in an enrolment that is written otherwise",
        [("ada", ada)], spaced, as: "ada", after: [("ada", ada)]),
    ]
  }

  private func read() throws -> [RegistrationVector] {
    func read(_ name: String, _ comment: String, _ lines: [String]) -> RegistrationVector {
      RegistrationVector(
        id: "registration-read-\(name)", comment: comment, lines: lines, expect: "read", after: lines)
    }
    let line = try ada.line("ada") {
      $0["registration"] = "\\u0061da".quoted
      $0.rename("identity", to: "identit\\u0079")
      $0 = $0.reversed
    }
    var most = read("65536", "as long as a line may be", [try ada.line("ada")])
    most.spaces = 65_536 - most.lines[0].utf8.count
    return [
      read("none", "no line at all", []),
      read("two", "two phones", [try ada.line("ada"), try ben.line("ben")]),
      read("other-form", "escapes, and the members in another order", [line]), most,
    ]
  }
}
