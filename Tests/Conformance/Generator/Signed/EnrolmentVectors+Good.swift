extension EnrolmentVectors {
  func good() throws -> [EnrolmentVector] {
    let longest = String(repeating: "0f", count: 256)
    return [
      try accepted("plain", "the plain case: one key, of X25519"),
      try accepted("p256", "a key of P-256") { $0.signed.keys = [keys.p256] },
      try accepted("both-suites", "a key of each suite") { $0.signed.keys = [keys.x25519, keys.p256] },
      try accepted("accepted-key", "one suite's key is active, the other's is not") {
        $0.signed.keys = [keys.x25519, keys.p256.with { $0["status"] = "accepted".quoted }]
      },
      try accepted("ended-key", "a key whose life is over: nobody judges it here") {
        $0.signed.keys[0]["exp"] = "1"
      },
      try accepted("sandbox", "a token of the other environment") {
        $0.signed.claims["environment"] = "sandbox".quoted
      },
      try accepted("token-1", "a token of one byte") { $0.signed.claims["token"] = "0f".quoted },
      try accepted("token-256", "a token of 256 bytes") { $0.signed.claims["token"] = longest.quoted },
      try accepted("topic-any", "the backend serves any app", topic: nil) {
        $0.signed.claims["topic"] = "com.example.other".quoted
      },
      try accepted("challenge", "it has the backend's challenge", challenge: "A1b2") {
        $0.signed.claims["challenge"] = "A1b2".quoted
      },
      try accepted("challenge-not-asked", "a challenge where the backend gave none, which changes nothing") {
        $0.signed.claims["challenge"] = "A1b2".quoted
      },
      try accepted("challenge-255", "the longest challenge", challenge: String(repeating: "한", count: 85)) {
        $0.signed.claims["challenge"] = String(repeating: "한", count: 85).quoted
      },
      try accepted("proof", "it says what a request said, which a registration judges") {
        $0.signed.claims["proof"] = RegistrationVectors.proof.quoted
      },
      try accepted("proof-255", "the longest proof") {
        $0.signed.claims["proof"] = String(repeating: "A", count: 255).quoted
      },
      try accepted("serial-2-53", "the greatest serial") { $0.signed.serial = 9_007_199_254_740_991 },
      try accepted("iat-0", "a clock that stood at 1970") { $0.signed.issuedAt = 0 },
    ]
  }

  /// What is written otherwise than the package writes it.
  func goodForms() throws -> [EnrolmentVector] {
    [
      try accepted("escapes", "escapes in the strings of the enrolment, which are as good as what is signed")
      {
        $0.changeMembers = {
          $0["topic"] = "com.e\\u0078ample.app".quoted
          $0["environment"] = "p\\u0072oduction".quoted
          $0["keys"] = $0["keys"].map { $0.replacingFirst(".", by: "\\u002e") }
          $0.rename("token", to: "tok\\u0065n")
        }
      },
      try accepted("signed-escapes", "escapes in what is signed", challenge: "A1/é") {
        $0.signed.claims["environment"] = "pro\\u0064uction".quoted
        $0.signed.claims["challenge"] = "A1\\/\\u00e9".quoted
        $0.changeMembers = { $0["environment"] = "production".quoted }
      },
      try accepted("order", "the members in another order, everywhere") {
        $0.signed.header["jwk"] = pairs.identity.jwk.reversed.text
        $0.signed.header = $0.signed.header.reversed
        $0.signed.claims = $0.signed.claims.reversed
        $0.changeText = { $0.reversed.text }
      },
      try accepted("space", "white space, everywhere") {
        $0.signed.changeHeader = { Array($0.spacedText.utf8) }
        $0.signed.changePayload = { Array($0.spacedText.utf8) }
        $0.changeText = \.spacedText
      },
      try accepted("unknown", "claims that nobody knows, and `exp`, which JWT would judge") {
        $0.signed.claims.append("exp", "1")
        $0.signed.claims.append("registration", "5")
      },
    ]
  }

  /// Reports, which have no influence.
  func reports() throws -> [EnrolmentVector] {
    let digest = String(repeating: "A", count: 43).quoted
    func report(_ name: String, _ comment: String, senders: String, counts: String) throws -> EnrolmentVector
    {
      try accepted("report-\(name)", comment) {
        $0.signed.claims.append("senders", senders)
        $0.signed.claims.append("counts", counts)
      }
    }
    return [
      try report(
        "whole", "a report of the senders' set and of counts", senders: #"{"serial":7,"digest":\#(digest)}"#,
        counts: #"{"since":20420,"opened":312,"degraded":{"unknown-key":2,"unknown-sender":1}}"#),
      try report(
        "later", "a report with members and reasons of a later version",
        senders: #"{"serial":7,"digest":\#(digest),"more":[]}"#, counts: #"{"more":0,"degraded":{"more":1}}"#),
      try report(
        "malformed", "members that are no report count as absent", senders: #"{"serial":0,"digest":"AAAA"}"#,
        counts: #"{"since":"today","opened":-1,"degraded":{"expired":1.5,"replayed":9007199254740992}}"#),
      try report("types", "members of other types count as absent", senders: "7", counts: "null"),
    ]
  }
}

extension String {
  /// With another text in place of the first that is `old`.
  func replacingFirst(_ old: Character, by new: String) -> String {
    guard let index = firstIndex(of: old) else { return self }
    return self[..<index] + new + self[self.index(after: index)...]
  }
}
