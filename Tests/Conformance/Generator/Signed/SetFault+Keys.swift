/// What may be wrong with the keys of a signed set: [11.7].
extension SetFault {
  private static func set(
    _ id: String, _ comment: String, _ reason: String = "invalid-keys",
    _ change: @escaping (inout RawObject) -> Void
  ) -> SetFault {
    SetFault("keys-\(id)", "11.7", reason, comment) {
      var set = RawObject.keySet($0.keys)
      change(&set)
      $0.claims["keys"] = set.text
    }
  }

  /// A fault of the first key.
  static func key(
    _ id: String, _ comment: String, _ change: @escaping (inout RawObject) -> Void
  ) -> SetFault {
    SetFault("keys-\(id)", "11.7", "invalid-keys", comment) { change(&$0.keys[0]) }
  }

  /// Other keys than should be there.
  static func others(
    _ id: String, _ comment: String, reason: String = "invalid-keys", role: String? = nil, _ keys: [RawObject]
  ) -> SetFault {
    set(id, comment, reason) {
      $0 = RawObject.keySet(keys)
      if let role { $0["role"] = role.quoted }
    }
  }

  /// Of any set.
  static var keys: [SetFault] {
    let secrets = ["d", "k", "p", "q", "dp", "dq", "qi", "oth", "priv"].map { name in
      key("private-\(name)", "a member in which keys of some kind keep a secret, empty as it is") {
        $0[name] = "null"
      }
    }
    let members: [(name: String, id: String, json: String?, comment: String)] = [
      ("kty", "absent", nil, "no `kty`"), ("kty", "rsa", "RSA".quoted, "another `kty`"),
      ("kty", "kelvin", "O\u{212A}P".quoted, "U+212A, which Unicode calls equivalent to K, in its place"),
      ("crv", "absent", nil, "no `crv`"),
      ("crv", "ed448", "Ed448".quoted, "another `crv`"), ("x", "absent", nil, "no `x`"),
      ("x", "number", "1", "an `x` that is no string"),
      ("x", "31-bytes", String(repeating: "A", count: 42).quoted, "an `x` of 31 bytes"),
      ("x", "small-order", String(repeating: "A", count: 43).quoted, "a point of small order"),
      ("kid", "number", "1", "a `kid` that is no string"),
      ("kid", "other", String(repeating: "A", count: 43).quoted, "the `kid` of another key"),
      ("use", "other", "other".quoted, "another `use`"), ("alg", "es256", "ES256".quoted, "another `alg`"),
      ("alg", "null", "null", "an `alg` that is no string"),
      ("status", "next", "next".quoted, "a status of private files alone"),
      ("status", "revoked", "revoked".quoted, "no such status"), ("iat", "negative", "-1", "before 1970"),
      ("nbf", "string", "1".quoted, "no number"),
      ("exp", "fraction", "1.5", "no integer"), ("exp", "2-53", "9007199254740992", "2^53"),
    ]
    return [
      set("empty", "no key") { $0["keys"] = "[]" },
      set("keys-absent", "no `keys` in it") { $0["keys"] = nil },
      set("object", "its `keys` is an object") { $0["keys"] = "{}" },
      set("number", "a key is a number") { $0["keys"] = "[1]" },
      set("v-2", "a newer version of sets") { $0["v"] = "2" },
      set("v-decimal", "a `v` that is no integer") { $0["v"] = "1.0" },
      set("role-number", "a `role` that is no string") { $0["role"] = "1" },
      set("role-unknown", "a `role` that nobody has") { $0["role"] = "x".quoted },
      SetFault("keys-twice", "11.7", "invalid-keys", "a key twice") { $0.keys.append($0.keys[0]) },
      SetFault("keys-twice-accepted", "11.7", "invalid-keys", "a key twice, as an active and an accepted one")
      {
        $0.keys.append($0.keys[0].with { $0["status"] = "accepted".quoted })
      },
    ] + secrets
      + members.map { name, id, value, comment in
        key("\(name)-\(id)", comment) {
          $0[name] = value
          if name == "x" { $0["kid"] = nil }
        }
      }
  }
}
