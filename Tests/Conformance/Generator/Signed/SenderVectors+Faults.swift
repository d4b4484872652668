extension SenderVectors {
  /// What is wrong with the header's `kid`.
  func signerFaults() throws -> [SenderVector] {
    func kid(
      _ id: String, _ rule: String, _ reason: String, _ comment: String, _ value: String?
    ) -> SetFault {
      SetFault("kid-\(id)", rule, reason, comment) { $0.header["kid"] = value }
    }
    let root = pairs.root
    let kelvin = SetFault(
      "kid-kelvin", "11.4", "unknown-signer", "U+212A, which Unicode calls equivalent to K, in its place"
    ) {
      $0.signer = pairs.otherRoot
      $0.header["kid"] =
        pairs.otherRoot.kid.split(separator: "K", omittingEmptySubsequences: false)
        .joined(separator: "\u{212A}").quoted
    }
    let beside = SetFault("kid-and-jwk", "11.3", "malformed-header", "a `jwk` beside the `kid`") {
      $0.header.append("jwk", root.jwk.text)
    }
    let instead = SetFault(
      "kid-jwk-instead", "11.3", "malformed-header", "the root's `jwk` in place of its `kid`"
    ) {
      $0.header["kid"] = nil
      $0.header.append("jwk", root.jwk.text)
    }
    let stranger = SetFault("kid-stranger", "11.4", "unknown-signer", "signed by a root that the app has not")
    {
      $0 = SignedSetForge(sender: $0.keys, by: pairs.stranger)
    }
    let confused = SetFault("signature-other-root", "11.5", "bad-signature", "signed by the other root") {
      $0.signer = pairs.otherRoot
    }
    return try [
      kid("absent", "11.3", "malformed-header", "nobody is said to have signed", nil),
      kid("number", "11.4", "unknown-signer", "no string", "1"),
      kid("null", "11.4", "unknown-signer", "nothing", "null"),
      kid("empty", "11.4", "unknown-signer", "no character", "".quoted),
      kid("array", "11.4", "unknown-signer", "in an array", "[\(root.kid.quoted)]"),
      kid(
        "8-bytes", "11.4", "unknown-signer", "the thumbprint's first 8 bytes alone",
        String(root.kid.prefix(11)).quoted),
      kid("point", "11.4", "unknown-signer", "the root's point in place of its thumbprint", root.x.quoted),
      kelvin, beside, instead, stranger, confused,
    ].map(refused)
  }

  /// Keys that a sender does not have.
  func keyFaults() throws -> [SenderVector] {
    let other = keys.sender["kid"]?.split(separator: "K", omittingEmptySubsequences: false)
      .joined(separator: "\u{212A}")
    let old = keys.x25519.with { $0["status"] = "accepted".quoted }
    return try [
      SetFault.key("kid-kelvin", "U+212A in place of a K of its `kid`") { $0["kid"] = other },
      SetFault.key("use-enc", "a device's `use`") { $0["use"] = "enc".quoted },
      SetFault.key("alg-hpke", "a device's `alg`") { $0["alg"] = "HPKE-4".quoted },
      SetFault.key("y", "a `y`, which this curve has not") { $0["y"] = keys.p256["y"] },
      SetFault.key("not-canonical", "y = 3, as p + 3") {
        $0["kid"] = nil
        $0["x"] = "8P_______________________________________38".quoted
      },
      SetFault.others("mixed", "a device's key beside a sender's", [keys.sender, keys.x25519]),
      SetFault.others("device", "a device's keys", reason: "wrong-keys", [keys.x25519]),
      SetFault.others("device-accepted", "a device's keys, none of them active: that comes first", [old]),
      SetFault.others("role-root", "a set of roots", reason: "wrong-keys", role: "root", [keys.sender]),
      SetFault.others(
        "role-identity", "a set of identities", reason: "wrong-keys", role: "identity", [keys.sender]),
      SetFault.others("role-sender", "a `role` where none is", role: "sender", [keys.sender]),
      SetFault.others("role-root-device", "a device's keys said to be roots", role: "root", [keys.x25519]),
    ].map(refused)
  }

  /// `exp`, which only a sender's set has.
  func endFaults() throws -> [SenderVector] { try SetFault.numbers(of: "exp").map(refused) }

  func topicFaults() throws -> [SenderVector] {
    func wanted(_ name: String, _ comment: String, _ topic: String) throws -> SenderVector {
      var vector = try refused(SetFault("topic-\(name)", "11.8", "other-topic", comment) { _ in })
      vector.topic = topic
      return vector
    }
    return [
      try wanted("other", "for another app", "com.example.other"),
      try wanted("other-case", "for an app whose name is in other letters", "com.example.App"),
      try wanted("longer", "for an app whose name goes on", "com.example.app.more"),
    ]
  }

  /// [11.9].
  func replacements() throws -> [SenderVector] {
    let (old, newer) = (SignedSetForge.moment, SignedSetForge.moment + 1)
    let plain = try forge.text()
    func text(serial: Int64, by root: SigningPair? = nil, _ change: (inout SignedSetForge) -> Void = { _ in })
      throws
      -> String
    {
      var forge = SignedSetForge(sender: [keys.sender], by: root ?? pairs.root)
      forge.serial = serial
      change(&forge)
      return try forge.text()
    }
    func good(
      _ name: String, _ comment: String, expect: String = "accepted", over atHand: String,
      _ change: (inout SignedSetForge) -> Void = { _ in }
    ) throws -> SenderVector {
      var vector = try accepted("over-\(name)", comment, expect: expect, change)
      vector.atHand = atHand
      return vector
    }
    func bad(
      _ name: String, _ comment: String, _ reason: String, over atHand: String,
      _ change: @escaping (inout SignedSetForge) -> Void = { _ in }
    ) throws -> SenderVector {
      var vector = try refused(SetFault("over-\(name)", "11.9", reason, comment, change))
      vector.atHand = atHand
      return vector
    }
    var unpinned = try good(
      "unpinned", "over a newer one of a root that the app no longer has",
      over: try text(serial: newer, by: pairs.otherRoot))
    unpinned.pinned = SigningPairs.roots([pairs.root])
    return [
      try good("older", "over an older one", over: plain) { $0.serial = newer },
      try good(
        "older-other-root", "over an older one of the other root",
        over: try text(serial: 1, by: pairs.otherRoot)),
      try good(
        "newer-time", "the serial counts, and not when it was signed",
        over: try text(serial: old - 1) { $0.issuedAt = newer }),
      try good("same", "the same again", expect: "unchanged", over: plain), unpinned,
      try good(
        "stranger", "over a newer one that is not good", over: try text(serial: newer, by: pairs.stranger)),
      try good(
        "other-topic", "over a newer one of another app",
        over: try text(serial: newer) { $0.claims["topic"] = "com.example.other".quoted }),
      try good("nothing", "over something that is no set", over: "."),
      try good(
        "not-ended", "one that has ended, over an older one that has not: it may remove a key", over: plain
      ) {
        $0.serial = newer
        $0.expiresAt = 1
      },
      try bad("newer", "over a newer one", "older-serial", over: try text(serial: newer)),
      try bad(
        "ended", "over a newer one that has ended: it may bring a key back", "older-serial",
        over: try text(serial: newer) { $0.expiresAt = 1 }),
      try bad(
        "same-serial-end", "over the same set with an earlier end", "same-serial", over: plain
      ) { $0.expiresAt += 1 },
      try bad(
        "newer-other-root", "over a newer one of the other root", "older-serial",
        over: try text(serial: newer, by: pairs.otherRoot)),
      try bad("same-serial", "over one of the same serial with another key", "same-serial", over: plain) {
        $0.keys = [keys.next]
      },
      try bad(
        "same-serial-root", "over the same claims, signed by the other root", "same-serial",
        over: try text(serial: old, by: pairs.otherRoot)),
      try bad("same-serial-space", "over the same claims, written otherwise", "same-serial", over: plain) {
        $0.changePayload = { Array($0.spacedText.utf8) }
      },
    ]
  }
}
