import PushCore

/// Devices whose messages FCM carries: their enrolments and registrations.
struct FCMDevices {
  let pairs: SigningPairs
  let keys: PublicKeys

  static let topic = "com.example.my_app"
  static let token = "fX9-aB_3:APA91bH" + String(repeating: "0aZ", count: 40)
  static let services = ["apns", "fcm"]

  // MARK: Senders' sets

  /// A senders' set is for an app of either service.
  func senders() throws -> [SenderVector] {
    func set(_ name: String, _ comment: String, topic: String) throws -> SenderVector {
      var forge = SignedSetForge(sender: [keys.sender], by: pairs.root)
      forge.claims["topic"] = topic.quoted
      var vector = SenderVector(
        id: "fcm-senders-\(name)", comment: comment, text: try forge.text(), expect: "accepted",
        facts: forge.facts("signer"))
      vector.facts["issuedAt"] = .number(JSONNumber(forge.issuedAt))
      vector.facts["expiresAt"] = .number(JSONNumber(forge.expiresAt))
      vector.topic = topic
      return vector
    }
    func fault(_ name: String, _ comment: String, topic: String) throws -> SenderVector {
      let vector = try set(name, comment, topic: topic)
      return SenderVector(
        id: vector.id, comment: comment, rule: "11.6", topic: Self.topic, text: vector.text,
        expect: "malformed-claims")
    }
    return [
      try set("underscore", "an application ID with an underscore", topic: Self.topic),
      try set("hyphen", "a bundle ID with a hyphen", topic: "com.example.my-app"),
      try fault("both", "an underscore and a hyphen: no app has both", topic: "com.example.my_app-2"),
    ]
  }

  // MARK: Enrolments

  func enrolments() throws -> [EnrolmentVector] {
    try good() + unsupported() + memberFaults() + claimFaults() + mismatches()
  }

  private func good() throws -> [EnrolmentVector] {
    let longest = String(repeating: "Az09-_:0", count: 128)
    return [
      try accepted("plain", "the plain case") { _ in },
      try accepted("p256", "a key of P-256") { $0.signed.keys = [keys.p256] },
      try accepted("both-suites", "a key of each suite") { $0.signed.keys = [keys.x25519, keys.p256] },
      try accepted("token-1", "a token of one character") { $0.signed.claims["token"] = "a".quoted },
      try accepted("token-1024", "the longest token") { $0.signed.claims["token"] = longest.quoted },
      try accepted("token-hexadecimal", "a token that APNs could have") {
        $0.signed.claims["token"] = SignedSetForge.token.quoted
      },
      try accepted("topic-plain", "an application ID that a bundle ID could be", topic: SignedSetForge.topic)
      {
        $0.signed.claims["topic"] = SignedSetForge.topic.quoted
      },
      try accepted("escapes", "escapes in the strings") {
        $0.changeMembers = {
          $0["service"] = "f\\u0063m".quoted
          $0.rename("topic", to: "t\\u006fpic")
        }
      },
      try accepted("signed-escapes", "escapes in what is signed") {
        $0.signed.claims["service"] = "\\u0066cm".quoted
        $0.changeMembers = { $0["service"] = "fcm".quoted }
      },
      try accepted("order", "the members in another order") { $0.changeText = { $0.reversed.text } },
      try apns("apns", "a device of APNs, for a backend that delivers through both"),
    ]
  }

  /// [11.38].
  private func unsupported() throws -> [EnrolmentVector] {
    func refused(
      _ name: String, _ comment: String, services: [String] = Self.services,
      _ change: @escaping (inout RawObject) -> Void = { _ in }
    ) throws -> EnrolmentVector {
      var vector = try self.refused("service-\(name)", "11.38", "unsupported-service", comment) {
        $0.changeMembers = change
      }
      vector.services = services
      return vector
    }
    let unsigned = RawObject.keySet([keys.x25519]).text
    return [
      try refused("not-delivered", "the backend cannot deliver through FCM", services: ["apns"]),
      try refused(
        "not-delivered-unsigned", "and the set is unsigned: that comes later", services: ["apns"]
      ) { $0["keys"] = unsigned },
      try refused("not-delivered-more", "and a member more: that comes later", services: ["apns"]) {
        $0.append("challenge", "A1b2".quoted)
      },
      try refused("other", "a service that nobody knows") { $0["service"] = "hms".quoted },
      try refused("case", "in other letters") { $0["service"] = "FCM".quoted },
      try refused("empty", "no letter") { $0["service"] = "".quoted },
      try refused("apns", "APNs has no name here") { $0["service"] = "apns".quoted },
      try refused("both", "and an environment: that comes later") {
        $0["service"] = "hms".quoted
        $0.append("environment", "production".quoted)
      },
      try faulty("service-v-2", "11.10", "unsupported-version", "a newer version: that comes first") {
        $0["v"] = "2"
        $0["service"] = "hms".quoted
      },
    ]
  }

  /// [11.10].
  private func memberFaults() throws -> [EnrolmentVector] {
    let bad = "malformed-enrolment"
    let wrong = ["service", "topic", "token", "keys"].flatMap { name in
      [("number", "1"), ("null", "null")].map { (name, $0, Optional($1)) }
    }
    let absent = ["service", "topic", "token", "keys"].map { ($0, "absent", String?.none) }
    return try (wrong + absent).map { name, id, value in
      try faulty("member-\(name)-\(id)", "11.10", bad, "`\(name)` is no string, or not there") {
        $0[name] = value
      }
    } + [
      try faulty("member-environment", "11.10", bad, "an environment, too") {
        $0.append("environment", "production".quoted)
      },
      try faulty("member-more", "11.10", bad, "a member more") { $0.append("challenge", "A1b2".quoted) },
      try faulty("unsigned", "11.10", "unsigned", "an unsigned set") {
        $0["keys"] = RawObject.keySet([keys.x25519]).text
      },
    ]
  }

  /// [11.6], in [11.11].
  private func claimFaults() throws -> [EnrolmentVector] {
    let token = Self.token
    let members: [(String, String, String?, String)] = [
      ("service", "other", "hms".quoted, "a service that nobody knows"),
      ("service", "apns", "apns".quoted, "APNs has no name here"), ("service", "number", "1", "no string"),
      ("service", "null", "null", "not there, but said to be"),
      ("service", "absent", nil, "not signed: the device is one of APNs, without an environment"),
      ("environment", "both", "production".quoted, "beside a service"),
      ("environment", "null", "null", "null beside a service"),
      ("topic", "hyphen", "com.example.my-app".quoted, "a bundle ID"),
      ("topic", "both", "com.example.my_app-2".quoted, "an underscore and a hyphen"),
      ("topic", "256", String(repeating: "a", count: 256).quoted, "one character too many"),
      ("topic", "suffix", "com.example.my_app.voip".quoted, "with a suffix of APNs"),
      ("token", "empty", "".quoted, "no character"), ("token", "number", "1", "no string"),
      ("token", "1025", String(repeating: "a", count: 1025).quoted, "one character too many"),
      ("token", "period", (token + ".").quoted, "a period"),
      ("token", "slash", (token + "/").quoted, "a slash"),
      ("token", "space", (token + " ").quoted, "a space"),
      ("token", "padding", (token + "=").quoted, "padding"),
      ("token", "line-feed", (token + "\\n").quoted, "a line feed"),
      ("token", "full-width", (token + "Ａ").quoted, "a letter, but not of ASCII"),
    ]
    return try members.map { name, id, value, comment in
      var vector = try refused(
        "claims-\(name)-\(id)", "11.11", "malformed-claims", "`\(name)`: \(comment)"
      ) {
        $0.signed.claims[name] = value
        // What is said outside is good, so that it is the claim that is refused.
        $0.changeMembers = {
          $0["service"] = "fcm".quoted
          $0["topic"] = Self.topic.quoted
          $0["token"] = token.quoted
        }
      }
      vector.inner = "11.6"
      vector.topic = nil
      return vector
    } + [try apnsWithUnderscore()]
  }

  /// [11.12].
  private func mismatches() throws -> [EnrolmentVector] {
    func mismatch(
      _ name: String, _ comment: String, _ change: @escaping (inout RawObject) -> Void
    ) throws -> EnrolmentVector { try faulty("mismatch-\(name)", "11.12", "mismatch", comment, change) }
    var environment = try refused("mismatch-environment", "11.12", "mismatch", "APNs outside, FCM signed") {
      $0.changeMembers = {
        $0["service"] = nil
        $0.append("environment", "production".quoted)
      }
    }
    environment.services = Self.services
    var service = EnrolmentForge([keys.x25519], by: pairs.identity)
    service.changeMembers = {
      $0["environment"] = nil
      $0.append("service", "fcm".quoted)
    }
    return [
      try mismatch("topic", "another topic than is signed") { $0["topic"] = "com.example.other".quoted },
      try mismatch("token", "another token than is signed") { $0["token"] = (Self.token + "0").quoted },
      try mismatch("token-case", "the same token in lower case") {
        $0["token"] = Self.token.lowercased().quoted
      },
      environment,
      EnrolmentVector(
        id: "fcm-enrolment-mismatch-service", comment: "FCM outside, APNs signed", rule: "11.12",
        services: Self.services, enrolment: try service.text(), expect: "mismatch"),
    ]
  }

  // MARK: Making them

  /// An enrolment of an Android phone.
  func forge(
    _ keys: [RawObject]? = nil, by identity: SigningPair? = nil, token: String = token
  ) -> EnrolmentForge {
    var forge = EnrolmentForge(keys ?? [self.keys.x25519], by: identity ?? pairs.identity, token: token)
    forge.signed.claims["environment"] = nil
    forge.signed.claims["topic"] = Self.topic.quoted
    forge.signed.claims.append("service", "fcm".quoted)
    forge.repeated = ["service", "topic", "token"]
    return forge
  }

  private func accepted(
    _ name: String, _ comment: String, topic: String = topic, _ change: (inout EnrolmentForge) -> Void
  ) throws -> EnrolmentVector {
    var forge = forge()
    change(&forge)
    return EnrolmentVector(
      id: "fcm-enrolment-\(name)", comment: comment, topic: topic, services: Self.services,
      enrolment: try forge.text(), expect: "accepted", facts: forge.signed.facts("identity"))
  }

  private func apns(_ name: String, _ comment: String) throws -> EnrolmentVector {
    let forge = EnrolmentForge([keys.x25519], by: pairs.identity)
    return EnrolmentVector(
      id: "fcm-enrolment-\(name)", comment: comment, services: Self.services, enrolment: try forge.text(),
      expect: "accepted", facts: forge.signed.facts("identity"))
  }

  private func apnsWithUnderscore() throws -> EnrolmentVector {
    var forge = EnrolmentForge([keys.x25519], by: pairs.identity)
    forge.signed.claims["topic"] = Self.topic.quoted
    return EnrolmentVector(
      id: "fcm-enrolment-claims-apns-underscore",
      comment: "`topic`: an application ID in a device's set of APNs",
      rule: "11.11", inner: "11.6", topic: nil, services: Self.services, enrolment: try forge.text(),
      expect: "malformed-claims")
  }

  private func refused(
    _ name: String, _ rule: String, _ reason: String, _ comment: String,
    _ change: (inout EnrolmentForge) -> Void
  ) throws -> EnrolmentVector {
    var forge = forge()
    change(&forge)
    return EnrolmentVector(
      id: "fcm-enrolment-\(name)", comment: comment, rule: rule, topic: Self.topic, services: Self.services,
      enrolment: try forge.text(), expect: reason)
  }

  private func faulty(
    _ name: String, _ rule: String, _ reason: String, _ comment: String,
    _ change: @escaping (inout RawObject) -> Void
  ) throws -> EnrolmentVector { try refused(name, rule, reason, comment) { $0.changeMembers = change } }
}
