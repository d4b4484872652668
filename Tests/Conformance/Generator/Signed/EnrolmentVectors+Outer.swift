extension EnrolmentVectors {
  /// [11.12].
  func mismatches() throws -> [EnrolmentVector] {
    func mismatch(_ name: String, _ comment: String, _ member: String, _ value: String) throws
      -> EnrolmentVector
    {
      try refused("mismatch-\(name)", "11.12", "mismatch", comment) {
        $0.changeMembers = { $0[member] = value.quoted }
      }
    }
    let token = SignedSetForge.token
    var kelvin = try refused(
      "mismatch-kelvin", "11.12", "mismatch", "U+212A, which Unicode calls equivalent to K, in its place"
    ) {
      $0.signed.claims["topic"] = "com.example.K".quoted
      $0.changeMembers = { $0["topic"] = "com.example.\u{212A}".quoted }
    }
    kelvin.topic = "com.example.K"
    return [
      try mismatch("topic", "another topic than is signed", "topic", "com.example.other"),
      try mismatch("environment", "another environment than is signed", "environment", "sandbox"),
      try mismatch("token", "another token than is signed", "token", "1f" + token.dropFirst(2)),
      try mismatch("token-upper-case", "the same token in upper case", "token", token.uppercased()),
      try mismatch("token-empty", "no token", "token", ""), kelvin,
    ]
  }

  /// [11.13].
  func audiences() throws -> [EnrolmentVector] {
    func other(_ name: String, _ comment: String, signed: String?, _ audience: String) throws
      -> EnrolmentVector
    {
      var vector = try refused("audience-\(name)", "11.13", "other-audience", comment, challenge: "A1b2") {
        $0.signed.claims["audience"] = signed?.quoted
      }
      vector.audience = audience
      return vector
    }
    let own = SignedSetForge.audience
    return [
      try other("absent", "it is for no backend; and no challenge: that comes last", signed: nil, own),
      try other("other", "it is for another backend", signed: "https://push.example.net", own),
      try other("slash", "with a slash at its end", signed: own + "/", own),
      try other("case", "in other letters", signed: own.uppercased(), own),
      try other(
        "composed", "the same to Unicode, and not byte by byte", signed: "cafe\u{301}", "caf\u{E9}"),
    ]
  }

  /// [11.13].
  func challenges() throws -> [EnrolmentVector] {
    func wrong(_ name: String, _ comment: String, _ challenge: String, signed: String?) throws
      -> EnrolmentVector
    {
      try refused("challenge-\(name)", "11.13", "wrong-challenge", comment, challenge: challenge) {
        $0.signed.claims["challenge"] = signed?.quoted
      }
    }
    return [
      try wrong("absent", "the backend gave a challenge, and none is signed", "A1b2", signed: nil),
      try wrong("other", "another challenge", "A1b2", signed: "A1b3"),
      try wrong("case", "in other letters", "A1b2", signed: "a1b2"),
      try wrong("composed", "the same to Unicode, and not byte by byte", "caf\u{E9}", signed: "cafe\u{301}"),
      try refused(
        "challenge-mismatch", "11.12", "mismatch",
        "another token than is signed, and no challenge: that comes last",
        challenge: "A1b2"
      ) { $0.changeMembers = { $0["token"] = "1f".quoted } },
    ]
  }
}
