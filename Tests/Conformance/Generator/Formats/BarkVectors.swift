import Foundation
import PushCompat
import PushCrypto
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What the app Bark gets.
struct BarkVectors {
  private static let key = "12345678901234567890123456789012"
  private static let text = #"{"body": "test", "sound": "birdsong"}"#

  func all() throws -> [FormatVector] {
    let good = try sealed("padded", "a base64 text that ends with padding", "gcm", key: 32, "Lunch at noon!!")
    let cbc = try sealed("cbc-block", "a whole block, and one of padding", "cbc", key: 16, "Lunch at noon ??")
    return try modes() + [good, cbc] + shapes(good)
      + TextFaults(good: good, member: "ciphertext").all(EncodingFaults.base64)
      + lengthFaults(good, cbc) + vectorFaults(good, cbc) + cipherFaults(good, cbc) + refusals(good, cbc)
  }

  private func modes() throws -> [FormatVector] {
    var vectors = [
      try sealed("worked-cbc", "Bark's own example", "cbc", key: 16, iv: "1111111111111111"),
      try sealed("worked-gcm", "the same text by GCM", "gcm", key: 32, iv: "123456789012"),
    ]
    for mode in ["cbc", "gcm"] {
      for size in Bark.keySizes {
        vectors.append(
          try sealed("\(mode)-\(8 * size)", "this mode, with a key of \(size) bytes", mode, key: size))
      }
    }
    return vectors
  }

  private func shapes(_ good: FormatVector) throws -> [FormatVector] {
    var kept = try sealed("iv-kept", "the app keeps the vector", "cbc", key: 16, iv: "1111111111111111")
    kept.payload["iv"] = nil
    kept.parameters["iv"] = "1111111111111111"
    var both = try sealed("iv-both", "the payload's vector counts, not the kept one", "gcm", key: 16)
    both.parameters["iv"] = "000000000000"
    var matrix = good.faulty("ephemeral", "", .absent, "with a member of Matrix's it looks like nothing") {
      $0.payload["ephemeral"] = "AA"
    }
    matrix.outcome = good.outcome
    return [
      kept, both, matrix, try altered(), try saltedVector(),
      try sealed("gcm-empty", "no plaintext: the tag alone", "gcm", key: 16, ""),
      try sealed("iv-utf8", "a vector of six characters and twelve bytes", "gcm", key: 16, iv: "éééééé"),
      try sealed(
        "8192", "as many characters as are looked at", "gcm", key: 16, String(repeating: "x", count: 6128)),
    ]
  }

  /// What stands in the vector is what somebody chose.
  private func altered() throws -> FormatVector {
    var vector = try sealed(
      "altered", "a character of iv was changed on the way: it opens, altered, for CBC authenticates nothing",
      "cbc", key: 16, #"{"body":"pay 1"}"#, iv: "1111111111111111")
    vector.random = nil
    vector.payload["iv"] = "1111111111111911"
    vector.outcome = .opened(Array(#"{"body":"pay 9"}"#.utf8))
    return vector
  }

  /// Two formats look alike; the key tells.
  private func saltedVector() throws -> FormatVector {
    var vector = try sealed("looks-salted", "a ciphertext that begins as OpenSSL's do", "gcm", key: 16)
    vector.payload["note"] = "U2FsdGVkX1"
    return vector
  }

  private func lengthFaults(_ gcm: FormatVector, _ cbc: FormatVector) throws -> [FormatVector] {
    func faulty(_ good: FormatVector, _ name: String, _ comment: String, _ count: Int) -> FormatVector {
      good.faulty(name, "12.9", .malformed(member: "ciphertext"), comment) {
        $0.payload["ciphertext"] = .string(Data(count: count).base64EncodedString())
      }
    }
    return [
      faulty(gcm, "gcm-15", "no room for a tag", 15), faulty(gcm, "gcm-0", "no bytes", 0),
      faulty(cbc, "cbc-0", "no block", 0), faulty(cbc, "cbc-31", "a block that is not whole", 31),
      faulty(cbc, "cbc-17", "a byte behind the block", 17),
    ]
  }

  private func vectorFaults(_ gcm: FormatVector, _ cbc: FormatVector) -> [FormatVector] {
    func faulty(
      _ good: FormatVector, _ name: String, _ comment: String, _ value: JSONValue?
    ) -> FormatVector {
      good.faulty(name, "12.10", .malformed(member: "iv"), comment) { $0.payload["iv"] = value }
    }
    var number = faulty(gcm, "iv-number", "the vector is no string, and the kept one does not stand in", 12)
    number.parameters["iv"] = "123456789012"
    return [
      faulty(gcm, "iv-absent", "no vector, and none is kept", nil), number,
      faulty(gcm, "iv-gcm-16", "the vector of CBC", "1111111111111111"),
      faulty(gcm, "iv-gcm-11", "a character too few", "11111111111"),
      faulty(cbc, "iv-cbc-12", "the vector of GCM", "111111111111"),
      faulty(cbc, "iv-cbc-17", "a character too many", "11111111111111111"),
      faulty(gcm, "iv-characters", "twelve characters, and more bytes", "éééééééééééé"),
    ]
  }

  private func cipherFaults(_ gcm: FormatVector, _ cbc: FormatVector) throws -> [FormatVector] {
    let sealed = try #require(gcm.payload["ciphertext"]?.string.flatMap { Data(base64Encoded: $0) })
    let blocks = try #require(cbc.payload["ciphertext"]?.string.flatMap { Data(base64Encoded: $0) })
    func faulty(_ name: String, _ comment: String, _ good: FormatVector, _ bytes: Data) -> FormatVector {
      good.faulty(name, "12.11", .notAuthentic, comment) {
        $0.payload["ciphertext"] = .string(bytes.base64EncodedString())
      }
    }
    return [
      faulty(
        "gcm-tag", "a bit of the tag is another", gcm, sealed.dropLast() + [sealed.last.map { $0 ^ 1 } ?? 0]),
      faulty("gcm-flipped", "a bit of the ciphertext is another", gcm, [sealed[0] ^ 1] + sealed.dropFirst()),
      faulty("gcm-cut", "a byte is gone", gcm, sealed.dropLast()),
      faulty("cbc-cut", "the block of padding is gone", cbc, blocks.prefix(16)),
      try cbc.faulty("cbc-padding-17", "12.11", .notAuthentic, "17 bytes of padding, where 16 are the most") {
        let blocks = [UInt8]("Lunch at noon!!".utf8) + [UInt8](repeating: 17, count: 17)
        let (key, iv) = ($0.parameters["key"]?.string ?? "", $0.payload["iv"]?.string ?? "")
        let bytes = try encrypted(blocks, "cbc", Array(key.utf8), Array(iv.utf8)).dropLast(16)
        $0.payload["ciphertext"] = .string(Data(bytes).base64EncodedString())
      },
      gcm.faulty("gcm-wrong-key", "12.11", .notAuthentic, "another key") {
        $0.parameters["key"] = "02345678901234567890123456789012"
      },
      gcm.faulty("gcm-wrong-iv", "12.11", .notAuthentic, "another vector") {
        $0.payload["iv"] = "000000000000"
      },
      gcm.faulty("gcm-short-key", "12.11", .notAuthentic, "the first half of the key") {
        $0.parameters["key"] = "1234567890123456"
      },
    ]
  }

  private func refusals(_ gcm: FormatVector, _ cbc: FormatVector) -> [FormatVector] {
    [
      gcm.refused("key-15", "12.8", "a character too few", ["key": "123456789012345"]),
      gcm.refused("key-33", "12.8", "a character too many", ["key": .string(Self.key + "3")]),
      gcm.refused("key-empty", "12.8", "no key", ["key": ""]),
      cbc.refused(
        "key-characters", "12.8", "sixteen characters, and more bytes", ["key": "123456789012345é"]),
      gcm.refused("kept-iv-gcm-16", "12.8", "the kept vector is CBC's", ["iv": "1111111111111111"]),
      cbc.refused("kept-iv-cbc-12", "12.8", "the kept vector is GCM's", ["iv": "111111111111"]),
    ]
  }

  private func sealed(
    _ suffix: String, _ comment: String, _ mode: String, key size: Int, _ plaintext: String = text,
    iv: String? = nil
  ) throws -> FormatVector {
    let id = "bark-\(suffix)"
    let key = String(Self.key.prefix(size))
    let iv = iv ?? String(FixedRandomness.bytes(of: id).hex.prefix(mode == "cbc" ? 16 : 12))
    let bytes = try encrypted(Array(plaintext.utf8), mode, Array(key.utf8), Array(iv.utf8))
    return FormatVector(
      id: id, comment: comment, format: Bark.name, parameters: ["mode": .string(mode), "key": .string(key)],
      random: Array(iv.utf8),
      payload: [
        "aps": ["mutable-content": 1, "category": "myNotificationCategory"],
        "ciphertext": .string(Data(bytes).base64EncodedString()), "iv": .string(iv),
      ], outcome: .opened(Array(plaintext.utf8)))
  }

  private func encrypted(
    _ plaintext: [UInt8], _ mode: String, _ key: [UInt8], _ iv: [UInt8]
  ) throws -> [UInt8] {
    guard mode == "gcm" else {
      return try AESCBC.encrypt(plaintext.span, key: key.span, initializationVector: iv.span)
    }
    let aead: AEAD =
      switch key.count {
      case 16: .aes128GCM
      case 24: .aes192GCM
      default: .aes256GCM
      }
    return try aead.seal(plaintext.span, authenticating: Span(), key: key.span, nonce: iv.span)
  }
}
