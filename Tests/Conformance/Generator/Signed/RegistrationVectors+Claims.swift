/// Phones that come back or change hands: [11.21] to [11.23].
extension RegistrationVectors {
  func claimed() throws -> [RegistrationVector] {
    try tokens() + tokensOfKnownPhones() + identities() + moved() + begunAnew() + lasting() + withoutLogin()
      + keysAlone()
  }

  /// An enrolment with the challenge of the login.
  func challenged(
    _ forge: EnrolmentForge, _ change: (inout EnrolmentForge) -> Void = { _ in }
  ) -> EnrolmentForge {
    with(forge) {
      $0.signed.claims.append("challenge", Self.challenge.quoted)
      change(&$0)
    }
  }

  /// The enrolment after it, with a proof and without a challenge.
  private func next(
    _ forge: EnrolmentForge, proof: String? = asked, _ change: (inout EnrolmentForge) -> Void = { _ in }
  ) -> EnrolmentForge {
    with(forge) {
      $0.signed.serial += 1
      $0.signed.claims["challenge"] = nil
      if let proof { $0.signed.claims["proof"] = proof.quoted }
      change(&$0)
    }
  }

  /// The vector at a backend that issued the challenge.
  func login(
    _ vector: RegistrationVector, challenge: String = RegistrationVectors.challenge
  ) -> RegistrationVector {
    var vector = vector
    vector.challenge = challenge
    return vector
  }

  private var token: String? { ada.signed.claims["token"] }

  /// Ada's phone after it was erased: its identity and key are new, and its token is not.
  private var erased: EnrolmentForge {
    challenged(ben) { $0.signed.claims["token"] = token }
  }

  /// What another phone claims is its own when it has proven it.
  private func tokens() throws -> [RegistrationVector] {
    let answer = next(erased)
    let key = challenged(ben) { $0.signed.keys = [keys.x25519] }
    let rival = challenged(cleo) { $0.signed.claims["token"] = token }
    return [
      login(
        try pending(
          "claim-token", "a phone that was erased, under a new name: nothing changes for the old one",
          [.init("ada", ada)], erased, as: "ada-2",
          after: [.init("ada", ada), .init("ada-2", erased, over: nil, isClaim: true)])),
      try accepted(
        "claim-token-answered", "registered", "it has answered: the old one has nothing proven any more",
        [.init("ada", ada), .init("ada-2", erased, over: nil, asking: Self.asked, isClaim: true)], answer,
        as: "ada-2", after: [.init("ada", ada, over: nil, asking: nil), .init("ada-2", answer)]),
      login(
        try pending(
          "claim-key", "another identity with the old key", [.init("ada", ada)], key, as: "ada-2",
          after: [.init("ada", ada), .init("ada-2", key, over: nil, isClaim: true)])),
      try accepted(
        "claim-key-answered", "registered", "and its answer",
        [.init("ada", ada), .init("ada-2", key, over: nil, asking: Self.asked, isClaim: true)], next(key),
        as: "ada-2", after: [.init("ada", ada, over: nil, asking: nil), .init("ada-2", next(key))]),
      try accepted(
        "claim-contested", "registered", "of two claims the first answer ends the other",
        [
          .init("ada", ada), .init("cleo", rival, over: nil, isClaim: true),
          .init("ada-2", erased, over: nil, asking: Self.asked, isClaim: true),
        ], answer, as: "ada-2",
        after: [
          .init("ada", ada, over: nil, asking: nil), .init("cleo", rival, over: nil, asking: nil),
          .init("ada-2", answer),
        ]),
      try pending(
        "claim-overtaken", "the answer of the other comes late: it has a request of its own",
        [
          .init("ada-2", answer),
          .init("cleo", with(rival) { $0.signed.claims["challenge"] = nil }, over: nil, asking: nil),
        ], next(rival), as: "cleo",
        after: [.init("ada-2", answer), .init("cleo", next(rival), over: nil)]),
    ]
  }

  /// A token moves to a registration that exists, without a login.
  private func tokensOfKnownPhones() throws -> [RegistrationVector] {
    func changed(_ forge: EnrolmentForge) -> EnrolmentForge {
      with(forge) { $0.signed.claims["token"] = ben.signed.claims["token"] }
    }
    let (new, answer) = (changed(adaLater()), changed(saying()))
    let sandbox = with(new) { $0.signed.claims["environment"] = "sandbox".quoted }
    return [
      try pending(
        "claim-known", "a phone that gets another's token needs no login",
        [.init("ada", ada), .init("ben", ben)], new, as: "ada",
        after: [.init("ada", new, over: ada), .init("ben", ben)]),
      try pending(
        "claim-known-environment", "and in another environment", [.init("ada", ada), .init("ben", ben)],
        sandbox, as: "ada", after: [.init("ada", sandbox, over: ada), .init("ben", ben)]),
      try accepted(
        "claim-known-answered", "updated", "it has answered: the other has nothing proven any more",
        [.init("ada", new, over: ada, asking: Self.asked), .init("ben", ben)], answer, as: "ada",
        after: [.init("ada", answer), .init("ben", ben, over: nil, asking: nil)]),
      try refused(
        "claim-known-key", "11.16", "key-in-use", "another's token and key: the key needs a login",
        [("ada", ada), ("ben", ben)], with(new) { $0.signed.keys = ben.signed.keys }, as: "ada"),
    ]
  }

  /// The same phone with another account, and something to prove.
  private func identities() throws -> [RegistrationVector] {
    let rotated = challenged(adaLater()) { $0.signed.keys = [keys.rotated] }
    let more = challenged(adaLater()) { $0.signed.keys = [keys.x25519, keys.p256] }
    func waits(_ name: String, _ comment: String, _ new: EnrolmentForge) throws -> RegistrationVector {
      login(
        try pending(
          "claim-identity-\(name)", comment, [.init("ada", ada)], new, as: "bob",
          after: [.init("ada", ada), .init("bob", new, over: nil, isClaim: true)]))
    }
    return [
      try waits("key", "the same phone with another account and a new key", rotated),
      try waits(
        "token", "and with a new token", challenged(adaLater()) { $0.signed.claims["token"] = "0e".quoted }),
      try waits(
        "environment", "and with the same token in another environment",
        challenged(adaLater()) { $0.signed.claims["environment"] = "sandbox".quoted }),
      try waits("suite", "and with a key more", more),
      try accepted(
        "claim-identity-answered", "registered", "it has answered: the other registration is removed",
        [.init("ada", ada), .init("bob", rotated, over: nil, asking: Self.asked, isClaim: true)],
        next(rotated), as: "bob", after: [.init("bob", next(rotated))]),
      login(
        try refused(
          "claim-older", "11.22", "older-serial", "an enrolment from before the other's last",
          [("ada", adaLater())], challenged(ada), as: "bob")),
      login(
        try refused(
          "claim-older-same", "11.22", "older-serial", "the same serial as the other's last", [("ada", ada)],
          challenged(ada), as: "bob")),
      login(
        try refused(
          "claim-older-key", "11.22", "older-serial", "an older one with a new key", [("ada", adaLater())],
          challenged(ada) { $0.signed.keys = [keys.rotated] }, as: "bob")),
      login(
        try refused(
          "claim-older-own", "11.15", "older-serial", "newer than the other's last, and older than its own",
          states: [.init("ada", ada), .init("bob", next(rotated, proof: nil), asking: Self.asked)],
          challenged(adaLater()), as: "bob")),
    ]
  }

  /// The same phone with another account, and nothing to prove: [11.23].
  private func moved() throws -> [RegistrationVector] {
    let new = challenged(adaLater())
    let accepted = challenged(adaLater()) {
      $0.signed.keys = [keys.x25519, keys.p256.with { $0["status"] = "accepted".quoted }]
    }
    let newer = challenged(adaLater()) { $0.signed.serial += 1 }
    return [
      login(
        try self.accepted(
          "claim-moved", "registered", "the same phone with another account", [.init("ada", ada)], new,
          as: "bob", after: [.init("bob", new)])),
      login(
        try self.accepted(
          "claim-moved-accepted-key", "registered", "with an accepted key more, to which nobody seals",
          [.init("ada", ada)], accepted, as: "bob", after: [.init("bob", accepted)])),
      login(
        try self.accepted(
          "claim-moved-pending", "registered", "what is proven counts, and not what is pending over it",
          [.init("ada", adaLater { $0.signed.keys = [keys.rotated] }, over: ada)], newer, as: "bob",
          after: [.init("bob", newer)])),
      login(
        try self.accepted(
          "claim-moved-known", "registered", "to a name that another phone had",
          [.init("ben", ben), .init("ada", ada)], new, as: "ben", after: [.init("ben", new)])),
      login(
        try pending(
          "claim-moved-key-alone", "the token is not proven",
          [.init("ada", ada, over: ada, hasToken: false, asking: nil)], new, as: "bob",
          after: [
            .init("ada", ada, over: ada, hasToken: false, asking: nil),
            .init("bob", new, over: nil, isClaim: true),
          ])),
    ]
  }

  /// Another phone under a name that is registered: [11.22].
  private func begunAnew() throws -> [RegistrationVector] {
    func anew(
      _ name: String, _ comment: String, _ new: EnrolmentForge, besides others: [RegistrationState] = []
    ) throws -> RegistrationVector {
      login(
        try pending(
          "claim-anew-\(name)", comment, [.init("ada", ada)] + others, new, as: "ada",
          after: [.init("ada", new, over: nil, isClaim: true)] + others))
    }
    return [
      try anew("identity", "a phone that was erased, under its own name", challenged(ben)),
      try anew("token", "with the old token", erased),
      try anew("serial", "with a lower serial", challenged(ben) { $0.signed.serial = 1 }),
      try anew(
        "topic", "of another app", challenged(ben) { $0.signed.claims["topic"] = "com.example.other".quoted }),
      try anew(
        "of-another", "with a token that a third one has proven",
        challenged(cleo) { $0.signed.claims["token"] = ben.signed.claims["token"] },
        besides: [.init("ben", ben)]),
    ]
  }

  /// A claim lasts until it is settled.
  private func lasting() throws -> [RegistrationVector] {
    let waiting = RegistrationState("ada-2", erased, over: nil, asking: Self.asked, isClaim: true)
    let again = next(erased, proof: nil)
    let rotated = next(erased, proof: nil) { $0.signed.keys = [keys.rotated] }
    let both = next(erased, proof: nil) {
      $0.signed.keys = [keys.x25519, keys.p256]
    }
    let logged = challenged(again)
    return [
      try pending(
        "claim-lasts", "a launch before the answer", [.init("ada", ada), waiting], again, as: "ada-2",
        proof: Self.asked,
        after: [
          .init("ada", ada), .init("ada-2", again, over: nil, asking: Self.asked, isClaim: true),
        ]),
      try pending(
        "claim-lasts-rotated", "another key before the answer", [.init("ada", ada), waiting], rotated,
        as: "ada-2", after: [.init("ada", ada), .init("ada-2", rotated, over: nil, isClaim: true)]),
      try pending(
        "claim-lasts-second-key", "the first of two keys is proven, with the token, which the old one loses",
        [.init("ada", ada), .init("ada-2", both, over: nil, asking: Self.asked, isClaim: true)], next(both),
        as: "ada-2", kid: both.signed.kids[1],
        after: [
          .init("ada", ada, over: nil, asking: nil),
          .init("ada-2", next(both), over: next(both), kids: [both.signed.kids[0]], isClaim: true),
        ]),
      login(
        try pending(
          "claim-made", "what was pending without a login is a claim",
          [.init("ada", ada), .init("ada-2", again, over: nil, asking: Self.asked)],
          with(logged) { $0.signed.serial += 1 }, as: "ada-2", proof: Self.asked,
          after: [
            .init("ada", ada),
            .init(
              "ada-2", with(logged) { $0.signed.serial += 1 }, over: nil, asking: Self.asked, isClaim: true),
          ])),
      login(
        try accepted(
          "claim-settled", "updated", "another login on the same phone, with nothing new",
          [.init("ada", ada)], challenged(adaLater()), as: "ada",
          after: [.init("ada", challenged(adaLater()))])),
    ]
  }

  /// No claim: the challenge is not the login's, or there is no login.
  private func withoutLogin() throws -> [RegistrationVector] {
    let unsigned = with(erased) { $0.signed.claims["challenge"] = nil }
    return [
      login(
        try refused(
          "claim-unsigned", "11.13", "wrong-challenge", "a challenge that is not signed", [("ada", ada)],
          unsigned, as: "ada-2")),
      login(
        try refused(
          "claim-other-challenge", "11.13", "wrong-challenge", "another challenge than was issued",
          [("ada", ada)], erased, as: "ada-2"), challenge: "C3d4"),
      try refused(
        "claim-no-login", "11.16", "token-in-use", "a signed challenge that nobody issued to this login",
        [("ada", ada)], erased, as: "ada-2"),
      try refused(
        "claim-no-login-identity", "11.16", "identity-in-use", "the same phone without a login",
        [("ada", ada)], challenged(adaLater()), as: "bob"),
      try refused(
        "claim-no-login-anew", "11.14", "other-identity", "a phone that was erased, without a login",
        [("ada", ada)], erased, as: "ada"),
    ]
  }

  /// The backend has keys proven, and no tokens: what another has proven does not move.
  private func keysAlone() throws -> [RegistrationVector] {
    let token = adaLater { $0.signed.claims["token"] = ben.signed.claims["token"] }
    func refused(
      _ name: String, _ reason: String, _ comment: String, _ new: EnrolmentForge, as registration: String
    ) throws -> RegistrationVector {
      var vector = try self.refused(
        "claim-key-alone-\(name)", "11.16", reason, comment, [("ada", ada), ("ben", ben)], new,
        as: registration)
      vector.isKeyAlone = true
      return vector
    }
    return [
      login(
        try refused(
          "token", "token-in-use", "a phone that was erased",
          challenged(cleo) { $0.signed.claims["token"] = self.token },
          as: "ada-2")),
      login(
        try refused(
          "identity", "identity-in-use", "the same phone with another account", challenged(adaLater()),
          as: "bob")),
      try refused("known", "token-in-use", "a phone that gets another's token", token, as: "ada"),
      login(
        try pending(
          "claim-key-alone-anew", "a phone that was erased, under its own name, with a token of its own",
          [.init("ada", ada)], challenged(cleo), as: "ada", isKeyAlone: true,
          after: [.init("ada", challenged(cleo), over: nil, forToken: false, isClaim: true)])),
    ]
  }
}
