import PushCompat
import PushCore
import PushReceiver

/// What Home Assistant sends.
struct HomeAssistantVectors {
  private static let text = #"{"title":"t","message":"m"}"#
  private static let secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

  func all() throws -> [FormatVector] {
    let good = try sealed("padded", "a base64 text that ends with padding", plaintext: "Lunch at noon??")
    return try opened() + [good]
      + TextFaults(good: good, member: SecretBoxForge.member).all(EncodingFaults.base64)
      + flagFaults(good) + SecretBoxForge.lengthFaults(good, "12.33") + webhookFaults(good)
      + SecretBoxForge.cipherFaults(good, "12.35") + keyFaults(good) + refusals(good)
  }

  private func opened() throws -> [FormatVector] {
    let nonce = Array<UInt8>(0..<24)
    var named = try sealed("webhook", "the webhook that the app has named")
    named.parameters["webhookID"] = "w1"
    named.payload["webhook_id"] = "w1"
    var unnamed = try sealed("webhook-unnamed", "a webhook, and the app has named none")
    unnamed.payload["webhook_id"] = "w1"
    var absent = try sealed("webhook-absent", "the app has named a webhook, and the payload names none")
    absent.parameters["webhookID"] = "w1"
    return [
      try sealed("worked-hexadecimal", "the secret's digits are the key", nonce: nonce),
      try sealed(
        "worked-truncated", "the secret's first characters are the key", rule: "truncated", nonce: nonce),
      try sealed("upper-case", "digits in either case", secret: Self.secret.uppercased()),
      try sealed("truncated-short", "zeros behind a short secret", secret: "short", rule: "truncated"),
      try sealed(
        "truncated-32", "a secret of 32 bytes", secret: String(Self.secret.prefix(32)), rule: "truncated"),
      try sealed(
        "truncated-utf8", "bytes are counted, not characters", secret: String(repeating: "é", count: 17),
        rule: "truncated"),
      named, unnamed, absent, try sealed("empty", "no plaintext: a nonce and a tag", plaintext: ""),
      try sealed(
        "8192", "as many characters as are looked at", plaintext: String(repeating: "x", count: 6104)),
    ]
  }

  private func flagFaults(_ good: FormatVector) -> [FormatVector] {
    [("number", 1), ("string", "true"), ("null", JSONValue.null)].map { name, value in
      good.faulty("encrypted-\(name)", "12.32", .malformed(member: "encrypted"), "neither true nor false") {
        $0.payload["encrypted"] = value
      }
    } + [
      good.faulty("encrypted-absent", "12.32", .absent, "it does not say that it is encrypted") {
        $0.payload["encrypted"] = nil
      },
      good.faulty("encrypted-false", "12.32", .absent, "it says that it is not encrypted") {
        $0.payload["encrypted"] = false
      },
      good.faulty("encrypted-first", "12.32", .malformed(member: "encrypted"), "it comes before the box") {
        ($0.payload["encrypted"], $0.payload[SecretBoxForge.member]) = (1, 5)
      },
    ]
  }

  private func webhookFaults(_ good: FormatVector) -> [FormatVector] {
    [
      good.faulty(
        "webhook-number", "12.34", .malformed(member: "webhook_id"), "the webhook's id is no string"
      ) {
        $0.payload["webhook_id"] = 1
      },
      good.faulty("webhook-null", "12.34", .malformed(member: "webhook_id"), "null is no string either") {
        $0.payload["webhook_id"] = .null
      },
      good.faulty("webhook-other", "12.34", .wrongKey, "another webhook") {
        $0.payload["webhook_id"] = "w2"
        $0.parameters["webhookID"] = "w1"
      },
      // U+00E9, and e with U+0301.
      good.faulty("webhook-equivalent", "12.34", .wrongKey, "the same to Unicode, and not byte by byte") {
        $0.payload["webhook_id"] = "e\u{301}"
        $0.parameters["webhookID"] = "\u{e9}"
      },
    ]
  }

  private func keyFaults(_ good: FormatVector) -> [FormatVector] {
    [
      good.faulty("wrong-rule", "12.35", .notAuthentic, "the secret's key by the other rule") {
        $0.parameters["rule"] = "truncated"
      },
      good.faulty("wrong-secret", "12.35", .notAuthentic, "another secret") {
        $0.parameters["secret"] = .string("1" + Self.secret.dropFirst())
      },
    ]
  }

  private func refusals(_ good: FormatVector) -> [FormatVector] {
    let secrets: [(String, String, String)] = [
      ("secret-63", "a digit too few", String(Self.secret.dropLast())),
      ("secret-65", "a digit too many", Self.secret + "0"),
      ("secret-g", "a letter that is no digit", Self.secret.dropLast() + "g"),
      ("secret-empty", "no secret", ""),
      ("secret-full-width", "64 bytes, and a digit that is not ASCII's", Self.secret.dropLast(3) + "１"),
    ]
    return secrets.map { good.refused($0, "12.31", $1, ["secret": .string($2)]) } + [
      good.refused(
        "truncated-empty", "12.31", "no secret, by the other rule", ["secret": "", "rule": "truncated"])
    ]
  }

  private func sealed(
    _ suffix: String, _ comment: String, secret: String = secret, rule: String = "hexadecimal",
    plaintext: String = text, nonce: [UInt8]? = nil
  ) throws -> FormatVector {
    let id = "\(HomeAssistant.name)-\(suffix)"
    let nonce = nonce ?? SecretBoxForge.nonce(id)
    let key = rule == "hexadecimal" ? Self.bytes(secret) : Array((Array(secret.utf8) + Self.zeros).prefix(32))
    return try FormatVector(
      id: id, comment: comment, format: HomeAssistant.name,
      parameters: ["secret": .string(secret), "rule": .string(rule)], random: nonce,
      payload: [
        "aps": ["alert": ["title": "Encrypted notification"], "mutable-content": 1], "encrypted": true,
        SecretBoxForge.member: SecretBoxForge.text(plaintext, key: key, nonce: nonce),
      ], outcome: .opened(Array(plaintext.utf8)))
  }

  private static let zeros = [UInt8](repeating: 0, count: 32)

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.compactMap(\.hexDigitValue)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
