extension EnrolmentVectors {
  /// [11.10].
  func memberFaults() throws -> [EnrolmentVector] {
    func fault(
      _ name: String, _ comment: String, _ reason: String = "malformed-enrolment",
      _ change: @escaping (inout RawObject) -> Void
    ) throws -> EnrolmentVector {
      try refused(name, "11.10", reason, comment) { $0.changeMembers = change }
    }
    func text(_ name: String, _ comment: String, _ change: @escaping (String) -> String) throws
      -> EnrolmentVector
    {
      try refused(name, "11.10", "malformed-enrolment", comment) { $0.changeText = { change($0.text) } }
    }
    let set = RawObject.keySet([keys.x25519]).text
    let versions: [(String, String?)] = [
      ("2", "2"), ("decimal", "1.0"), ("string", "1".quoted), ("absent", nil),
    ]
    let wrong = ["topic", "environment", "token", "keys"].flatMap { name in
      [("absent", nil), ("number", "1"), ("null", "null")].map { (name, $0, $1) }
    }
    return [
      try text("array", "the object in an array") { "[\($0)]" },
      try text("cut", "no JSON: the last byte is gone") { String($0.dropLast()) },
      try text("bom", "a byte order mark") { "\u{FEFF}" + $0 },
      try text("jws", "the signed set alone") { _ in "e30.e30.AA" },
      try fault("twice", "`token` twice, the second one as an escape") {
        $0.append("\\u0074oken", SignedSetForge.token.quoted)
      },
      try fault("member-more", "a member more") { $0.append("challenge", "A1b2".quoted) },
      try fault("member-registration", "a member of registrations") { $0.append("registration", "a".quoted) },
      try fault("unsigned", "an unsigned set", "unsigned") { $0["keys"] = set },
      try fault("unsigned-more", "an unsigned set and a member more", "unsigned") {
        $0["keys"] = set
        $0.append("registration", "a".quoted)
      },
      try fault("unsigned-v-2", "an unsigned set in a newer version: that comes first", "unsupported-version")
      {
        $0["v"] = "2"
        $0["keys"] = set
      },
      try fault("member-keys-array", "signed sets in an array") { $0["keys"] = $0["keys"].map { "[\($0)]" } },
    ]
      + (try versions.map { id, value in
        try fault("v-\(id)", "`v` is not the integer 1", "unsupported-version") { $0["v"] = value }
      })
      + (try wrong.map { name, id, value in
        try fault("member-\(name)-\(id)", "`\(name)` is no string, or not there") { $0[name] = value }
      })
  }

  /// [11.11].
  func signedFaults() throws -> [EnrolmentVector] {
    var other = try refused(SetFault("other-topic", "11.8", "other-topic", "for another app") { _ in })
    other.topic = "com.example.other"
    let leave = try refused(
      SetFault("typ-leave", "11.3", "wrong-type", "a leave's type") {
        $0.header["typ"] = StatementForge.Kind.leave.type.quoted
      })
    return try (SetFault.common + SetFault.keys + headerFaults + deviceFaults + keyFaults).map(refused) + [
      other, leave,
    ]
  }

  /// [11.4] and what of [11.3] is about who signed.
  var headerFaults: [SetFault] {
    func jwk(_ id: String, _ comment: String, _ change: @escaping (inout RawObject) -> Void) -> SetFault {
      SetFault("jwk-\(id)", "11.4", "malformed-header", comment) {
        $0.header["jwk"] = pairs.identity.jwk.with(change).text
      }
    }
    func x(_ id: String, _ comment: String, _ x: String) -> SetFault {
      jwk("x-\(id)", comment) { $0["x"] = x.quoted }
    }
    let (identity, point) = (pairs.identity, pairs.identity.x)
    return [
      SetFault("jwk-absent", "11.3", "malformed-header", "nobody is said to have signed") {
        $0.header["jwk"] = nil
      },
      SetFault("jwk-and-kid", "11.3", "malformed-header", "a `kid` beside the `jwk`") {
        $0.header.append("kid", identity.kid.quoted)
      },
      SetFault("jwk-kid-instead", "11.3", "malformed-header", "a sender's set, signed by a root") {
        $0 = SignedSetForge(sender: [keys.sender], by: pairs.root)
      },
      SetFault("jwk-string", "11.4", "malformed-header", "no object") {
        $0.header["jwk"] = identity.x.quoted
      },
      jwk("kid", "a member more: `kid`") { $0.append("kid", identity.kid.quoted) },
      jwk("d", "a member more: `d`") { $0.append("d", "null") },
      jwk("use", "a member more: `use`") { $0.append("use", "sig".quoted) },
      jwk("kty-absent", "no `kty`") { $0["kty"] = nil },
      jwk("kty-ec", "another `kty`") { $0["kty"] = "EC".quoted },
      jwk("crv-x25519", "another curve") { $0["crv"] = "X25519".quoted },
      jwk("p256", "a key of P-256") {
        $0 = RawObject([
          ("crv", "P-256".quoted), ("kty", "EC".quoted), ("x", keys.p256["x"] ?? ""),
          ("y", keys.p256["y"] ?? ""),
        ])
      },
      jwk("x-number", "an `x` that is no string") { $0["x"] = "1" },
      x("padded", "an `x` with a padding character", point + "="),
      x("31-bytes", "an `x` of 31 bytes", String(point.dropLast(1))),
      x("33-bytes", "an `x` of 33 bytes", point.dropLast() + "AA"),
      x("identity", "the point of order 1", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
      x("order-4", "a point of order 4", String(repeating: "A", count: 43)),
      x("not-canonical", "y = 3, as p + 3", "8P_______________________________________38"),
      SetFault("jwk-no-point", "11.5", "bad-signature", "y = 2, which no point has") {
        $0.header["jwk"] =
          identity.jwk.with { $0["x"] = "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA".quoted }.text
      },
      SetFault("jwk-other", "11.5", "bad-signature", "signed by another identity") {
        $0.signer = pairs.otherIdentity
      },
    ]
  }

  private var deviceFaults: [SetFault] {
    let token = SignedSetForge.token
    let members: [(String, String, String?, String)] = [
      ("environment", "absent", nil, "no environment"), ("environment", "null", "null", "no string"),
      ("environment", "case", "Production".quoted, "in other letters"),
      ("environment", "development", "development".quoted, "Apple's older name of it"),
      ("token", "absent", nil, "no token"), ("token", "number", "1234", "no string"),
      ("token", "empty", "".quoted, "no digit"),
      ("token", "upper-case", token.uppercased().quoted, "in upper case"),
      ("token", "odd", String(token.dropLast()).quoted, "an odd number of digits"),
      ("token", "514", String(repeating: "0f", count: 257).quoted, "two digits too many"),
      ("token", "letter", (token.dropLast() + "g").quoted, "no hexadecimal digit"),
      ("token", "base64", "Dw8PDw8PDw8=".quoted, "base64"),
      ("token", "full-width", (token.dropLast() + "０").quoted, "a digit, but not of ASCII"),
      ("audience", "empty", "".quoted, "no character"), ("audience", "number", "1", "no string"),
      ("audience", "null", "null", "not there, but said to be"),
      ("audience", "control", "https://push.example.com\\u0085".quoted, "a control character"),
      ("audience", "256", String(repeating: "a", count: 256).quoted, "one byte too many"),
      ("proof", "15-bytes", String(repeating: "A", count: 20).quoted, "15 bytes"),
      ("proof", "256", String(repeating: "A", count: 256).quoted, "one character too many"),
      ("proof", "padded", (String(repeating: "A", count: 22) + "==").quoted, "padding characters"),
      ("proof", "trailing-bits", (String(repeating: "A", count: 21) + "B").quoted, "bits of no byte"),
      ("proof", "null", "null", "not there, but said to be"), ("proof", "number", "1", "no string"),
      ("challenge", "empty", "".quoted, "no character"), ("challenge", "number", "1", "no string"),
      ("challenge", "null", "null", "not there, but said to be"),
      ("challenge", "256", String(repeating: "a", count: 256).quoted, "one byte too many"),
      ("challenge", "258", String(repeating: "한", count: 86).quoted, "86 characters, and 258 bytes"),
    ]
    return members.map { name, id, value, comment in
      SetFault("claims-\(name)-\(id)", "11.6", "malformed-claims", "`\(name)`: \(comment)") {
        $0.claims[name] = value
      }
    }
  }

  private var keyFaults: [SetFault] {
    let (x25519, p256) = (keys.x25519, keys.p256)
    func x(_ id: String, _ comment: String, _ x: String) -> SetFault {
      SetFault.key(id, comment) {
        $0["kid"] = nil
        $0["x"] = x.quoted
      }
    }
    func accepted(_ key: RawObject) -> RawObject { key.with { $0["status"] = "accepted".quoted } }
    let octets = RawObject([("kty", "oct".quoted), ("kid", keys.x25519["kid"] ?? ""), ("use", "enc".quoted)])
    return [
      SetFault.key("use-sig", "a sender's `use`") { $0["use"] = "sig".quoted },
      SetFault.key("alg-hpke-7", "the other suite's `alg`") { $0["alg"] = "HPKE-7".quoted },
      SetFault.key("alg-kelvin", "U+212A in place of the K of its `alg`") {
        $0["alg"] = "HP\u{212A}E-4".quoted
      },
      SetFault.key("y", "a `y`, which this curve has not") { $0["y"] = p256["y"] },
      x("u-1", "u = 1, of small order", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
      x("u-not-canonical", "u = 9, as p + 9", "9v_______________________________________38"),
      x("u-top-bit", "u = 9, with the top bit set", "CQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA"),
      SetFault.others(
        "p256-off-curve", "a point that is not on the curve",
        [
          p256.with {
            $0["kid"] = nil
            $0["y"] = p256["x"]
          }
        ]),
      SetFault.others("p256-no-y", "P-256 without `y`", [p256.with { $0["y"] = nil }]),
      SetFault.others("shared", "a shared key's members, but for the key", [octets]),
      SetFault.others("accepted", "no active key", [accepted(x25519), accepted(p256)]),
      SetFault.others("two-active", "two active keys of one suite", [x25519, keys.rotated]),
      SetFault.others("mixed", "a sender's key beside a device's", [x25519, keys.sender]),
      SetFault.others("sender", "a sender's keys", reason: "wrong-keys", [keys.sender]),
      SetFault.others(
        "sender-accepted", "a sender's keys, none of them active", reason: "wrong-keys", [keys.accepted]),
      SetFault.others(
        "role-identity", "a set of identities", reason: "wrong-keys", role: "identity", [keys.sender]),
      SetFault.others("role-root", "a set of roots", reason: "wrong-keys", role: "root", [keys.sender]),
      SetFault.others("role-device", "a `role` where none is", role: "device", [x25519]),
      SetFault.others(
        "role-identity-device", "a device's keys said to be identities", role: "identity", [x25519]),
    ]
  }
}
