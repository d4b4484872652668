import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What does not open with a shared key, each with one fault.
struct SharedFaults {
  private static let suite = Suite.sharedChaChaPoly.name
  /// Where the commitment and the ciphertext begin.
  private static let (commitment, ciphertext) = (42, 74)

  let keys: VectorKeys

  func all() throws -> [DegradedVector] {
    try envelopeFaults() + keyFaults() + commitmentFaults() + bindingFaults() + cipherFaults()
      + plaintextFaults() + signatureFaults()
  }

  private func envelopeFaults() throws -> [DegradedVector] {
    var refused = try faulty(
      "not-accepted", "2.6", .suiteNotAccepted, "the receiver accepts the other suites alone"
    ) {
      _ in
    }
    refused.setting.suites = Setting.publicKeySuites
    let cuts = [
      ("key-id", 9), ("salt", 41), ("commitment", 73), ("tag", 74 + 15),
      ("encapsulated-key", Self.commitment),
    ]
    return [refused]
      + (try cuts.map { name, length in
        try faulty("cut-in-\(name)", "2.4", .malformedEnvelope, "the envelope ends early") {
          $0.changeEnvelope = { Array($0.prefix(length)) }
        }
      })
  }

  private func keyFaults() throws -> [DegradedVector] {
    let device = try keys.recipient(.x25519ChaChaPoly)
    var locked = try faulty("key-locked", "3.2", .keyLocked, "the phone was not unlocked since it started") {
      _ in
    }
    locked.setting.isLocked = true
    return [
      try faulty("key-unknown", "3.1", .unknownKey, "sealed with a key that others share") {
        $0.recipient = try keys.otherShared.recipient(at: VectorKeys.made)
      },
      try faulty("key-ended", "3.1", .unknownKey, "the key was replaced more than 30 days ago") {
        $0.recipient = try keys.retiredShared.recipient(at: VectorKeys.made)
      },
      try faulty(
        "suite-swapped", "3.1", .unknownKey, "the suite byte says X25519, whose keys this is none of"
      ) {
        $0.changeEnvelope = { [$0[0], 0x01] + $0.dropFirst(2) }
      },
      try faulty("suite-swapped-back", "3.1", .unknownKey, "sealed to the device, with this suite's byte") {
        $0.recipient = device
        $0.changeEnvelope = { [$0[0], 0x10] + $0.dropFirst(2) }
      },
      try faulty("key-of-other-suite", "3.1", .unknownKey, "the key id is that of the device's X25519 key") {
        $0.changeEnvelope = { $0.prefix(2) + device.thumbprint.keyID.bytes + $0.dropFirst(10) }
      },
      locked,
    ]
  }

  private func commitmentFaults() throws -> [DegradedVector] {
    let label = "\(Self.suite)-commitment-other-key"
    var other = try forge(label)
    other.recipient = try keys.otherShared.recipient(at: VectorKeys.made)
    let (others, another) = (try other.envelope(), try forge("another message").envelope())
    let commitments = 42..<74
    let flips: [(String, String, Int, UInt8)] = [
      ("salt-flipped-first", "the salt's first bit", 10, 0x80),
      ("salt-flipped-last", "the salt's last bit", 41, 1),
      ("commitment-flipped-first", "the commitment's first bit", 42, 0x80),
      ("commitment-flipped-middle", "a bit amid the commitment", 58, 8),
      ("commitment-flipped-last", "the commitment's last bit", 73, 1),
    ]
    let zeros = [UInt8](repeating: 0, count: 32)
    let replacements: [(String, String, Range<Int>, [UInt8])] = [
      ("commitment-zeros", "no commitment; salt, key and ciphertext are right", commitments, zeros),
      (
        "commitment-other-key", "a commitment to another key; the ciphertext opens with this one",
        commitments,
        Array(others[commitments])
      ),
      (
        "commitment-other-message", "the commitment of another message with the same key", commitments,
        Array(another[commitments])
      ),
      (
        "encapsulated-key-other-key", "salt and commitment of another key, with this one's ciphertext",
        10..<74,
        Array(others[10..<74])
      ),
    ]
    return try flips.map { name, comment, index, bits in
      try faulty(name, "4.2", .notAuthentic, comment) {
        $0.changeEnvelope = { Self.flipping(bits, at: index, in: $0) }
      }
    }
      + replacements.map { name, comment, range, bytes in
        try faulty(name, "4.2", .notAuthentic, comment) {
          $0.changeEnvelope = { Array($0.prefix(range.lowerBound)) + bytes + $0.dropFirst(range.upperBound) }
        }
      } + [
        try faulty("commitment-before-salt", "4.2", .notAuthentic, "salt and commitment in the wrong order") {
          $0.changeEnvelope = { Array($0.prefix(10)) + $0[42..<74] + $0[10..<42] + $0.dropFirst(74) }
        },
        try faulty("key-id-swapped", "4.2", .notAuthentic, "sealed with another key, under this key's id") {
          let keyID = $0.recipient.thumbprint.keyID.bytes
          $0.recipient = try keys.otherShared.recipient(at: VectorKeys.made)
          $0.changeEnvelope = { $0.prefix(2) + keyID + $0.dropFirst(10) }
        },
      ]
  }

  private func cipherFaults() throws -> [DegradedVector] {
    let another = try forge("another message").envelope()
    let start = Self.ciphertext
    let changes: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("tag-flipped", "a bit of the tag", { Self.flipping(1, at: $0.count - 1, in: $0) }),
      ("ciphertext-flipped", "a bit of the ciphertext", { Self.flipping(0x80, at: start, in: $0) }),
      ("appended", "a byte at the end", { $0 + [0] }),
      ("cut", "the last byte is gone", { Array($0.dropLast()) }),
      ("doubled", "the envelope twice", { $0 + $0 }),
      ("tag-alone", "the tag without the ciphertext before it", { Array($0.prefix(start)) + $0.suffix(16) }),
      (
        "ciphertext-other-message", "the ciphertext of another message with the same key",
        { Array($0.prefix(start)) + another.dropFirst(start) }
      ),
    ]
    return try changes.map { name, comment, change in
      try faulty(name, "4.3", .notAuthentic, comment) { $0.changeEnvelope = change }
    }
  }

  func forge(_ label: String) throws -> Forge {
    Forge(label, to: try keys.shared.recipient(at: VectorKeys.made), from: try keys.sender.signingKey())
  }

  func faulty(
    _ name: String, _ rule: String, _ expect: DegradeReason, _ comment: String,
    _ change: (inout Forge) throws -> Void
  ) throws -> DegradedVector {
    var forge = try forge("\(Self.suite)-\(name)")
    try change(&forge)
    var vector = DegradedVector(
      id: forge.label, rule: rule, comment: comment, expect: expect, payload: try forge.payload())
    vector.setting.suites = Setting.publicKeySuites + [.sharedChaChaPoly]
    return vector
  }

  private static func flipping(_ bits: UInt8, at index: Int, in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[index] ^= bits
    return bytes
  }
}
