import PushCompat
import PushCrypto
import PushCore
import PushReceiver
import PushTesting
import Testing

/// Web Push in `aes128gcm`, as relays carry it.
struct WebPushVectors {
  /// RFC 8291's own salt and sender's private key.
  static let example = ["DGv6ra1nlYgDCS1FRnbzlw", "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"]

  func all() throws -> [FormatVector] {
    let z85 = try good("z85-odd", "a text that ends with part of a group") { $0.padding = 1 }
    let base64 = try good("base64url-odd", "a text that ends with part of a group") {
      ($0.carriage, $0.padding) = ("base64url", 2)
    }
    return try opened() + [z85, base64] + paddedText(base64) + others(z85)
      + TextFaults(good: z85, member: "p", prefix: "p-").all(EncodingFaults.z85)
      + TextFaults(good: base64, member: "m", prefix: "m-").all(EncodingFaults.base64URL)
      + carriageFaults(z85) + layoutFaults() + keyFaults() + cipherFaults(z85) + recordFaults()
      + refusals(z85)
  }

  private func opened() throws -> [FormatVector] {
    let example = try Self.example.flatMap { try Base64URL.decode($0) }
    return [
      try good("worked-z85", "the example of RFC 8291, 5, in Z85") { $0.random = example },
      try good("worked-base64url", "the same in base64url") {
        $0.random = example
        $0.carriage = "base64url"
      },
      try good("padding", "a hundred zeros behind the delimiter") { $0.padding = 100 },
      try good("empty", "no data, and no padding") { $0.plaintext = [] },
      try good("data-zeros", "zeros and delimiters that are data") { $0.plaintext = [0, 2, 2, 0, 1, 0] },
      try good("4096", "a body as long as push services take") {
        $0.plaintext = [UInt8](repeating: UInt8(ascii: "x"), count: 3993)
      },
      try other("record-size-exact", "the record size is the record's length") {
        $0.recordSize = 41 + 1 + 16
      },
      try other("record-size-18", "the smallest record size there can be") {
        ($0.plaintext, $0.recordSize) = ([1], 18)
      },
      try other("record-size-most", "the greatest record size there can be") { $0.recordSize = 0xffff_ffff },
    ]
  }

  private func paddedText(_ base64: FormatVector) throws -> [FormatVector] {
    let text = try #require(base64.payload["m"]?.string)
    var vector = try other("base64url-padded", "base64url with padding") {
      ($0.random, $0.carriage, $0.padding) = (base64.random ?? [], "base64url", 2)
    }
    vector.payload["m"] = .string(EncodingFaults.padded(text))
    return [vector]
  }

  /// The other carriage's member is not looked at.
  private func others(_ z85: FormatVector) throws -> [FormatVector] {
    var vector = try other("both", "a member of the other carriage, which is not looked at") {
      $0.padding = 1
    }
    vector.payload["m"] = 5
    return [vector]
  }

  private func carriageFaults(_ good: FormatVector) -> [FormatVector] {
    let comment = "with a member of aesgcm's it is not this format"
    return [
      good.faulty("with-k", "12.13", .absent, comment) { $0.payload["k"] = "0" },
      good.faulty("with-s", "12.13", .absent, comment) { $0.payload["s"] = .null },
      good.faulty("other-carriage", "12.1", .absent, "it came by the other carriage") {
        $0.parameters["carriage"] = "base64url"
      },
    ]
  }

  private func layoutFaults() throws -> [FormatVector] {
    let cases: [(String, String, (inout WebPushForge) -> Void)] = [
      ("short", "no room for a delimiter", { $0.record = [] }),
      ("header-alone", "no record", { $0.changeBody = { Array($0.prefix(86)) } }),
      ("no-bytes", "no bytes", { $0.changeBody = { _ in [] } }),
      (
        "key-id-64", "another length of the key's name",
        { $0.changeBody = { change($0, at: 20) { _ in 64 } } }
      ),
      (
        "compressed", "the public key begins with 0x02", { $0.changeBody = { change($0, at: 21) { _ in 2 } } }
      ),
      ("record-size-17", "a record size that no record has", { ($0.recordSize, $0.record) = (17, [2]) }),
      ("record-size-0", "no record size", { $0.recordSize = 0 }),
      ("records", "a record that is longer than one may be", { $0.recordSize = 41 + 1 + 16 - 1 }),
    ]
    return try cases.map { try faulty($0, "12.14", .malformed(member: "p"), $1, $2) }
  }

  private func keyFaults() throws -> [FormatVector] {
    try P256Faults.points.map { name, comment, point in
      try faulty(name, "12.15", .malformed(member: "p"), comment) { $0.sentKey = point }
    }
  }

  private func cipherFaults(_ good: FormatVector) throws -> [FormatVector] {
    let cases: [(String, String, (inout WebPushForge) -> Void)] = [
      ("tag", "a bit of the tag is another", { $0.changeBody = { change($0, at: $0.count - 1) { $0 ^ 1 } } }),
      ("flipped", "a bit of the record is another", { $0.changeBody = { change($0, at: 86) { $0 ^ 1 } } }),
      ("salt-flipped", "a bit of the salt is another", { $0.changeBody = { change($0, at: 0) { $0 ^ 1 } } }),
      ("cut", "a byte is gone", { $0.changeBody = { $0.dropLast() } }),
      ("longer", "a byte too many", { $0.changeBody = { $0 + [0] } }),
      (
        "other-sender", "another public key, which is a point too",
        { $0.sentKey = P256Faults.otherPoint }
      ),
    ]
    return try cases.map { try faulty($0, "12.16", .notAuthentic, $1, $2) } + [
      good.faulty("wrong-key", "12.16", .notAuthentic, "another private key") {
        $0.parameters["privateKey"] = .string(Self.example[1])
      },
      good.faulty("wrong-auth", "12.16", .notAuthentic, "another secret") {
        $0.parameters["auth"] = .string(Self.example[0])
      },
    ]
  }

  private func recordFaults() throws -> [FormatVector] {
    let cases: [(String, String, [UInt8])] = [
      ("delimiter-1", "the delimiter says that another record follows", [7, 1]),
      ("delimiter-3", "no delimiter", [7, 3, 0]), ("zeros", "zeros alone", [0, 0, 0]),
    ]
    return try cases.map { name, comment, record in
      try faulty(name, "12.17", .malformed(member: "p"), comment) { $0.record = record }
    }
  }

  private func refusals(_ good: FormatVector) -> [FormatVector] {
    P256Faults.privateKeys.map { good.refused($0, "12.12", $1, ["privateKey": .string($2)]) } + [
      good.refused("auth-15", "12.12", "a secret that is too short", ["auth": "BTBZMqHH6r4Tts7J_aSI"]),
      good.refused("auth-17", "12.12", "a secret that is too long", ["auth": "BTBZMqHH6r4Tts7J_aSIggA"]),
    ]
  }

  /// What a sealer makes.
  private func good(
    _ suffix: String, _ comment: String, _ change: (inout WebPushForge) -> Void
  ) throws -> FormatVector {
    var forge = WebPushForge("\(WebPush.name)-\(suffix)", comment)
    change(&forge)
    return try forge.standard()
  }

  /// What this package's sealer does not make.
  private func other(
    _ suffix: String, _ comment: String, _ change: (inout WebPushForge) -> Void
  ) throws -> FormatVector {
    var vector = try good(suffix, comment, change)
    vector.random = nil
    return vector
  }

  private func faulty(
    _ suffix: String, _ rule: String, _ error: EnvelopeFormatError, _ comment: String,
    _ change: (inout WebPushForge) -> Void
  ) throws -> FormatVector {
    var vector = try other(suffix, comment, change)
    vector.outcome = .fault(rule: rule, error)
    return vector
  }
}

/// Bytes with another one at an index.
func change(_ bytes: [UInt8], at index: Int, _ change: (UInt8) -> UInt8) -> [UInt8] {
  var bytes = bytes
  bytes[index] = change(bytes[index])
  return bytes
}
