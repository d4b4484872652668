import PushCore

extension SenderVectors {
  func good() throws -> [SenderVector] {
    let ended = keys.next.with {
      $0["status"] = "accepted".quoted
      $0["nbf"] = "1790000000"
      $0["exp"] = "1792592000"
    }
    return [
      try accepted("plain", "the plain case: one active key, signed by a root"),
      try accepted("next", "and the key that the next rotation makes active, as an accepted one") {
        $0.keys = [keys.sender, keys.accepted]
      },
      try accepted("ended", "and a key whose life began and ended: nobody judges it here") {
        $0.keys = [keys.sender, ended]
      },
      try accepted("two-active", "two senders, each with an active key") {
        $0.keys = [keys.sender, keys.next]
      },
      try accepted("accepted-alone", "no active key: only a device's set needs one") {
        $0.keys = [keys.accepted]
      },
      try accepted("other-root", "signed by the second root") {
        $0 = SignedSetForge(sender: [keys.sender], by: pairs.otherRoot)
      },
      try accepted("serial-1", "the lowest serial") { $0.serial = 1 },
      try accepted("serial-2-53", "the greatest serial") { $0.serial = 9_007_199_254_740_991 },
      try accepted("iat-0", "a clock that stood at 1970") { $0.issuedAt = 0 },
      try accepted("iat-2-53", "the last moment") { $0.issuedAt = 9_007_199_254_740_991 },
      try accepted("exp-past", "it ended before it was signed: nobody judges it here") { $0.expiresAt = 1 },
      try accepted("exp-0", "the earliest end") { $0.expiresAt = 0 },
      try accepted("exp-2-53", "the latest end") { $0.expiresAt = 9_007_199_254_740_991 },
    ]
  }

  /// What is written otherwise than the package writes it.
  func goodForms() throws -> [SenderVector] {
    let bare = RawObject([("kty", "OKP".quoted), ("crv", "Ed25519".quoted), ("x", keys.sender["x"] ?? "")])
    let deep = String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
    var bareKey = try accepted("bare-key", "a key with nothing but its point, in a set without `v`") {
      $0.keys = [bare]
      $0.claims["keys"] = #"{"keys":[\#(bare.text)]}"#
    }
    bareKey.facts["kids"] = .array(forge.kids.map(JSONValue.string))
    return [
      bareKey,
      try accepted("order", "the members of header and claims in another order") {
        $0.header = $0.header.reversed
        $0.claims = $0.claims.reversed
      },
      try accepted("space", "white space in header and claims") {
        $0.changeHeader = { Array($0.spacedText.utf8) }
        $0.changePayload = { Array($0.spacedText.utf8) }
      },
      try accepted("escapes", "escapes in names and values of header and claims") {
        $0.header["typ"] = "sealed\\u002dpush-keys+jws".quoted
        $0.header.rename("alg", to: "\\u0061lg")
        $0.claims["topic"] = "\\u0063om.example.app".quoted
        $0.claims.rename("serial", to: "seria\\u006c")
      },
      try accepted("unknown", "claims and members that nobody knows, and `nbf`, which JWT would judge") {
        for (name, json) in [("nbf", "9007199254740991"), ("iss", "null"), ("crit", #"["exp"]"#)] {
          $0.claims.append(name, json)
        }
        $0.keys[0].append("key_ops", #"["verify"]"#)
        var set = RawObject.keySet($0.keys)
        set.append("serial", "-1")
        $0.claims["keys"] = set.text
      },
      try accepted("device-members", "a device's members, which nobody looks at here") {
        $0.claims.append("environment", "1")
        $0.claims.append("token", "null")
        $0.claims.append("challenge", "".quoted)
      },
      try accepted("deep", "32 containers deep, in a claim that is ignored") { $0.claims.append("x", deep) },
    ] + (try topics())
  }

  private func topics() throws -> [SenderVector] {
    let longest = String(repeating: "a-9.", count: 63) + "end"
    return try [("short", "a"), ("longest", longest), ("suffix-inside", "com.example.voip.x")].map {
      name, topic in
      var vector = try accepted("topic-\(name)", "another app's bundle id") {
        $0.claims["topic"] = topic.quoted
      }
      vector.topic = topic
      return vector
    }
  }

  /// Roots that the app has otherwise.
  func pinned() throws -> [SenderVector] {
    let ended: JSONObject = [
      "role": "root",
      "keys": [
        [
          "kty": "OKP", "crv": "Ed25519", "x": .string(pairs.root.x), "nbf": 9_007_199_254_740_991, "exp": 1,
          "status": "accepted",
        ]
      ],
    ]
    var alone = try accepted("root-ended", "of a root's key only the point counts: no life, no status")
    alone.pinned = ended
    var dropped = try refused(
      SetFault("root-dropped", "11.4", "unknown-signer", "a root that the app no longer has") { _ in })
    dropped.pinned = SigningPairs.roots([pairs.otherRoot])
    return [alone, dropped]
  }
}
