import PushCore

/// A JWK Set that is accepted with these keys, or refused as a whole.
struct SetVector {
  let id: String
  let comment: String
  let set: String
  var isPrivate = false
  /// How many more keys are at the end of its `keys`.
  var fill = 0
  /// The keys' thumbprints, without those; null if the set is refused.
  var kids: [String]?

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment), "set": .string(set)]
    if isPrivate { object["private"] = true }
    if fill > 0 { object["fill"] = .number(JSONNumber(fill)) }
    object["expect"] = .string(kids == nil ? "refused" : "accepted")
    object["kids"] = kids.map { .array($0.map(JSONValue.string)) }
    return object
  }
}

/// Makes sets that are not signed: what reads one refuses more than what reads a signed one.
struct SetVectors {
  let keys: PublicKeys

  func all() -> [SetVector] { good() + refused() }

  private func kid(_ key: RawObject) -> String { String(key["kid"]?.dropFirst().dropLast() ?? "") }

  private func good() -> [SetVector] {
    func accepted(
      _ id: String, _ comment: String, _ keys: [RawObject], fill: Int = 0,
      _ change: (inout RawObject) -> Void = { _ in }
    ) -> SetVector {
      SetVector(id: "set-\(id)", comment: comment, set: text(keys, change), fill: fill, kids: keys.map(kid))
    }
    let old = keys.x25519.with { $0["status"] = "accepted".quoted }
    return [
      accepted("device", "a device's", [keys.x25519, keys.p256]),
      accepted("sender", "a sender's", [keys.sender]),
      accepted("no-v", "without `v`", [keys.x25519]) { $0["v"] = nil },
      accepted("accepted", "none of them active", [old]),
      accepted("two-senders", "two senders, each with an active key", [keys.sender, keys.next]),
      accepted("more", "members that nobody knows", [keys.x25519]) { $0.append("serial", "-1") },
      accepted("16384", "as many keys as there may be", [keys.x25519], fill: 16_383),
    ]
  }

  private func refused() -> [SetVector] {
    func bad(
      _ id: String, _ comment: String, _ keys: [RawObject], fill: Int = 0,
      _ change: (inout RawObject) -> Void = { _ in }
    ) -> SetVector { SetVector(id: "set-\(id)", comment: comment, set: text(keys, change), fill: fill) }
    let roles: [(String, String, RawObject)] = [
      ("root", "root".quoted, keys.sender), ("identity", "identity".quoted, keys.sender),
      ("device", "device".quoted, keys.x25519), ("empty", "".quoted, keys.x25519),
      ("null", "null", keys.x25519),
      ("number", "1", keys.sender),
    ]
    let secrets = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"]
    let forms = [
      bad("16385", "one too many", [keys.x25519], fill: 16_384), bad("empty", "no key", []),
      SetVector(id: "set-array", comment: "the keys alone", set: "[" + keys.x25519.text + "]"),
      SetVector(id: "set-null", comment: "nothing", set: "null"),
      SetVector(id: "set-string", comment: "no object", set: "keys".quoted),
      bad("keys-absent", "no `keys`", []) { $0["keys"] = nil },
      bad("keys-object", "no array", []) { $0["keys"] = keys.x25519.text },
      bad("keys-array", "a key in an array", []) { $0["keys"] = "[[\(keys.x25519.text)]]" },
      bad("v-2", "a newer version", [keys.x25519]) { $0["v"] = "2" },
      bad("v-decimal", "no integer", [keys.x25519]) { $0["v"] = "1.0" },
      bad("v-null", "nothing", [keys.x25519]) { $0["v"] = "null" },
      bad("twice", "a key twice", [keys.sender, keys.sender]),
      bad("mixed", "keys of a device and of a sender", [keys.x25519, keys.sender]),
      bad("two-active", "two active keys of one suite", [keys.x25519, keys.rotated]),
    ]
    let withRole = roles.map { name, role, key in
      bad("role-\(name)", "a set with a role is none of these", [key]) { $0.append("role", role) }
    }
    return forms + withRole
      + secrets.map { name in
        bad("private-\(name)", "a private member, empty as it is", [keys.x25519.with { $0[name] = "null" }])
      }
  }

  private func text(_ keys: [RawObject], _ change: (inout RawObject) -> Void) -> String {
    RawObject.keySet(keys).with(change).text
  }
}
