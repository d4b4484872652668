import PushCore
import PushKeys
import PushReceiver
import TestSupport
import Testing

/// What does not open with an X-Wing key, each with one fault.
struct XWingFaults {
  static let suites = Setting.publicKeySuites + [.xwingAESGCM]
  /// Where ML-KEM's ciphertext, X25519's part and the message begin.
  static let (ctM, ctX, ciphertext) = (10, 10 + 1088, 10 + 1120)

  let keys: XWingKeys

  func all() throws -> [DegradedVector] {
    try envelopeFaults() + availability() + keyFaults() + encapsulationFaults() + smallOrderPoints()
      + combinerFaults() + cipherFaults() + plaintextFaults()
  }

  func forge(_ label: String) throws -> Forge {
    Forge(label, to: try keys.recipient(), from: try keys.sender.signingKey())
  }

  func faulty(
    _ name: String, _ rule: String, _ expect: DegradeReason, _ comment: String,
    _ change: (inout Forge) throws -> Void = { _ in }
  ) throws -> DegradedVector {
    var forge = try forge("xwing-aesgcm-\(name)")
    try change(&forge)
    var vector = DegradedVector(
      id: forge.label, rule: rule, comment: comment, expect: expect, payload: try forge.payload())
    vector.setting.suites = Self.suites
    return vector
  }

  private func envelopeFaults() throws -> [DegradedVector] {
    let cuts = [
      ("key-id", 9), ("before-encapsulated-key", Self.ctM), ("ct-m", Self.ctX - 1), ("before-ct-x", Self.ctX),
      ("ct-x", Self.ciphertext - 1), ("before-ciphertext", Self.ciphertext), ("tag", Self.ciphertext + 15),
    ]
    var refused = try faulty(
      "not-accepted", "2.6", .suiteNotAccepted, "the receiver accepts the other suites alone")
    refused.setting.suites = Setting.publicKeySuites
    return try cuts.map { name, length in
      try faulty("cut-in-\(name)", "2.4", .malformedEnvelope, "the envelope ends early") {
        $0.changeEnvelope = { Array($0.prefix(length)) }
      }
    } + [refused]
  }

  /// Openers whose systems do not have the suite.
  private func availability() throws -> [DegradedVector] {
    func lacking(
      _ name: String, _ rule: String, _ expect: DegradeReason, _ comment: String,
      _ change: (inout Forge) throws -> Void = { _ in }
    ) throws -> DegradedVector {
      var vector = try faulty("lacking-\(name)", rule, expect, comment, change)
      vector.setting.lacks = [.xwingAESGCM]
      return vector
    }
    var refused = try lacking(
      "not-accepted", "2.7", .unsupportedSuite, "nor does the receiver accept the suite: this comes first")
    refused.setting.suites = Setting.publicKeySuites
    return [
      try lacking("suite", "2.7", .unsupportedSuite, "a good message, and a system without ML-KEM"), refused,
      try lacking(
        "key-unknown", "2.7", .unsupportedSuite, "sealed to another device: nobody looks for the key"
      ) {
        $0.recipient = try keys.otherDevice.publicKeys.recipient(suite: .xwingAESGCM)
      },
      try lacking(
        "ciphertext-flipped", "2.7", .unsupportedSuite, "a bit of the ciphertext: nobody can look at it"
      ) {
        $0.changeEnvelope = { Self.flipping(0x80, at: Self.ciphertext, in: $0) }
      },
      try lacking(
        "cut-in-tag", "2.4", .malformedEnvelope, "the envelope ends early, which every system can see"
      ) {
        $0.changeEnvelope = { Array($0.prefix(Self.ciphertext + 15)) }
      },
    ]
  }

  private func keyFaults() throws -> [DegradedVector] {
    let (own, other) = (try keys.recipient(), try keys.recipient(.x25519ChaChaPoly))
    var locked = try faulty("key-locked", "3.2", .keyLocked, "the phone was not unlocked since it started")
    locked.setting.isLocked = true
    return [
      try faulty("key-unknown", "3.1", .unknownKey, "sealed to another device") {
        $0.recipient = try keys.otherDevice.publicKeys.recipient(suite: .xwingAESGCM)
      },
      try faulty("key-ended", "3.1", .unknownKey, "the key was replaced more than 30 days ago") {
        $0.recipient = try keys.retired()
      },
      try faulty(
        "suite-swapped", "3.1", .unknownKey, "the suite byte says X25519, whose keys this is none of"
      ) {
        $0.changeEnvelope = { [$0[0], 0x01] + $0.dropFirst(2) }
      },
      try faulty("suite-swapped-back", "3.1", .unknownKey, "sealed to the X25519 key, with this suite's byte")
      {
        $0.recipient = other
        $0.padding += [UInt8](repeating: 0, count: 1200)
        $0.changeEnvelope = { [$0[0], 0x03] + $0.dropFirst(2) }
      },
      try faulty("key-of-other-suite", "3.1", .unknownKey, "the key id is that of the device's X25519 key") {
        $0.changeEnvelope = { $0.prefix(2) + other.thumbprint.keyID.bytes + $0.dropFirst(10) }
      },
      try faulty(
        "key-id-in-other-suite", "3.1", .unknownKey, "an X25519 message under the id of this suite's key"
      ) {
        $0.recipient = other
        $0.changeEnvelope = { $0.prefix(2) + own.thumbprint.keyID.bytes + $0.dropFirst(10) }
      },
      locked,
    ]
  }

  static func flipping(_ bits: UInt8, at index: Int, in bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[index] ^= bits
    return bytes
  }
}
