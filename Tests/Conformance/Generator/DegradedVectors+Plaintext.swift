import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

extension DegradedVectors {
  func plaintextFaults() throws -> [DegradedVector] {
    try paddingFaults() + fieldFaults()
  }

  private func paddingFaults() throws -> [DegradedVector] {
    let paddings: [(String, String, [UInt8])] = [
      ("none", "no marker: the content's last brace stands where it should be", []),
      ("zeros", "zeros without a marker", [0, 0, 0]), ("marker-81", "another marker", [0x81, 0, 0]),
      ("dirty", "a byte after the marker that is not zero", [0x80, 0, 1]),
    ]
    return try paddings.map { name, comment, padding in
      try faulty("padding-\(name)", "5.1", .malformedContent, comment) { $0.padding = padding }
    } + [
      try faulty("plaintext-empty", "5.1", .malformedContent, "nothing was sealed") {
        $0.changePlaintext = { _ in [] }
      },
      try faulty("plaintext-zeros", "5.1", .malformedContent, "only zeros were sealed") {
        $0.changePlaintext = { [UInt8](repeating: 0, count: $0.count) }
      },
    ]
  }

  private func fieldFaults() throws -> [DegradedVector] {
    let cuts = try [
      ("first-byte", 0), ("message-id", 16), ("issued-at", 24), ("lifetime", 28), ("signature", 100),
    ]
    .map { name, length in
      try faulty("plaintext-cut-in-\(name)", "5.2", .malformedContent, "the fields end early") {
        $0.changePlaintext = { $0.prefix(length) + [0x80] }
      }
    }
    let types = try [0x01, 0x21, 0x31, 0x41, 0x51, 0x61, 0x71, 0xf1].map { (byte: UInt8) in
      try faulty("content-type-\(byte >> 4)", "5.3", .malformedContent, "not a notification") {
        $0.firstByte = byte
      }
    }
    let flags = try [0x13, 0x15, 0x19].map { (byte: UInt8) in
      try faulty("flags-\(byte & 0x0f)", "5.4", .malformedContent, "a flag that means nothing") {
        $0.firstByte = byte
      }
    }
    return cuts + types + flags + [
      try faulty("issued-at-2-53", "5.5", .malformedContent, "a time that JSON cannot count to") {
        $0.issuedAt = 1 << 53
      },
      try faulty("issued-at-max", "5.5", .malformedContent, "the last time there is") { $0.issuedAt = .max },
      try faulty("lifetime-too-long", "5.6", .malformedContent, "a second more than 30 days") {
        $0.lifetime = 2_592_001
      },
    ]
  }

  func signatureFaults() throws -> [DegradedVector] {
    let seed = FixedRandomness.bytes(of: "sender")
    return [
      try misplaced("anonymous-not-accepted", "5.7", .anonymousNotAccepted, "nobody signed", isSigned: false)
      {
        $0.anonymous = false
      },
      try faulty("flag-cleared", "5.7", .anonymousNotAccepted, "the flag says that nobody signed") {
        $0.firstByte = 0x10
      }
      .refusingAnonymous,
      try faulty("sender-unknown", "5.8", .unknownSender, "signed by somebody who is not trusted") {
        $0.signer = try keys.stranger.signingKey()
      },
      try faulty("signature-flipped", "5.9", .badSignature, "a bit of the signature") {
        $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() }
      },
      try faulty("signature-zero", "5.9", .badSignature, "no signature at all") {
        $0.changeSignature = { _ in [UInt8](repeating: 0, count: 64) }
      },
      try faulty("signature-s-plus-l", "5.9", .badSignature, "S + L, which satisfies the equation too") {
        $0.changeSignature = { $0.prefix(32) + Self.addingGroupOrder(Array($0.suffix(32))) }
      },
      try forged("identity", "R of small order, and S right for it: the equation holds", .identity, seed),
      try forged(
        "identity-not-canonical", "the same R as p + 1, which no list of canonical points has",
        .identityNotCanonical, seed),
      try forged(
        "identity-negative", "the same R with the sign of an x that is zero", .identityNegative, seed),
      try forged("order-8", "R of order 8: the equation with the cofactor holds", .order8, seed),
      try forged(
        "part-of-order-8", "an R that has a part of order 8: the equation with the cofactor holds",
        .partOfOrder8, seed),
      try faulty(
        "signature-other-content", "5.9", .badSignature, "the content was changed after it was signed"
      ) {
        $0.changePlaintext = { Self.replacing($0, "noon", by: "dusk") }
      },
      try faulty("signature-other-time", "5.9", .badSignature, "the time was changed after it was signed") {
        $0.changePlaintext = { $0.prefix(24) + [$0[24] ^ 1] + $0.dropFirst(25) }
      },
      try faulty(
        "signature-retargeted", "5.9", .badSignature, "signed for another device, and sealed on to this one"
      ) {
        let other = try keys.otherDevice.publicKeys.recipient()
        $0.signedBinding = MessageBinding(
          topic: try Topic(Forge.topic), suite: other.suite, recipient: other.thumbprint)
      },
      try faulty("signature-other-topic", "5.9", .badSignature, "signed for another app") {
        $0.signedBinding = MessageBinding(
          topic: try Topic("com.example.other"), suite: $0.recipient.suite,
          recipient: $0.recipient.thumbprint)
      },
    ]
  }

  private func forged(
    _ name: String, _ comment: String, _ forge: SignatureForge, _ seed: [UInt8]
  ) throws -> DegradedVector {
    try faulty("signature-r-\(name)", "5.9", .badSignature, comment) {
      $0.sign = { try forge.signature(of: $0, seed: seed) }
    }
  }

  /// S + L, little endian.
  static func addingGroupOrder(_ scalar: [UInt8]) -> [UInt8] {
    let order: [UInt8] =
      [0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14]
      + [UInt8](repeating: 0, count: 15) + [0x10]
    var carry = 0
    return zip(scalar, order).map { left, right in
      let sum = Int(left) + Int(right) + carry
      carry = sum >> 8
      return UInt8(sum & 0xff)
    }
  }

  private static func replacing(_ bytes: [UInt8], _ old: String, by new: String) -> [UInt8] {
    let old = Array(old.utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: old) }) else { return bytes }
    return bytes.prefix(start) + Array(new.utf8) + bytes.dropFirst(start + old.count)
  }
}

extension DegradedVector {
  fileprivate var refusingAnonymous: DegradedVector {
    var vector = self
    vector.setting.anonymous = false
    return vector
  }
}
