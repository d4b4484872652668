/// Makes registrations.
struct RegistrationVectors {
  let pairs: SigningPairs
  let keys: PublicKeys

  func all() throws -> [RegistrationVector] {
    try registered() + updated() + unchanged() + answered() + asked() + contested() + claimed() + read()
      + otherDevices() + serials() + inUse() + orders() + lineFaults() + provenFaults() + fileFaults()
      + readPersons() + personFaults() + joined()
  }

  /// What the backend asks for next, and what it asked for before: 16 bytes each.
  static let proof = "dGhlIG5leHQgcHJvb2YuLg"
  static let asked = "dGhlIGFza2VkIHByb29mLg"
  /// What the backend has given to a login.
  static let challenge = "A1b2"

  /// Three phones, each with an identity, a token and a key of its own.
  var ada: EnrolmentForge { EnrolmentForge([keys.x25519], by: pairs.identity) }
  var ben: EnrolmentForge { phone(pairs.otherIdentity, 0) }
  var cleo: EnrolmentForge { phone(pairs.thirdIdentity, 1) }

  func with(_ forge: EnrolmentForge, _ change: (inout EnrolmentForge) -> Void) -> EnrolmentForge {
    var forge = forge
    change(&forge)
    return forge
  }

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
    _ name: String, _ expect: String, _ comment: String, _ before: [RegistrationState],
    _ new: EnrolmentForge, as registration: String, isKeyAlone: Bool = false,
    request: (kid: String, proof: String)? = nil, after: [RegistrationState]
  ) throws -> RegistrationVector {
    RegistrationVector(
      id: "registration-\(name)", comment: comment, lines: try before.map { try $0.line() },
      enrolment: (registration, try new.text()), isKeyAlone: isKeyAlone, expect: expect,
      request: request.map { kid, proof in
        let members = [
          ("v", "1"), ("audience", SignedSetForge.audience.quoted),
          ("identity", new.signed.signer.kid.quoted), ("proof", proof.quoted),
        ]
        return (kid, RawObject(members).text)
      }, after: try after.map { try $0.line() })
  }

  /// The enrolment is pending: what is asked, and what is there after it.
  func pending(
    _ name: String, _ comment: String, _ before: [RegistrationState], _ new: EnrolmentForge,
    as registration: String, isKeyAlone: Bool = false, kid: String? = nil, proof: String = proof,
    after: [RegistrationState]
  ) throws -> RegistrationVector {
    try accepted(
      name, "pending", comment, before, new, as: registration, isKeyAlone: isKeyAlone,
      request: (kid ?? new.signed.kids[0], proof), after: after)
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
      try pending("first", "the first of all", [], ada, as: "ada", after: [.init("ada", ada, over: nil)]),
      try pending(
        "second", "another phone", [.init("ada", ada)], ben, as: "ben",
        after: [.init("ada", ada), .init("ben", ben, over: nil)]),
      try pending(
        "decomposed", "the same name to Unicode, and not byte by byte", [.init("caf\u{E9}", ada)], ben,
        as: "cafe\u{301}", after: [.init("caf\u{E9}", ada), .init("cafe\u{301}", ben, over: nil)]),
    ]
      + (try names.map { id, comment, name in
        try pending("name-\(id)", comment, [], ada, as: name, after: [.init(name, ada, over: nil)])
      })
  }

  private func updated() throws -> [RegistrationVector] {
    let changes: [(String, String, (inout EnrolmentForge) -> Void)] = [
      ("serial", "signed again", { _ in }),
      ("clock", "the clock went back: nothing is judged by it", { $0.signed.issuedAt = 0 }),
      ("far", "the greatest serial", { $0.signed.serial = 9_007_199_254_740_991 }),
      (
        "accepted-key", "with an accepted key more, to which nobody seals",
        { $0.signed.keys = [keys.x25519, keys.p256.with { $0["status"] = "accepted".quoted }] }
      ),
    ]
    let news: [(String, String, Int, (inout EnrolmentForge) -> Void)] = [
      ("key", "after a rotation", 0, { $0.signed.keys = [keys.rotated] }),
      ("suite", "with a key more", 1, { $0.signed.keys = [keys.x25519, keys.p256] }),
      ("token", "a new token", 0, { $0.signed.claims["token"] = "0e".quoted }),
      (
        "environment", "from Xcode to TestFlight", 0,
        { $0.signed.claims["environment"] = "sandbox".quoted }
      ),
    ]
    return try changes.map { name, comment, change in
      let new = adaLater(change)
      return try accepted(
        "updated-\(name)", "updated", comment, [.init("ada", ada)], new, as: "ada",
        after: [.init("ada", new)])
    }
      + news.map { name, comment, key, change in
        let new = adaLater(change)
        return try pending(
          "updated-\(name)", comment, [.init("ada", ada)], new, as: "ada", kid: new.signed.kids[key],
          after: [.init("ada", new, over: ada)])
      } + [
        try accepted(
          "updated-order", "updated", "the order stays", [.init("ada", ada), .init("ben", ben)], adaLater(),
          as: "ada", after: [.init("ada", adaLater()), .init("ben", ben)])
      ]
  }

  private func unchanged() throws -> [RegistrationVector] {
    var spaced = ada
    spaced.changeText = \.spacedText
    return [
      try accepted(
        "unchanged", "unchanged", "the same again", [.init("ada", ada)], ada, as: "ada",
        after: [.init("ada", ada)]),
      try accepted(
        "unchanged-space", "unchanged", "the same signed text, in an enrolment that is written otherwise",
        [.init("ada", ada)], spaced, as: "ada", after: [.init("ada", ada)]),
      try pending(
        "unchanged-pending", "the same again, which is not proven: the request is sent again",
        [.init("ada", ada, over: nil, asking: Self.asked)], ada, as: "ada", proof: Self.asked,
        after: [.init("ada", ada, over: nil, asking: Self.asked)]),
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
    var before = ada
    before.signed.claims["audience"] = nil
    let second = adaLater { $0.signed.keys = [keys.rotated] }
    let both = adaLater { $0.signed.keys = [keys.x25519, keys.p256] }
    return [
      read("before-proofs", "as it was written before there were audiences", [try before.line("ada")]),
      read(
        "pending", "the newest enrolment is pending, over one from before there were audiences",
        [try RegistrationState("ada", second, over: before).line()]),
      read(
        "dropped", "nothing is proven, and nothing is asked for",
        [try RegistrationState("ada", ada, over: nil, asking: nil).line()]),
      read(
        "pending-token", "two pending ones with one token and one key, which somebody else has proven",
        [
          try ada.line("ada"),
          try RegistrationState("ben", with(ben) { $0.signed.claims["token"] = ada.signed.claims["token"] })
            .pendingLine(),
          try RegistrationState("cleo", with(cleo) { $0.signed.keys = [keys.x25519] }).pendingLine(),
        ]),
      read(
        "pending-claim", "a login stands behind what is pending",
        [try RegistrationState("ada", second, over: ada, isClaim: true).line()]),
      read(
        "pending-kid-claim", "and the key to prove is named",
        [
          try RegistrationState(
            "ada", both, over: ada, of: both.signed.kids[0], isClaim: true
          ).line()
        ]),
      read("none", "no line at all", []),
      read("two", "two phones", [try ada.line("ada"), try ben.line("ben")]),
      read("other-form", "escapes, and the members in another order", [line]), most,
    ]
  }
}
