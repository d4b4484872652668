@testable import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

extension DegradedVectors {
  func envelopeFaults() throws -> [DegradedVector] {
    try versionFaults() + suiteFaults() + lengthFaults()
  }

  private func versionFaults() throws -> [DegradedVector] {
    let empty = try faulty("envelope-empty", "2.2", .malformedEnvelope, "an empty string") {
      $0.changeEnvelope = { _ in [] }
    }
    let others = try [0, 2, 255].map { (version: UInt8) in
      try faulty("version-\(version)", "2.2", .unsupportedVersion, "a version that is not 1") {
        $0.changeEnvelope = { [version] + $0.dropFirst() }
      }
    }
    return [empty] + others
  }

  private func suiteFaults() throws -> [DegradedVector] {
    let cut = try faulty("envelope-1-byte", "2.3", .malformedEnvelope, "nothing after the version") {
      $0.changeEnvelope = { Array($0.prefix(1)) }
    }
    let others = try [0x00, 0x04, 0xff].map { (suite: UInt8) in
      try faulty("suite-\(suite)", "2.3", .unsupportedSuite, "a suite that is not in the table") {
        $0.changeEnvelope = { [$0[0], suite] + $0.dropFirst(2) }
      }
    }
    let refused = try Setting.publicKeySuites.map { suite in
      try misplaced(
        "\(suite.name)-not-accepted", "2.6", .suiteNotAccepted, "the receiver accepts the other suite alone",
        suite
      ) { $0.suites = Setting.publicKeySuites.filter { $0 != suite } }
    }
    return [cut] + others + refused
  }

  private func lengthFaults() throws -> [DegradedVector] {
    let cuts = try Setting.publicKeySuites.flatMap { suite in
      try [
        ("key-id", 9), ("encapsulated-key", 9 + suite.encapsulatedKeySize),
        ("tag", 10 + suite.encapsulatedKeySize + 15),
      ].map { name, length in
        try faulty(
          "\(suite.name)-cut-in-\(name)", "2.4", .malformedEnvelope, "the envelope ends early", suite
        ) {
          $0.changeEnvelope = { Array($0.prefix(length)) }
        }
      }
    }
    let points = try [0x00, 0x02, 0x06].map { (first: UInt8) in
      try faulty(
        "p256-form-\(first)", "2.5", .malformedEnvelope, "a point that does not begin with 0x04", .p256AESGCM
      ) { $0.changeEnvelope = { $0.prefix(10) + [first] + $0.dropFirst(11) } }
    }
    return cuts + points
  }

  func keyFaults() throws -> [DegradedVector] {
    let otherSuite = try keys.recipient(.p256AESGCM).thumbprint.keyID.bytes
    let retired = try keys.retired()
    return [
      try faulty("key-unknown", "3.1", .unknownKey, "sealed to another device") {
        $0.recipient = try keys.otherDevice.publicKeys.recipient()
      },
      try faulty("key-of-other-suite", "3.1", .unknownKey, "the key id is that of the device's P-256 key") {
        $0.changeEnvelope = { $0.prefix(2) + otherSuite + $0.dropFirst(10) }
      },
      try faulty("key-ended", "3.1", .unknownKey, "the key was replaced more than 30 days ago") {
        $0.recipient = retired
      },
      try misplaced("key-locked", "3.2", .keyLocked, "the phone was not unlocked since it started") {
        $0.isLocked = true
      },
    ] + (try lockedOrders())
  }

  /// What comes before [3.2], and what does not come at all.
  private func lockedOrders() throws -> [DegradedVector] {
    var unknown = try faulty(
      "key-locked-unknown", "3.2", .keyLocked, "nobody can see whether there is this key"
    ) { $0.recipient = try keys.otherDevice.publicKeys.recipient() }
    unknown.setting.isLocked = true
    var cut = try faulty(
      "key-locked-cut", "2.4", .malformedEnvelope, "an envelope that ends early, where no key can be read"
    ) { $0.changeEnvelope = { Array($0.prefix(57)) } }
    cut.setting.isLocked = true
    let suite = try misplaced(
      "key-locked-not-accepted", "2.6", .suiteNotAccepted,
      "a suite that is not accepted, where no key can be read"
    ) { ($0.isLocked, $0.suites) = (true, [.p256AESGCM]) }
    return [unknown, cut, suite]
  }

  func cipherFaults() throws -> [DegradedVector] {
    try Setting.publicKeySuites.flatMap(changedBytes) + smallOrderPoints() + badPoints() + [
      try faulty("topic-other", "4.1", .notAuthentic, "sealed for another app") {
        $0.topic = "com.example.other"
      },
      try faulty("aad-not-empty", "4.1", .notAuthentic, "sealed with additional data") { $0.aad = [0] },
      try faulty("key-id-swapped", "4.1", .notAuthentic, "sealed to another key, under this key's id") {
        let keyID = $0.recipient.thumbprint.keyID.bytes
        $0.recipient = try keys.otherDevice.publicKeys.recipient()
        $0.changeEnvelope = { $0.prefix(2) + keyID + $0.dropFirst(10) }
      },
    ]
  }

  private func changedBytes(_ suite: Suite) throws -> [DegradedVector] {
    let start = 10 + suite.encapsulatedKeySize
    let changes: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("tag-flipped", "a bit of the tag", { $0.dropLast() + [$0[$0.count - 1] ^ 1] }),
      (
        "ciphertext-flipped", "a bit of the ciphertext",
        { $0.prefix(start) + [$0[start] ^ 0x80] + $0.dropFirst(start + 1) }
      ),
      ("appended", "a byte at the end", { $0 + [0] }),
      ("cut", "the last byte is gone", { Array($0.dropLast()) }),
      ("doubled", "the envelope twice", { $0 + $0 }),
    ]
    return try changes.map { name, comment, change in
      try faulty("\(suite.name)-\(name)", "4.1", .notAuthentic, comment, suite) { $0.changeEnvelope = change }
    }
  }

  private func smallOrderPoints() throws -> [DegradedVector] {
    let high = [UInt8](repeating: 0xff, count: 30)
    let points: [(String, [UInt8])] = [
      ("0", [UInt8](repeating: 0, count: 32)), ("1", [1] + [UInt8](repeating: 0, count: 31)),
      (
        "order-8-a",
        [
          0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
          0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
        ]
      ),
      (
        "order-8-b",
        [
          0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
          0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
        ]
      ),
      ("p-minus-1", [0xec] + high + [0x7f]), ("p", [0xed] + high + [0x7f]),
      ("p-plus-1", [0xee] + high + [0x7f]),
    ]
    return try points.flatMap { name, point in
      try [("", 0x00), ("-top-bit", 0x80)].map { (suffix: String, bit: UInt8) in
        let id = "small-order-\(name)\(suffix)"
        let enc = point.dropLast() + [point[31] | bit]
        let payload = try forge(id, isSigned: false).zeroSecretPayload(encapsulatedKey: Array(enc))
        return DegradedVector(
          id: id, rule: "4.1",
          comment: "anyone can make this ciphertext: the shared secret is zero for every key",
          expect: .notAuthentic, payload: payload)
      }
    }
  }

  private func badPoints() throws -> [DegradedVector] {
    let points: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("off-curve", "the point is not on the curve", { $0.dropLast() + [$0[64] ^ 1] }),
      ("origin", "x and y are zero", { [$0[0]] + [UInt8](repeating: 0, count: 64) }),
    ]
    return try points.map { name, comment, change in
      try faulty("p256-\(name)", "4.1", .notAuthentic, comment, .p256AESGCM) {
        $0.changeEnvelope = { $0.prefix(10) + change(Array($0[10..<75])) + $0.dropFirst(75) }
      }
    }
      + (try P256Point.refused().map { point in
        let id = "p256-\(point.name)"
        let payload = try forge(id, .p256AESGCM, isSigned: false).payload(
          encapsulatedKey: point.bytes, secret: point.secret)
        return DegradedVector(
          id: id, rule: "4.1", comment: point.comment, expect: .notAuthentic, payload: payload)
      })
  }
}
