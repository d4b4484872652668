/// A fault that a statement of an identity's may have, whatever it says.
struct StatementFault {
  let name: String
  let rule: String
  /// The rule that the signed text in it breaks.
  var inner: String?
  let reason: String
  let comment: String
  let change: (inout StatementForge) -> Void

  /// What is wrong with the object around it: [11.25], [11.31], [11.34].
  static func members(of kind: StatementForge.Kind) -> [StatementFault] {
    let name = kind.rawValue
    func fault(
      _ id: String, _ comment: String, _ reason: String? = nil, _ change: @escaping (inout RawObject) -> Void
    ) -> StatementFault {
      StatementFault(
        name: id, rule: kind.rules.outer, reason: reason ?? kind.malformed, comment: comment
      ) { $0.changeMembers = change }
    }
    func text(_ id: String, _ comment: String, _ change: @escaping (String) -> String) -> StatementFault {
      StatementFault(name: id, rule: kind.rules.outer, reason: kind.malformed, comment: comment) {
        $0.changeText = { change($0.text) }
      }
    }
    let versions: [(String, String?)] = [
      ("2", "2"), ("decimal", "1.0"), ("string", "1".quoted), ("absent", nil),
    ]
    let first = String(name.unicodeScalars.first?.value ?? 0, radix: 16)
    return [
      text("array", "the object in an array") { "[\($0)]" },
      text("cut", "no JSON: the last byte is gone") { String($0.dropLast()) },
      text("bom", "a byte order mark") { "\u{FEFF}" + $0 },
      text("jws", "the signed text alone") { _ in "e30.e30.AA" },
      fault("twice", "`\(name)` twice, the second one as an escape") {
        $0.append("\\u00\(first)\(name.dropFirst())", "e30.e30.AA".quoted)
      },
      fault("member-more", "a member more") { $0.append("topic", SignedSetForge.topic.quoted) },
      fault("member-absent", "no `\(name)`") { $0[name] = nil },
      fault("member-object", "no string") { $0[name] = "{}" },
      fault("member-null", "nothing") { $0[name] = "null" },
      fault("enrolment", "the member of an enrolment") { $0.rename(name, to: "keys") },
    ]
      + versions.map { id, value in
        fault("v-\(id)", "`v` is not the integer 1", "unsupported-version") { $0["v"] = value }
      }
  }

  /// [11.26], [11.32], [11.35], and in them [11.1] to [11.5]; and the claims that a set has, too.
  static func signed(
    _ kind: StatementForge.Kind, _ header: [SetFault], by pairs: SigningPairs
  ) -> [StatementFault] {
    let other: [SetFault] = [
      SetFault("typ-keys", "11.3", "wrong-type", "a signed set's type") {
        $0.header["typ"] = "sealed-push-keys+jws".quoted
      },
      SetFault("set", "11.3", "wrong-type", "a device's set in its place") {
        $0 = EnrolmentForge([], by: $0.signer).signed
      },
      SetFault("kid", "11.3", "malformed-header", "signed by a root") {
        $0.header["jwk"] = nil
        $0.header.append("kid", pairs.root.kid.quoted)
        $0.signer = pairs.root
      },
    ]
    let without = ["claims-keys-"] + (kind == .receipt ? ["claims-serial-"] : [])
    let isWithoutSerial = kind == .receipt
    let faults = SetFault.common + header.filter { $0.name != "jwk-kid-instead" } + other
    return faults.filter { fault in
      !without.contains { fault.name.hasPrefix($0) } && !(isWithoutSerial && fault.name == "claims-twice")
    }.map { fault in
      // What a statement's claims have wrong, its own rule says.
      let isClaim = fault.rule == "11.6"
      return StatementFault(
        name: fault.name, rule: isClaim ? kind.rules.claims : kind.rules.signed,
        inner: isClaim ? nil : fault.rule, reason: fault.reason, comment: fault.comment
      ) { fault.change(&$0.signed) }
    }
  }

  /// What a claim `audience` must not be.
  static func audiences(of kind: StatementForge.Kind) -> [StatementFault] {
    let members: [(String, String?, String)] = [
      ("absent", nil, "not there"), ("empty", "".quoted, "no character"), ("number", "1", "no string"),
      ("null", "null", "nothing"),
      ("control", "https://push.example.com\\u0085".quoted, "a control character"),
      ("256", String(repeating: "a", count: 256).quoted, "one byte too many"),
    ]
    return members.map { id, value, comment in
      claim("audience-\(id)", of: kind, "`audience`: \(comment)") { $0["audience"] = value }
    }
  }

  /// A fault of the claims.
  static func claim(
    _ name: String, of kind: StatementForge.Kind, _ comment: String,
    _ change: @escaping (inout RawObject) -> Void
  ) -> StatementFault {
    StatementFault(
      name: "claims-\(name)", rule: kind.rules.claims, reason: "malformed-claims", comment: comment
    ) { change(&$0.signed.claims) }
  }
}
