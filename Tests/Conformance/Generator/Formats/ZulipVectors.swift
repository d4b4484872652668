import Foundation
import PushCompat
import PushCore
import PushReceiver

/// What Zulip's servers send.
struct ZulipVectors {
  private static let text =
    #"{"type": "test", "realm_name": "R", "realm_url": "https://r.example", "time": 1754577820, "user_id": 10}"#
  /// The bytes from 0 to 31.
  private static let key = Array<UInt8>(0..<32)
  private static let number: JSONValue = 2_718_281_828

  func all() throws -> [FormatVector] {
    let good = try sealed("padded", "a base64 text that ends with padding", "Lunch at noon??")
    return try opened() + [good]
      + TextFaults(good: good, member: SecretBoxForge.member).all(EncodingFaults.base64)
      + numberFaults(good) + SecretBoxForge.lengthFaults(good, "12.28") + keyFaults(good)
      + SecretBoxForge.cipherFaults(good, "12.30") + refusals(good)
  }

  private func opened() throws -> [FormatVector] {
    var several = try sealed("several-keys", "the number says which of the keys it is", Self.text)
    several.parameters["keys"] = .array([
      Self.key(1, [UInt8](repeating: 1, count: 32)), Self.key(Self.number, Self.key),
      Self.key(2, [UInt8](repeating: 2, count: 32)),
    ])
    var twice = try sealed("number-twice", "of two keys with one number, the last one counts", Self.text)
    twice.parameters["keys"] = .array([
      Self.key(Self.number, [UInt8](repeating: 1, count: 32)), Self.key(Self.number, Self.key),
    ])
    return [
      try sealed("worked", "the bytes from 0 on are key and nonce", Self.text, nonce: Array(0..<24)), several,
      twice,
      try sealed("empty", "no plaintext: a nonce and a tag", ""),
      try sealed("number-0", "the smallest number", Self.text, number: 0),
      try sealed("number-most", "the greatest number", Self.text, number: 4_294_967_295),
      try sealed("8192", "as many characters as are looked at", String(repeating: "x", count: 6104)),
    ]
  }

  private func numberFaults(_ good: FormatVector) -> [FormatVector] {
    let values: [(String, String, JSONValue)] = [
      ("number-string", "the number as a string, as other pushes have it", "2718281828"),
      (
        "number-fraction", "a number with a fraction",
        .number(JSONNumber(literal: "2718281828.0") ?? JSONNumber(0))
      ),
      ("number-exponent", "a number with an exponent", .number(JSONNumber(literal: "1e0") ?? JSONNumber(0))),
      ("number-negative", "a negative number", -1), ("number-null", "no number", .null),
      ("number-too-great", "a number that 32 bits do not hold", 4_294_967_296),
      ("number-true", "no number", true),
    ]
    return values.map { name, comment, value in
      good.faulty(name, "12.27", .malformed(member: "push_key_id"), comment) {
        $0.payload["push_key_id"] = value
      }
    } + [
      good.faulty("number-absent", "12.27", .absent, "no number") { $0.payload["push_key_id"] = nil },
      good.faulty(
        "number-first", "12.27", .malformed(member: "push_key_id"), "the number comes before the box"
      ) {
        ($0.payload["push_key_id"], $0.payload[SecretBoxForge.member]) = ("1", nil)
      },
    ]
  }

  private func keyFaults(_ good: FormatVector) -> [FormatVector] {
    [
      good.faulty("unknown-number", "12.29", .wrongKey, "a number that no key has") {
        $0.payload["push_key_id"] = 1
      },
      good.faulty("no-keys", "12.29", .wrongKey, "no account has a key") {
        $0.parameters["keys"] = .array([])
      },
      good.faulty("wrong-key", "12.30", .notAuthentic, "another key under its number") {
        $0.parameters["keys"] = .array([Self.key(Self.number, [UInt8](repeating: 1, count: 32))])
      },
    ]
  }

  private func refusals(_ good: FormatVector) -> [FormatVector] {
    let tagged = [0x31] + Self.key
    let texts: [(String, String, String)] = [
      ("push-key-tag", "the byte of another algorithm", Data([0x30] + Self.key).base64EncodedString()),
      ("push-key-32", "a key that is too short", Data(tagged.dropLast()).base64EncodedString()),
      ("push-key-34", "a key that is too long", Data(tagged + [0]).base64EncodedString()),
      ("push-key-untagged", "the key alone", Data(Self.key).base64EncodedString()),
      (
        "push-key-url-alphabet", "base64 of the other alphabet",
        "MQAB_" + Data(tagged).base64EncodedString().dropFirst(5)
      ),
    ]
    return texts.map { name, comment, text in
      good.refused(name, "12.26", comment, ["keys": [["id": 1, "pushKey": .string(text)]]])
    }
  }

  private static func key(_ number: JSONValue, _ key: [UInt8]) -> JSONValue {
    ["id": number, "pushKey": .string(Data([0x31] + key).base64EncodedString())]
  }

  private func sealed(
    _ suffix: String, _ comment: String, _ plaintext: String, nonce: [UInt8]? = nil,
    number: JSONValue = number
  ) throws -> FormatVector {
    let id = "\(Zulip.name)-\(suffix)"
    let nonce = nonce ?? SecretBoxForge.nonce(id)
    return try FormatVector(
      id: id, comment: comment, format: Zulip.name,
      parameters: ["keys": [Self.key(number, Self.key)]], random: nonce,
      payload: [
        "aps": ["alert": ["title": "New notification"], "mutable-content": 1], "push_key_id": number,
        SecretBoxForge.member: SecretBoxForge.text(plaintext, key: Self.key, nonce: nonce),
      ], outcome: .opened(Array(plaintext.utf8)))
  }
}
