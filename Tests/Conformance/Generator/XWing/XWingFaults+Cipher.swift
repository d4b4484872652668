import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import TestSupport
import Testing

/// An encapsulated key, or a ciphertext, that is another: [4.1].
extension XWingFaults {
  /// ML-KEM gives an altered ciphertext another secret, and no error.
  func encapsulationFaults() throws -> [DegradedVector] {
    let other = try forge("another message").envelope()
    let zeros = [UInt8](repeating: 0, count: Self.ciphertext)
    let ones = [UInt8](repeating: 0xff, count: Self.ciphertext)
    let changes: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("ct-m-first-bit", "a bit of ct_M: implicit rejection", { Self.flipping(1, at: Self.ctM, in: $0) }),
      ("ct-m-last-bit", "the last bit of ct_M", { Self.flipping(0x80, at: Self.ctX - 1, in: $0) }),
      ("ct-m-zeros", "ct_M is zeros", { Self.replacing(Self.ctM..<Self.ctX, in: $0, by: zeros) }),
      ("ct-m-ones", "every bit of ct_M is set", { Self.replacing(Self.ctM..<Self.ctX, in: $0, by: ones) }),
      (
        "ct-m-other-message", "the ct_M of another message to the same key",
        { Self.replacing(Self.ctM..<Self.ctX, in: $0, by: other) }
      ),
      ("ct-x-first-bit", "a bit of ct_X", { Self.flipping(1, at: Self.ctX, in: $0) }),
      (
        "ct-x-unbound-top-bit", "the top bit of ct_X, which X25519 ignores and the combiner does not",
        { Self.flipping(0x80, at: Self.ciphertext - 1, in: $0) }
      ),
      (
        "ct-x-other-message", "the ct_X of another message to the same key",
        { Self.replacing(Self.ctX..<Self.ciphertext, in: $0, by: other) }
      ),
      (
        "encapsulated-key-other-message", "the encapsulated key of another message to the same key",
        { Self.replacing(Self.ctM..<Self.ciphertext, in: $0, by: other) }
      ),
      ("ct-x-first", "ct_X before ct_M", Self.swappingParts),
    ]
    return try changes.map { name, comment, change in
      try faulty(name, "4.1", .notAuthentic, comment) { $0.changeEnvelope = change }
    }
  }

  /// The secret of X25519 is then zero for every key; the rest of the message is right.
  func smallOrderPoints() throws -> [DegradedVector] {
    let high = [UInt8](repeating: 0xff, count: 30)
    let points: [(String, [UInt8])] = [
      ("0", [UInt8](repeating: 0, count: 32)), ("1", [1] + [UInt8](repeating: 0, count: 31)),
      ("order-8-a", [UInt8](hex: "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")),
      ("order-8-b", [UInt8](hex: "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")),
      ("p-minus-1", [0xec] + high + [0x7f]), ("p", [0xed] + high + [0x7f]),
      ("p-plus-1", [0xee] + high + [0x7f]),
    ]
    return try points.flatMap { name, point in
      try [("", 0x00), ("-top-bit", 0x80)].map { (suffix: String, bit: UInt8) in
        try faulty(
          "small-order-\(name)\(suffix)", "4.1", .notAuthentic,
          "ct_X is a point of small order, and all else follows from it as it should"
        ) {
          try $0.encapsulate {
            $0.changeParts = {
              $0.ctX = point.dropLast() + [point[31] | bit]
              $0.ssX = [UInt8](repeating: 0, count: 32)
            }
          }
        }
      }
    }
  }

  /// A sealer that computes the secret in another way.
  func combinerFaults() throws -> [DegradedVector] {
    let label = Array(#"\.//^\"#.utf8)
    let changes: [(String, String, (inout XWingForge) -> Void)] = [
      (
        "combiner-label-absent", "the label is not hashed",
        { $0.combined = { $0.ssM + $0.ssX + $0.ctX + $0.pkX } }
      ),
      (
        "combiner-label-first", "the label comes first",
        { $0.combined = { label + $0.ssM + $0.ssX + $0.ctX + $0.pkX } }
      ),
      (
        "combiner-secrets-swapped", "X25519's secret comes before ML-KEM's",
        { $0.combined = { $0.ssX + $0.ssM + $0.ctX + $0.pkX + label } }
      ),
      (
        "combiner-ct-x-absent", "ct_X is not hashed",
        { $0.combined = { $0.ssM + $0.ssX + $0.pkX + label } }
      ),
      (
        "combiner-pk-x-absent", "pk_X is not hashed",
        { $0.combined = { $0.ssM + $0.ssX + $0.ctX + label } }
      ),
      (
        "ml-kem-alone", "X25519's secret is zeros, though ct_X is a good point",
        { $0.changeParts = { $0.ssX = [UInt8](repeating: 0, count: 32) } }
      ),
      (
        "x25519-alone", "ML-KEM's secret is zeros, as if somebody had broken it",
        { $0.changeParts = { $0.ssM = [UInt8](repeating: 0, count: 32) } }
      ),
      ("aead-other", "HPKE with ChaCha20-Poly1305, AEAD 0x0003", { $0.aead = .chaCha20Poly1305 }),
    ]
    return try changes.map { name, comment, change in
      try faulty(name, "4.1", .notAuthentic, comment) { try $0.encapsulate(change) }
    }
  }

  func cipherFaults() throws -> [DegradedVector] {
    let changes: [(String, String, ([UInt8]) -> [UInt8])] = [
      ("tag-flipped", "a bit of the tag", { Self.flipping(1, at: $0.count - 1, in: $0) }),
      ("ciphertext-flipped", "a bit of the ciphertext", { Self.flipping(0x80, at: Self.ciphertext, in: $0) }),
      ("appended", "a byte at the end", { $0 + [0] }),
      ("cut", "the last byte is gone", { Array($0.dropLast()) }),
      ("doubled", "the envelope twice", { $0 + $0 }),
      (
        "tag-alone", "the tag without the ciphertext before it",
        { Array($0.prefix(Self.ciphertext)) + $0.suffix(16) }
      ),
    ]
    return try changes.map { name, comment, change in
      try faulty(name, "4.1", .notAuthentic, comment) { $0.changeEnvelope = change }
    } + [
      try faulty("topic-other", "4.1", .notAuthentic, "sealed for another app") {
        $0.topic = "com.example.other"
      },
      try faulty("aad-not-empty", "4.1", .notAuthentic, "sealed with additional data") { $0.aad = [0] },
      try faulty("key-id-swapped", "4.1", .notAuthentic, "sealed to another device, under this key's id") {
        let keyID = $0.recipient.thumbprint.keyID.bytes
        $0.recipient = try keys.otherDevice.publicKeys.recipient(suite: .xwingAESGCM)
        $0.changeEnvelope = { $0.prefix(2) + keyID + $0.dropFirst(10) }
      },
    ]
  }

  func plaintextFaults() throws -> [DegradedVector] {
    let other = try keys.recipient(.x25519ChaChaPoly)
    var anonymous = try faulty("anonymous-not-accepted", "5.7", .anonymousNotAccepted, "nobody signed") {
      $0.signer = nil
    }
    anonymous.setting.anonymous = false
    var replayed = try faulty(
      "replayed", "7.1", .replayed, "another content under the identity of a message that was shown"
    ) { $0.content = Array(#"{"aps":{"alert":"Another"}}"#.utf8) }
    replayed.setting.after = try forge(replayed.id).payload()
    return [
      try faulty("plaintext-empty", "5.1", .malformedContent, "nothing was sealed: the ciphertext is a tag") {
        $0.changePlaintext = { _ in [] }
      },
      try faulty("content-type-2", "5.3", .malformedContent, "data where a notification is opened") {
        $0.firstByte = 0x21
      },
      anonymous,
      try faulty("sender-unknown", "5.8", .unknownSender, "signed by somebody who is not trusted") {
        $0.signer = try keys.stranger.signingKey()
      },
      try faulty("signature-retargeted", "5.9", .badSignature, "signed for the device's X25519 key") {
        $0.signedBinding = other.binding(for: try Topic(Forge.topic))
      },
      replayed,
    ]
  }

  /// The bytes of `other` in a range.
  private static func replacing(_ range: Range<Int>, in bytes: [UInt8], by other: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(range, with: other[range])
    return bytes
  }

  private static func swappingParts(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let parts = bytes[ctX..<ciphertext] + bytes[ctM..<ctX]
    bytes.replaceSubrange(ctM..<ciphertext, with: parts)
    return bytes
  }
}

extension [UInt8] {
  fileprivate init(hex: String) {
    let digits = hex.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
