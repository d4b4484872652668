import PushCompat
import PushCore
import PushReceiver
import Testing

/// Web Push in `aesgcm`, as relays carry it.
struct WebPushDraftVectors {
  func all() throws -> [FormatVector] {
    let z85 = try good("z85-odd", "a text that ends with part of a group") { $0.padding = 2 }
    let base64 = try good("base64url-odd", "texts that end with part of a group") {
      ($0.carriage, $0.padding) = ("base64url", 2)
    }
    return try opened() + [z85, base64]
      + TextFaults(good: z85, member: "p", prefix: "p-").all(EncodingFaults.z85)
      + TextFaults(good: base64, member: "m", prefix: "m-").all(EncodingFaults.base64URL)
      + TextFaults(good: base64, member: "k", prefix: "k-").all(EncodingFaults.base64URL)
      + TextFaults(good: base64, member: "s", prefix: "s-").all(EncodingFaults.base64URL)
      + carriageFaults(z85) + lengthFaults() + keyFaults() + cipherFaults(z85) + recordFaults()
      + refusals(z85)
  }

  private func opened() throws -> [FormatVector] {
    let example = try WebPushVectors.example.flatMap { try Base64URL.decode($0) }
    var padded = try good("base64url-padded", "base64url with padding") { $0.carriage = "base64url" }
    for member in ["m", "k", "s"] {
      padded.payload[member] = .string(EncodingFaults.padded(try #require(padded.payload[member]?.string)))
    }
    padded.random = nil
    return [
      try good("worked-z85", "the keys and salt of RFC 8291, 5, in Z85") { $0.random = example },
      try good("worked-base64url", "the same in base64url") {
        ($0.random, $0.carriage) = (example, "base64url")
      },
      padded, try good("padding", "three hundred zeros before the data") { $0.padding = 300 },
      try good("empty", "no data, and no padding") { $0.plaintext = [] },
      try good("padding-alone", "no data, and padding") { ($0.plaintext, $0.padding) = ([], 7) },
      try good("4111", "a body as long as one record has it") {
        $0.plaintext = [UInt8](repeating: UInt8(ascii: "x"), count: 4093)
      },
    ]
  }

  private func carriageFaults(_ good: FormatVector) throws -> [FormatVector] {
    let comment = "without both of them it is not this format"
    return [
      good.faulty("no-k-no-s", "12.18", .absent, comment) { ($0.payload["k"], $0.payload["s"]) = (nil, nil) },
      good.faulty("other-carriage", "12.1", .absent, "it came by the other carriage") {
        $0.parameters["carriage"] = "base64url"
      },
    ]
  }

  private func lengthFaults() throws -> [FormatVector] {
    let cases: [(String, String, String, (inout WebPushForge) -> Void)] = [
      ("p-17", "p", "no room for the padding's length", { $0.record = [0] }),
      ("p-0", "p", "no bytes", { $0.changeBody = { _ in [] } }),
      ("p-4112", "p", "more than one record has", { $0.record = [UInt8](repeating: 0, count: 4096) }),
      ("k-64", "k", "a public key that is too short", { $0.sentKey = P256Faults.otherPoint.dropLast() }),
      ("k-66", "k", "a public key that is too long", { $0.sentKey = P256Faults.otherPoint + [0] }),
      (
        "k-compressed", "k", "the public key begins with 0x02",
        { $0.sentKey = change(P256Faults.otherPoint, at: 0) { _ in 2 } }
      ),
      ("s-15", "s", "a salt that is too short", { $0.sentSalt = $0.salt.dropLast() }),
      ("s-17", "s", "a salt that is too long", { $0.sentSalt = $0.salt + [0] }),
      (
        "s-before-point", "s", "the salt's length comes before the point",
        { ($0.sentSalt, $0.sentKey) = ([], P256Faults.points[0].bytes) }
      ),
    ]
    return try cases.map { try faulty($0, "12.19", .malformed(member: $1), $2, $3) }
  }

  private func keyFaults() throws -> [FormatVector] {
    try P256Faults.points.map { name, comment, point in
      try faulty(name, "12.20", .malformed(member: "k"), comment) { $0.sentKey = point }
    }
  }

  private func cipherFaults(_ good: FormatVector) throws -> [FormatVector] {
    let cases: [(String, String, (inout WebPushForge) -> Void)] = [
      ("tag", "a bit of the tag is another", { $0.changeBody = { change($0, at: $0.count - 1) { $0 ^ 1 } } }),
      ("flipped", "a bit of the body is another", { $0.changeBody = { change($0, at: 0) { $0 ^ 1 } } }),
      ("cut", "a byte is gone", { $0.changeBody = { $0.dropLast() } }),
      ("other-sender", "another public key, which is a point too", { $0.sentKey = P256Faults.otherPoint }),
      ("other-salt", "another salt", { $0.sentSalt = change($0.salt, at: 15) { $0 ^ 1 } }),
    ]
    return try cases.map { try faulty($0, "12.21", .notAuthentic, $1, $2) } + [
      good.faulty("wrong-key", "12.21", .notAuthentic, "another private key") {
        $0.parameters["privateKey"] = .string(WebPushVectors.example[1])
      },
      good.faulty("wrong-auth", "12.21", .notAuthentic, "another secret") {
        $0.parameters["auth"] = .string(WebPushVectors.example[0])
      },
    ]
  }

  private func recordFaults() throws -> [FormatVector] {
    let cases: [(String, String, [UInt8])] = [
      ("padding-long", "more padding than there are bytes", [0, 2, 0]),
      ("padding-longer", "the number's first byte counts, too", [1, 0, 0]),
      ("padding-not-zero", "a byte of padding is not zero", [0, 2, 0, 1, 7]),
      ("padding-first-not-zero", "the first byte of padding is not zero", [0, 2, 1, 0, 7]),
    ]
    return try cases.map { name, comment, record in
      try faulty(name, "12.22", .malformed(member: "p"), comment) { $0.record = record }
    }
  }

  private func refusals(_ good: FormatVector) -> [FormatVector] {
    [
      good.refused("auth-15", "12.12", "a secret that is too short", ["auth": "BTBZMqHH6r4Tts7J_aSI"]),
      good.refused(
        "private-key-0", "12.12", "a private key of zeros",
        ["privateKey": .string(String(repeating: "A", count: 43))]),
    ]
  }

  private func good(
    _ suffix: String, _ comment: String, _ change: (inout WebPushForge) -> Void
  ) throws -> FormatVector {
    var forge = WebPushForge("\(WebPushDraft.name)-\(suffix)", comment)
    change(&forge)
    return try forge.draft()
  }

  private func faulty(
    _ suffix: String, _ rule: String, _ error: EnvelopeFormatError, _ comment: String,
    _ change: (inout WebPushForge) -> Void
  ) throws -> FormatVector {
    var vector = try good(suffix, comment, change)
    vector.random = nil
    vector.outcome = .fault(rule: rule, error)
    return vector
  }
}
