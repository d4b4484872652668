import PushCore

extension FCMDevices {
  private typealias Vectors = RegistrationVectors

  /// Ada's Android phone, and another one.
  private var ada: EnrolmentForge { forge() }
  private var ben: EnrolmentForge {
    forge([keys.others[0]], by: pairs.otherIdentity, token: "ben:" + Self.token)
  }
  /// An iPhone.
  private var cleo: EnrolmentForge {
    EnrolmentForge([keys.others[1]], by: pairs.thirdIdentity, token: String(repeating: "2e", count: 32))
  }

  private func adaLater(_ change: (inout EnrolmentForge) -> Void = { _ in }) -> EnrolmentForge {
    var forge = ada
    forge.signed.serial = RegistrationVectors.later
    forge.signed.issuedAt = RegistrationVectors.later
    change(&forge)
    return forge
  }

  func registrations() throws -> [RegistrationVector] {
    try accepted() + refused() + read() + lineFaults()
  }

  private func accepted() throws -> [RegistrationVector] {
    var answer = adaLater { $0.signed.claims["proof"] = Vectors.proof.quoted }
    answer.signed.serial = Vectors.later
    let token = adaLater { $0.signed.claims["token"] = "other:token".quoted }
    let key = adaLater { $0.signed.keys = [keys.rotated] }
    // The token is the same text at both services, and not the same token.
    let alike = forge([keys.others[0]], by: pairs.otherIdentity, token: SignedSetForge.token)
    let phone = EnrolmentForge([keys.others[1]], by: pairs.thirdIdentity)
    return try [
      taken(
        "first", "pending", "the first of all", [], ada, as: "ada", after: [.init("ada", ada, over: nil)]),
      taken(
        "beside-apns", "pending", "beside an iPhone", [.init("cleo", cleo)], ada, as: "ada",
        after: [.init("cleo", cleo), .init("ada", ada, over: nil)]),
      taken(
        "answer", "registered", "the answer to the request", [.init("ada", ada, over: nil)], answer,
        as: "ada",
        isAsked: false, after: [.init("ada", answer)]),
      taken(
        "again", "updated", "signed again", [.init("ada", ada)], adaLater(), as: "ada", isAsked: false,
        after: [.init("ada", adaLater())]),
      taken(
        "unchanged", "unchanged", "as it was", [.init("ada", ada)], ada, as: "ada", isAsked: false,
        after: [.init("ada", ada)]),
      taken(
        "token", "pending", "a new token", [.init("ada", ada)], token, as: "ada",
        after: [.init("ada", token, over: ada)]),
      taken(
        "key", "pending", "after a rotation", [.init("ada", ada)], key, as: "ada",
        after: [.init("ada", key, over: ada)]),
      taken(
        "token-of-apns", "pending", "a token whose text is an iPhone's: the services' tokens are apart",
        [.init("cleo", phone)], alike, as: "ben",
        after: [.init("cleo", phone), .init("ben", alike, over: nil)]),
    ]
  }

  private func refused() throws -> [RegistrationVector] {
    func refused(
      _ name: String, _ rule: String, _ reason: String, _ comment: String, _ new: EnrolmentForge,
      as registration: String, services: [String] = Self.services
    ) throws -> RegistrationVector {
      RegistrationVector(
        id: "fcm-registration-\(name)", comment: comment, rule: rule, lines: [try ada.line("ada")],
        enrolment: (registration, try new.text()), services: services, expect: reason)
    }
    let token = forge([keys.others[0]], by: pairs.otherIdentity)
    let key = forge([keys.x25519], by: pairs.otherIdentity, token: "ben")
    return [
      try refused("token-in-use", "11.16", "token-in-use", "another phone's token", token, as: "ben"),
      try refused("key-in-use", "11.16", "key-in-use", "another phone's key", key, as: "ben"),
      try refused(
        "identity-in-use", "11.16", "identity-in-use", "another registration's identity",
        adaLater { $0.signed.claims["token"] = "ben".quoted }, as: "ben"),
      try refused(
        "other-topic", "11.14", "other-topic", "for another app",
        adaLater { $0.signed.claims["topic"] = "com.example.other_app".quoted }, as: "ada"),
      try refused(
        "other-service", "11.38", "unsupported-service", "a service that nobody knows",
        adaLater { $0.changeMembers = { $0["service"] = "hms".quoted } }, as: "ada"),
    ]
  }

  private func read() throws -> [RegistrationVector] {
    let states: [(String, String, [RegistrationState])] = [
      ("plain", "an Android phone", [.init("ada", ada)]),
      (
        "both", "an iPhone and two Android phones",
        [.init("cleo", cleo), .init("ada", ada), .init("ben", ben)]
      ),
      ("pending", "with nothing proven", [.init("ada", ada, over: nil)]),
      ("person", "whose persons are known", [RegistrationState("ada", ada).of("ada", "ben")]),
    ]
    return try states.map { name, comment, states in
      let lines = try states.map { try $0.line() }
      return RegistrationVector(
        id: "fcm-registration-read-\(name)", comment: comment, lines: lines, services: Self.services,
        expect: "read", after: lines)
    }
  }

  /// [11.17].
  private func lineFaults() throws -> [RegistrationVector] {
    func line(
      _ name: String, _ reason: String, _ comment: String, inner: String?, services: [String] = Self.services,
      _ lines: [String]
    ) -> RegistrationVector {
      RegistrationVector(
        id: "fcm-registration-line-\(name)", comment: comment, rule: "11.17", inner: inner, lines: lines,
        services: services, expect: reason)
    }
    func member(
      _ name: String, _ reason: String, _ comment: String, inner: String?,
      _ change: (inout RawObject) -> Void
    ) throws -> RegistrationVector {
      line(name, reason, comment, inner: inner, [try ada.line("ada", change)])
    }
    let bad = "malformed-enrolment"
    let moved = EnrolmentForge([keys.x25519], by: pairs.identity)
    var plain = forge()
    plain.signed.claims["topic"] = SignedSetForge.topic.quoted
    plain.signed.serial = SignedSetForge.moment - 1
    return [
      line(
        "not-delivered", "unsupported-service", "a backend that cannot deliver through FCM", inner: "11.38",
        services: ["apns"], [try ada.line("ada")]),
      line(
        "not-delivered-second", "unsupported-service", "after a line of APNs", inner: "11.38",
        services: ["apns"], [try cleo.line("cleo"), try ada.line("ada")]),
      line(
        "not-delivered-proven", "unsupported-service", "what is proven is of FCM, and the newest of APNs",
        inner: "11.38", services: ["apns"],
        [try RegistrationState("ada", moved, over: plain).line()]),
      try member("service", "unsupported-service", "a service that nobody knows", inner: "11.38") {
        $0["service"] = "hms".quoted
      },
      try member("both", bad, "an environment, too", inner: "11.10") {
        $0.append("environment", "production".quoted)
      },
      try member("neither", bad, "neither a service nor an environment", inner: "11.10") {
        $0["service"] = nil
      },
      try member("mismatch", "mismatch", "another token than is signed", inner: "11.12") {
        $0["token"] = "other".quoted
      },
      line(
        "token-twice", "token-in-use", "two with one token", inner: "11.16",
        [
          try ada.line("ada"),
          try forge([keys.others[0]], by: pairs.otherIdentity).line("ben"),
        ]),
    ]
  }

  // MARK: Making them

  private func taken(
    _ name: String, _ expect: String, _ comment: String, _ before: [RegistrationState], _ new: EnrolmentForge,
    as registration: String, isAsked: Bool = true, after: [RegistrationState]
  ) throws -> RegistrationVector {
    let content = RawObject([
      ("v", "1"), ("audience", SignedSetForge.audience.quoted), ("identity", new.signed.signer.kid.quoted),
      ("proof", Vectors.proof.quoted),
    ]).text
    return RegistrationVector(
      id: "fcm-registration-\(name)", comment: comment, lines: try before.map { try $0.line() },
      enrolment: (registration, try new.text()), services: Self.services, expect: expect,
      request: isAsked ? (new.signed.kids[0], content) : nil, after: try after.map { try $0.line() })
  }
}
