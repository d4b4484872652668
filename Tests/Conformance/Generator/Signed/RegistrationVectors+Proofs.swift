/// What becomes of what is pending: [11.18].
extension RegistrationVectors {
  /// An enrolment of Ada's phone two seconds later, which says a proof.
  func saying(
    _ proof: String = asked, _ change: (inout EnrolmentForge) -> Void = { _ in }
  ) -> EnrolmentForge {
    with(adaLater()) {
      $0.signed.serial = Self.later + 1
      $0.signed.claims["proof"] = proof.quoted
      change(&$0)
    }
  }

  /// A registration of Ada's phone that is pending.
  func waiting(_ newest: EnrolmentForge? = nil, over proven: EnrolmentForge? = nil)
    -> RegistrationState
  {
    RegistrationState("ada", newest ?? ada, over: proven, asking: Self.asked)
  }

  /// The right answer.
  func answered() throws -> [RegistrationVector] {
    let rotated = adaLater { $0.signed.keys = [keys.rotated] }
    let answer = saying { $0.signed.keys = [keys.rotated] }
    let both = adaLater { $0.signed.keys = [keys.x25519, keys.p256] }
    let again = saying { $0.signed.keys = [keys.x25519, keys.p256] }
    let half = RegistrationState(
      "ada", both, over: both, kids: [both.signed.kids[0]], asking: Self.asked)
    return [
      try accepted(
        "answered", "registered", "the answer to the first request", [waiting()], saying(), as: "ada",
        after: [.init("ada", saying())]),
      try accepted(
        "answered-challenge", "registered", "and a challenge beside the proof", [waiting()],
        saying { $0.signed.claims.append("challenge", "A1b2".quoted) }, as: "ada",
        after: [.init("ada", saying { $0.signed.claims.append("challenge", "A1b2".quoted) })]),
      try accepted(
        "answered-rotation", "updated", "the answer after a rotation", [waiting(rotated, over: ada)], answer,
        as: "ada", after: [.init("ada", answer)]),
      try pending(
        "answered-first-suite", "the first of two keys is proven, and the second has a request of its own",
        [waiting(both)], again, as: "ada", kid: again.signed.kids[1],
        after: [.init("ada", again, over: again, kids: [again.signed.kids[0]])]),
      try accepted(
        "answered-second-suite", "updated", "the second key is proven", [half], again, as: "ada",
        after: [.init("ada", again)]),
      try accepted(
        "answered-key-alone", "registered", "the backend has the key alone proven",
        [.init("ada", ada, over: nil, asking: Self.asked, forToken: false)], saying(), as: "ada",
        isKeyAlone: true, after: [.init("ada", saying(), over: saying(), hasToken: false, asking: nil)]),
      try pending(
        "answered-key-not-token", "the request was not pushed, and the backend has the token proven now",
        [.init("ada", ada, over: nil, asking: Self.asked, forToken: false)], saying(), as: "ada",
        after: [.init("ada", saying(), over: nil)]),
      try accepted(
        "answered-other-token-key-alone", "updated", "a new token, which nobody wants proven",
        [.init("ada", ada)], adaLater { $0.signed.claims["token"] = "0e".quoted }, as: "ada",
        isKeyAlone: true,
        after: [
          .init(
            "ada", adaLater { $0.signed.claims["token"] = "0e".quoted },
            over: adaLater { $0.signed.claims["token"] = "0e".quoted }, hasToken: false, asking: nil)
        ]),
    ]
  }

  /// No answer, or a wrong one.
  func asked() throws -> [RegistrationVector] {
    func again(_ name: String, _ comment: String, _ new: EnrolmentForge) throws -> RegistrationVector {
      try pending(
        "asked-\(name)", comment, [waiting()], new, as: "ada", proof: Self.asked, after: [waiting(new)])
    }
    func anew(_ name: String, _ comment: String, _ change: (inout EnrolmentForge) -> Void) throws
      -> RegistrationVector
    {
      let new = saying(Self.asked, change)
      return try pending(
        "asked-anew-\(name)", comment, [waiting()], new, as: "ada", after: [.init("ada", new, over: nil)])
    }
    let rotated = adaLater { $0.signed.keys = [keys.rotated] }
    let back = with(adaLater()) { $0.signed.serial = Self.later + 1 }
    let exp = keys.x25519.with { $0["exp"] = "9007199254740991" }
    let bare = RawObject([("kty", "OKP".quoted), ("crv", "X25519".quoted), ("x", keys.x25519["x"] ?? "")])
    let both = adaLater { $0.signed.keys = [keys.x25519, keys.p256] }
    let reversed = with(both) {
      $0.signed.serial = Self.later + 1
      $0.signed.keys = [keys.p256, keys.x25519]
    }
    return [
      try again(
        "alike-accepted", "alike: with an accepted key more",
        adaLater { $0.signed.keys.append(keys.p256.with { $0["status"] = "accepted".quoted }) }),
      try again("alike-exp", "alike: the same key, which ends", adaLater { $0.signed.keys = [exp] }),
      try again(
        "alike-report", "alike: with a report", adaLater { $0.signed.claims.append("counts", "{}") }),
      try accepted(
        "asked-alike-bare", "pending", "alike: the same key with nothing but its point", [waiting()],
        adaLater { $0.signed.keys = [bare] }, as: "ada", request: (ada.signed.kids[0], Self.asked),
        after: [waiting(adaLater { $0.signed.keys = [bare] })]),
      try pending(
        "asked-alike-order", "alike: the same two keys in another order", [waiting(both)], reversed,
        as: "ada",
        kid: both.signed.kids[0], proof: Self.asked, after: [waiting(reversed)]),
      try pending(
        "asked-alike-answer", "and so its proof is the answer, for the key that is preferred",
        [waiting(both)],
        with(reversed) { $0.signed.claims["proof"] = Self.asked.quoted }, as: "ada",
        kid: both.signed.kids[1],
        after: [
          .init(
            "ada", with(reversed) { $0.signed.claims["proof"] = Self.asked.quoted },
            over: with(reversed) { $0.signed.claims["proof"] = Self.asked.quoted },
            kids: [both.signed.kids[0]])
        ]),
      try again("again", "a launch before the answer: the same proof is asked for again", adaLater()),
      try again("wrong", "another proof", saying(Self.proof)),
      try again(
        "challenge", "the proof as a challenge, which is another thing",
        adaLater { $0.signed.claims.append("challenge", Self.asked.quoted) }),
      try again(
        "order", "the members in another order", adaLater { $0.signed.claims = $0.signed.claims.reversed }),
      try anew("key", "the right proof with another key: it was said of the first") {
        $0.signed.keys = [keys.rotated]
      },
      try anew("token", "the right proof with another token") { $0.signed.claims["token"] = "0e".quoted },
      try anew("environment", "the right proof with another environment") {
        $0.signed.claims["environment"] = "sandbox".quoted
      },
      try pending(
        "asked-anew-suite", "the right proof with a key more", [waiting()],
        saying { $0.signed.keys = [keys.x25519, keys.p256] }, as: "ada",
        after: [.init("ada", saying { $0.signed.keys = [keys.x25519, keys.p256] }, over: nil)]),
      try accepted(
        "asked-back", "updated", "what is proven already is enrolled again, and nothing is pending",
        [waiting(rotated, over: ada)], back, as: "ada", after: [.init("ada", back)]),
      try pending(
        "asked-void", "what was asked for was dropped: the proof counts for nothing",
        [.init("ada", ada, over: nil, asking: nil)], saying(), as: "ada",
        after: [.init("ada", saying(), over: nil)]),
      try refused(
        "asked-older", "11.15", "older-serial", "an answer that a later enrolment has overtaken",
        states: [waiting(with(adaLater()) { $0.signed.serial = Self.later + 2 })], saying(), as: "ada"),
      try refused(
        "asked-other-audience", "11.13", "other-audience", "the right proof for another backend",
        states: [waiting()], saying { $0.signed.claims["audience"] = "https://push.example.net".quoted },
        as: "ada"),
      try refused(
        "asked-other-identity", "11.14", "other-identity", "the right proof, signed by another identity",
        states: [waiting()],
        with(EnrolmentForge([keys.x25519], by: pairs.otherIdentity)) {
          $0.signed.serial = Self.later
          $0.signed.claims["proof"] = Self.asked.quoted
        }, as: "ada"),
    ]
  }

  /// Two registrations claim one thing: [11.16], [11.18].
  func contested() throws -> [RegistrationVector] {
    let token = ada.signed.claims["token"]
    let eve = with(ben) { $0.signed.claims["token"] = token }
    let thief = with(ben) { $0.signed.keys = [keys.x25519] }
    let old = with(adaLater()) {
      $0.signed.keys = [keys.rotated]
      $0.signed.claims["token"] = "0e".quoted
    }
    func ends(_ name: String, _ comment: String, _ other: EnrolmentForge) throws -> RegistrationVector {
      try accepted(
        "contested-\(name)", "registered", comment,
        [.init("eve", other, over: nil, asking: Self.proof), waiting()], saying(), as: "ada",
        after: [.init("eve", other, over: nil, asking: nil), .init("ada", saying())])
    }
    return [
      try pending(
        "contested-pending", "what another has enrolled and not proven blocks nobody",
        [.init("eve", with(eve) { $0.signed.keys = [keys.x25519] }, over: nil, asking: Self.asked)], ada,
        as: "ada",
        after: [
          .init("eve", with(eve) { $0.signed.keys = [keys.x25519] }, over: nil, asking: Self.asked),
          .init("ada", ada, over: nil),
        ]),
      try ends("token", "a proof ends another's pending claim to the token", eve),
      try ends("key", "and to the key", thief),
      try ends("identity", "and to the identity", old),
      try accepted(
        "contested-over", "registered", "what another has proven stays, though its newest is dropped",
        [
          .init("ben", with(eve) { $0.signed.serial = Self.later }, over: ben, asking: Self.proof), waiting(),
        ],
        saying(), as: "ada",
        after: [
          .init("ben", with(eve) { $0.signed.serial = Self.later }, over: ben, asking: nil),
          .init("ada", saying()),
        ]),
      try accepted(
        "contested-key-alone", "registered",
        "a token that is proven is taken from a registration where it is not",
        [.init("eve", eve, over: eve, hasToken: false, asking: nil), waiting()], saying(), as: "ada",
        after: [.init("eve", eve, over: nil, asking: nil), .init("ada", saying())]),
      try accepted(
        "contested-both-key-alone", "registered", "two that have proven their keys alone may have one token",
        [
          .init("eve", eve, over: eve, hasToken: false, asking: nil),
          .init("ada", ada, over: nil, asking: Self.asked, forToken: false),
        ], saying(), as: "ada", isKeyAlone: true,
        after: [
          .init("eve", eve, over: eve, hasToken: false, asking: nil),
          .init("ada", saying(), over: saying(), hasToken: false, asking: nil),
        ]),
      try accepted(
        "contested-late", "registered", "the right answer takes the token from one that has proven it first",
        [.init("eve", eve), waiting()], saying(), as: "ada",
        after: [.init("eve", eve, over: nil, asking: nil), .init("ada", saying())]),
      try refused(
        "contested-late-key", "11.16", "key-in-use", "the right answer, but another has proven the key first",
        states: [.init("eve", thief), waiting()], saying(), as: "ada"),
      try refused(
        "contested-late-identity", "11.16", "identity-in-use",
        "the right answer, but the identity is proven under another name",
        states: [.init("first", old), waiting()], saying(), as: "ada"),
    ]
  }

  func refused(
    _ name: String, _ rule: String, _ reason: String, _ comment: String, states: [RegistrationState],
    _ new: EnrolmentForge, as registration: String
  ) throws -> RegistrationVector {
    var vector = try refused(name, rule, reason, comment, [], new, as: registration)
    vector.lines = try states.map { try $0.line() }
    return vector
  }

  /// Lines whose `proven` or `pending` is wrong: [11.17].
  func provenFaults() throws -> [RegistrationVector] {
    let newest = adaLater { $0.signed.keys = [keys.rotated] }
    let state = RegistrationState("ada", newest, over: ada)
    let (text, kid) = (try ada.signed.text().quoted, ada.signed.kids[0].quoted)
    func proven(_ keys: String, _ kids: String, _ token: String = "true", _ more: [(String, String)] = [])
      -> String
    { RawObject([("keys", keys), ("kids", kids), ("token", token)] + more).text }
    func fault(
      _ name: String, _ comment: String, _ member: String, _ value: String?,
      reason: String = "malformed-enrolment", inner: String? = nil
    ) throws -> RegistrationVector {
      RegistrationVector(
        id: "registration-line-\(name)", comment: comment, rule: "11.17", inner: inner,
        lines: [try state.line { $0[member] = value }], expect: reason)
    }
    func pending(_ name: String, _ comment: String, _ members: [(String, String)]) throws
      -> RegistrationVector
    { try fault("pending-\(name)", comment, "pending", RawObject(members).text) }
    let proof = ("proof", Self.proof.quoted)
    let asked = { (json: String) in [proof, ("token", "true"), ("kid", json)] }
    var forged = ada.signed
    forged.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() }
    let later = with(newest) { $0.signed.serial = Self.later + 1 }
    return [
      try fault("proven-string", "no object", "proven", "".quoted),
      try fault("proven-enrolment", "a signed set alone", "proven", text),
      try fault(
        "proven-absent", "something is pending, and nothing is said of what is proven", "proven", nil),
      try fault("proven-empty", "no members", "proven", "{}"),
      try fault("proven-more", "a member more", "proven", proven(text, "[\(kid)]", "true", [("v", "1")])),
      try fault("proven-no-kids", "no key", "proven", proven(text, "[]")),
      try fault("proven-kids-twice", "a key twice", "proven", proven(text, "[\(kid),\(kid)]")),
      try fault(
        "proven-kids-other", "a key that is not in the set", "proven",
        proven(text, "[\(newest.signed.kids[0].quoted)]")),
      try fault("proven-kids-string", "no array", "proven", proven(text, kid)),
      try fault("proven-token", "neither true nor false", "proven", proven(text, "[\(kid)]", "1")),
      try fault(
        "proven-signature", "a bit of the signature", "proven",
        proven(try forged.text().quoted, "[\(kid)]"), reason: "bad-signature", inner: "11.5"),
      try fault(
        "proven-identity", "another's set", "proven",
        proven(try ben.signed.text().quoted, "[\(ben.signed.kids[0].quoted)]"), reason: "other-identity"),
      try fault(
        "proven-topic", "a set for another app", "proven",
        proven(
          try with(ada) { $0.signed.claims["topic"] = "com.example.other".quoted }.signed.text().quoted,
          "[\(kid)]"), reason: "other-topic", inner: "11.8"),
      try fault(
        "proven-later", "a set with a greater serial than the newest", "proven",
        proven(try later.signed.text().quoted, "[\(later.signed.kids[0].quoted)]")),
      try fault(
        "proven-accepted", "a key that is not active", "proven",
        proven(
          try with(ada) {
            $0.signed.keys = [keys.p256, keys.x25519.with { $0["status"] = "accepted".quoted }]
          }.signed.text().quoted, "[\(kid)]")),
      try fault(
        "proven-keys-object", "an unsigned set", "proven",
        proven(RawObject.keySet(ada.signed.keys).text, "[\(kid)]")),
      try fault("proven-kids-object", "no array", "proven", proven(text, "{\(kid):1}")),
      try fault("proven-kids-more", "a number beside the key", "proven", proven(text, "[\(kid),1]")),
      try fault("pending-null", "no object", "pending", "null"),
      try pending("kid-other", "a key that the newest enrolment does not have", asked(kid)),
      try pending("kid-number", "no string", asked("1")),
      try pending("kid-null", "no string", asked("null")),
      RegistrationVector(
        id: "registration-line-pending-kid-accepted", comment: "a key that is not active", rule: "11.17",
        lines: [
          try RegistrationState(
            "ada",
            with(newest) { $0.signed.keys.append(keys.p256.with { $0["status"] = "accepted".quoted }) },
            over: ada, of: keys.p256["kid"].map { String($0.dropFirst().dropLast()) }
          ).line()
        ], expect: "malformed-enrolment"),
      try pending("no-token", "a member is missing", [proof]),
      try pending("token", "neither true nor false", [proof, ("token", "null")]),
      try pending("proof", "no proof", [("proof", "A1b2".quoted), ("token", "true")]),
      try pending("more", "a member more", [proof, ("token", "true"), ("v", "1")]),
      try pending(
        "claim", "without a login the member is absent", [proof, ("token", "true"), ("claim", "false")]),
      try pending("claim-string", "a text", [proof, ("token", "true"), ("claim", "true".quoted)]),
      try pending("claim-one", "a number", [proof, ("token", "true"), ("claim", "1")]),
      RegistrationVector(
        id: "registration-line-pending-audience", comment: "an enrolment for no backend is pending",
        rule: "11.17",
        lines: [
          try RegistrationState("ada", with(ada) { $0.signed.claims["audience"] = nil }, over: nil).line()
        ], expect: "malformed-enrolment"),
    ]
  }
}
