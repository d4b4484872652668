extension RegistrationVectors {
  /// [11.14].
  func otherDevices() throws -> [RegistrationVector] {
    let topic = "com.example.other".quoted
    return [
      try refused(
        "other-identity", "11.14", "other-identity", "somebody else's phone under a name that is there",
        [("ada", ada)], ben, as: "ada"),
      try refused(
        "other-topic", "11.14", "other-topic", "another app of the same phone", [("ada", ada)],
        adaLater { $0.signed.claims["topic"] = topic }, as: "ada"),
      try refused(
        "reinstalled", "11.14", "other-identity", "a new identity with the old token and the old key",
        [("ada", ada)], EnrolmentForge([keys.x25519], by: pairs.otherIdentity), as: "ada"),
    ]
  }

  /// [11.15].
  func serials() throws -> [RegistrationVector] {
    func serial(
      _ name: String, _ reason: String, _ comment: String, _ change: (inout SignedSetForge) -> Void
    ) throws -> RegistrationVector {
      var new = ada
      change(&new.signed)
      return try refused(name, "11.15", reason, comment, [("ada", ada)], new, as: "ada")
    }
    return [
      try serial("older", "older-serial", "an older enrolment") { $0.serial -= 1 },
      try serial("older-time", "older-serial", "a lower serial, signed later") {
        $0.serial -= 1
        $0.issuedAt += 60
      },
      try serial("same-serial", "same-serial", "the same serial with another token") {
        $0.claims["token"] = "0e".quoted
      },
      try serial("same-serial-space", "same-serial", "the same claims, written otherwise") {
        $0.changePayload = { Array($0.spacedText.utf8) }
      },
    ]
  }

  /// [11.16].
  func inUse() throws -> [RegistrationVector] {
    func inUse(_ name: String, _ what: String, _ comment: String, _ new: EnrolmentForge) throws
      -> RegistrationVector
    {
      try refused(name, "11.16", "\(what)-in-use", comment, [("ada", ada)], new, as: "other")
    }
    func ben(_ change: (inout EnrolmentForge) -> Void) -> EnrolmentForge {
      var forge = self.ben
      change(&forge)
      return forge
    }
    let token = SignedSetForge.token.quoted
    let accepted = keys.x25519.with { $0["status"] = "accepted".quoted }
    return [
      try inUse(
        "identity-in-use", "identity", "the same phone with all else new under another name",
        adaLater {
          $0.signed.keys = [keys.rotated]
          $0.signed.claims["token"] = "0e".quoted
        }),
      try inUse("identity-in-use-same", "identity", "the same enrolment under another name", ada),
      try inUse(
        "token-in-use", "token", "another phone with the same token",
        ben { $0.signed.claims["token"] = token }),
      try inUse(
        "token-in-use-environment", "token", "and in another environment",
        ben {
          $0.signed.claims["token"] = token
          $0.signed.claims["environment"] = "sandbox".quoted
        }),
      try inUse(
        "token-in-use-topic", "token", "and of another app",
        ben {
          $0.signed.claims["token"] = token
          $0.signed.claims["topic"] = "com.example.other".quoted
        }),
      try inUse(
        "key-in-use", "key", "another phone with the same key", ben { $0.signed.keys = [keys.x25519] }),
      try inUse(
        "key-in-use-accepted", "key", "another phone with the same key, as an accepted one of two",
        ben { $0.signed.keys = [keys.p256, accepted] }),
    ] + (try keysInUse()) + [
      try refused(
        "key-in-use-updated", "11.16", "key-in-use", "a phone that gets another's key beside its own",
        [("ada", ada), ("ben", self.ben)],
        adaLater { $0.signed.keys = [keys.p256, keys.others[0].with { $0["status"] = "accepted".quoted }] },
        as: "ada")
    ]
  }

  /// Each proven key of another registration, and no other of its keys.
  private func keysInUse() throws -> [RegistrationVector] {
    let both = with(ada) { $0.signed.keys = [keys.x25519, keys.p256] }
    let more = with(ada) { $0.signed.keys.append(keys.p256.with { $0["status"] = "accepted".quoted }) }
    let thief = with(ben) { $0.signed.keys = [keys.p256] }
    let half = RegistrationState("ada", both, over: both, kids: [both.signed.kids[0]])
    return [
      try refused(
        "key-in-use-second", "11.16", "key-in-use", "the second of the keys that another has proven",
        [("ada", both)], thief, as: "ben"),
      try pending(
        "key-not-proven", "a key of another's proven set that is not proven yet", [half], thief, as: "ben",
        after: [half, .init("ben", thief, over: nil)]),
      try pending(
        "key-accepted-there", "a key that another's proven set has, and that is not active there",
        [.init("ada", more)], thief, as: "ben", after: [.init("ada", more), .init("ben", thief, over: nil)]),
    ]
  }

  /// What comes first of several faults.
  func orders() throws -> [RegistrationVector] {
    let both = [("ada", ada), ("ben", ben)]
    func forge(_ new: EnrolmentForge, _ change: (inout EnrolmentForge) -> Void) -> EnrolmentForge {
      var forge = new
      change(&forge)
      return forge
    }
    let token = ben.signed.claims["token"]
    var signature = try refused(
      "order-signature", "11.11", "bad-signature", "a wrong signature, and another identity",
      [("ada", ada)],
      forge(ben) { $0.signed.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() } }, as: "ada")
    signature.inner = "11.5"
    return [
      try refused(
        "order-identity", "11.16", "identity-in-use", "the first one's token and the second one's identity",
        both,
        forge(ben) { $0.signed.claims["token"] = ada.signed.claims["token"] }, as: "other"),
      try refused(
        "order-token", "11.16", "token-in-use", "the first one's key and the second one's token", both,
        forge(cleo) {
          $0.signed.keys = [keys.x25519]
          $0.signed.claims["token"] = token
        }, as: "other"),
      try refused(
        "order-other-identity", "11.14", "other-identity",
        "another identity and another topic, and lower serial",
        [("ada", ada)],
        forge(ben) {
          $0.signed.claims["topic"] = "com.example.other".quoted
          $0.signed.serial = 1
        }, as: "ada"),
      try refused(
        "order-topic", "11.14", "other-topic", "another topic, and a lower serial", [("ada", ada)],
        forge(ada) {
          $0.signed.claims["topic"] = "com.example.other".quoted
          $0.signed.serial = 1
        }, as: "ada"),
      try refused(
        "order-serial", "11.15", "older-serial", "a lower serial, and another's token", both,
        forge(ada) {
          $0.signed.claims["token"] = token
          $0.signed.serial = 1
        }, as: "ada"),
      signature,
    ]
  }
}
