/// What may be wrong with the claims, and with the keys, of any signed set.
extension SetFault {
  private static func claim(
    _ id: String, _ comment: String, _ reason: String = "malformed-claims",
    _ change: @escaping (inout RawObject) -> Void
  ) -> SetFault {
    SetFault("claims-\(id)", "11.6", reason, comment) { change(&$0.claims) }
  }

  /// [11.6], but for numbers.
  static var claims: [SetFault] {
    let versions: [(String, String?, String)] = [
      ("2", "2", "a newer version"), ("decimal", "1.0", "no integer"), ("string", "1".quoted, "a string"),
      ("true", "true", "a boolean"), ("absent", nil, "no `v`"),
    ]
    let topics: [(String, String?, String)] = [
      ("absent", nil, "no `topic`"), ("number", "5", "no string"), ("null", "null", "no string"),
      ("empty", "".quoted, "no character"), ("accent", "com.example.é".quoted, "no ASCII"),
      ("space", "com.example.app ".quoted, "a space at the end"),
      ("256", String(repeating: "a", count: 256).quoted, "one character too many"),
    ]
    let suffixes = [
      "voip", "voip-ptt", "complication", "pushkit.fileprovider", "location-query", "push-type.liveactivity",
      "push-type.widgets", "push-type.controls",
    ]
    let keys: [(String, String?, String)] = [
      ("absent", nil, "no `keys`"), ("array", "[]", "an array"), ("text", "{}".quoted, "a string"),
      ("null", "null", "nothing"),
    ]
    return versions.map { id, value, comment in
      claim("v-\(id)", comment, "unsupported-version") { $0["v"] = value }
    }
      + topics.map { id, value, comment in claim("topic-\(id)", comment) { $0["topic"] = value } }
      + suffixes.map { suffix in
        claim(
          "topic-\(suffix.split(separator: ".").joined(separator: "-"))", "a topic of APNs, not a bundle id"
        ) {
          $0["topic"] = "com.example.app.\(suffix)".quoted
        }
      }
      + keys.map { id, value, comment in claim("keys-\(id)", comment) { $0["keys"] = value } }
  }

  static var numbers: [SetFault] {
    ["serial", "iat"].flatMap(numbers) + [claim("serial-zero", "`serial`: below 1") { $0["serial"] = "0" }]
  }

  /// What may be wrong with a claim that is a number.
  static func numbers(of name: String) -> [SetFault] {
    let common: [(String, String?, String)] = [
      ("absent", nil, "not there"), ("negative", "-1", "below zero"),
      ("minus-zero", "-0", "not digits alone"),
      ("fraction", "1.5", "no integer"), ("decimal", "1.0", "not digits alone"),
      ("exponent", "1e0", "not digits alone"), ("string", "1".quoted, "a string"),
      ("null", "null", "nothing"),
      ("2-53", "9007199254740992", "one too many"),
      ("2-64", "18446744073709551617", "1, to who counts with 64 bits"),
    ]
    return common.map { id, value, comment in
      claim("\(name)-\(id)", "`\(name)`: \(comment)") { $0[name] = value }
    }
  }

  /// The payload is not strict JSON, or no object.
  static var json: [SetFault] {
    func payload(_ id: String, _ comment: String, _ change: @escaping ([UInt8]) -> [UInt8]) -> SetFault {
      SetFault("payload-\(id)", "11.6", "malformed-claims", comment) {
        $0.changePayload = { change(Array($0.text.utf8)) }
      }
    }
    let deep = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    return [
      payload("array", "the claims in an array") { Array("[".utf8) + $0 + Array("]".utf8) },
      payload("bom", "a byte order mark") { [0xef, 0xbb, 0xbf] + $0 },
      payload("more", "something behind the object") { $0 + Array("{}".utf8) },
      payload("cut", "the last byte is gone") { $0.dropLast() },
      claim("twice", "`serial` twice, the second one as an escape") { $0.append("\\u0073erial", "1") },
      claim("twice-deep", "a member twice, deep in one that is ignored") {
        $0.append("x", #"[{"y":1,"y":1}]"#)
      },
      claim("surrogate", "half of a surrogate pair, in one that is ignored") { $0.append("x", #""\ud800""#) },
      claim("deep", "33 containers deep, in one that is ignored") { $0.append("x", deep) },
    ]
  }
}
