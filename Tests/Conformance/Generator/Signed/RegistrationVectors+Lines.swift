/// Lines that are no registrations, and files that are refused: [11.17].
extension RegistrationVectors {
  private func line(
    _ name: String, _ reason: String, _ comment: String, inner: String? = nil, _ lines: [String]
  ) -> RegistrationVector {
    RegistrationVector(
      id: "registration-\(name)", comment: comment, rule: "11.17", inner: inner, lines: lines, expect: reason)
  }

  func lineFaults() throws -> [RegistrationVector] {
    let bad = "malformed-enrolment"
    func member(
      _ name: String, _ reason: String, _ comment: String, inner: String? = nil,
      _ change: (inout RawObject) -> Void
    ) throws -> RegistrationVector {
      line("line-\(name)", reason, comment, inner: inner, [try ada.line("ada", change)])
    }
    let names: [(String, String, String)] = [
      ("empty", "no character", ""), ("256", "one byte too many", String(repeating: "a", count: 256)),
      ("258", "86 characters, and 258 bytes", String(repeating: "한", count: 86)),
      ("nul", "U+0000", "a\\u0000"), ("line-feed", "U+000A", "a\\nb"), ("001f", "U+001F", "\\u001fa"),
      ("007f", "U+007F", "a\u{7F}"), ("0085", "U+0085", "a\u{85}"), ("009f", "U+009F", "\u{9F}"),
    ]
    let kelvin = pairs.identity.kid.split(separator: "K", omittingEmptySubsequences: false).joined(
      separator: "\u{212A}")
    var tooLong = line(
      "line-65537", "too-large", "one byte too many to be looked at", [try ada.line("ada")])
    tooLong.spaces = 65_537 - tooLong.lines[0].utf8.count
    var forged = ada
    forged.signed.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() }
    return [
      try member("no-name", bad, "no name", inner: "11.10") { $0["registration"] = nil },
      try member("name-number", bad, "a name that is no string", inner: "11.10") { $0["registration"] = "1" },
      try member("no-identity", bad, "no identity", inner: "11.10") { $0["identity"] = nil },
      try member("identity-null", bad, "an identity that is no string", inner: "11.10") {
        $0["identity"] = "null"
      },
      try member("member-more", bad, "a member more", inner: "11.10") { $0.append("comment", "".quoted) },
      try member("person-number", bad, "a person that is no string") { $0.append("person", "1") },
      try member("person-empty", bad, "a person without a name") { $0.append("person", "".quoted) },
      try member("person-256", bad, "one byte too many") {
        $0.append("person", String(repeating: "a", count: 256).quoted)
      },
      try member("person-nul", bad, "U+0000") { $0.append("person", "a\\u0000".quoted) },
      try member("v-2", "unsupported-version", "a newer version", inner: "11.10") { $0["v"] = "2" },
      try member("unsigned", "unsigned", "an unsigned set", inner: "11.10") {
        $0["keys"] = RawObject.keySet([keys.x25519]).text
      },
      try member("mismatch", "mismatch", "another token than is signed", inner: "11.12") {
        $0["token"] = "1f".quoted
      },
      try member("identity", "other-identity", "another identity") {
        $0["identity"] = pairs.otherIdentity.kid.quoted
      },
      try member(
        "identity-kelvin", "other-identity", "U+212A, which Unicode calls equivalent to K, in its place"
      ) {
        $0["identity"] = kelvin.quoted
      },
      line(
        "line-forged", "bad-signature", "a bit of the signature", inner: "11.11", [try forged.line("ada")]),
      line("line-enrolment", bad, "an enrolment as it came", inner: "11.10", [try ada.text()]),
      line("line-array", bad, "no object", inner: "11.10", ["[]"]),
      line("line-second", bad, "the second line is empty", inner: "11.10", [try ada.line("ada"), ""]),
      tooLong,
    ]
      + (try names.map { id, comment, name in
        try member("name-\(id)", bad, comment) { $0["registration"] = name.quoted }
      })
  }

  func fileFaults() throws -> [RegistrationVector] {
    func ben(_ change: (inout EnrolmentForge) -> Void) -> EnrolmentForge {
      var forge = self.ben
      change(&forge)
      return forge
    }
    let line = try ada.line("ada")
    return [
      self.line("file-name", "malformed-enrolment", "two with one name", [line, try self.ben.line("ada")]),
      self.line("file-twice", "malformed-enrolment", "a line twice", [line, line]),
      self.line(
        "file-identity", "identity-in-use", "two with one identity", inner: "11.16",
        [line, try adaLater { $0.signed.claims["token"] = "0e".quoted }.line("other")]),
      self.line(
        "file-token", "token-in-use", "two with one token", inner: "11.16",
        [line, try ben { $0.signed.claims["token"] = ada.signed.claims["token"] }.line("ben")]),
      self.line(
        "file-key", "key-in-use", "two with one key", inner: "11.16",
        [line, try ben { $0.signed.keys = [keys.x25519] }.line("ben")]),
    ]
  }
}
