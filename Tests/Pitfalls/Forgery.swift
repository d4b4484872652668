import PushCrypto
import PushCore
import PushKeys
import PushTesting

/// What somebody seals who has the device's public key, perhaps the backend's own, and no care.
extension Stage {
  /// The payload that our sealer makes, with another envelope.
  func payload(carrying envelope: String) -> [UInt8] {
    let aps: JSONObject = [
      "alert": ["title": "New notification", "body": "(Encrypted)"], "mutable-content": 1,
      "sound": "default",
    ]
    let payload: JSONObject = ["aps": .object(aps), "ENCRYPTED_DATA": .string(envelope)]
    return payload.encoded()
  }

  /// A signed plaintext of any content.
  func plaintext(_ content: JSONObject) throws -> [UInt8] {
    let claims = Claims(messageID: .random(), issuedAt: clock.now, lifetime: .maximum)
    let content = SealedContent(type: .notification, claims: claims, content: content.encoded())
    let key = try backend.signingKey()
    let keyID = key.publicKey.thumbprint.keyID
    let input = content.signatureInput(for: try binding, signer: keyID)
    let signed = content.signed(by: SealedContent.Signature(keyID: keyID, bytes: key.sign(input.span))!)
    return signed.encoded(paddedTo: signed.minimumSize + 16)
  }

  /// The payload of any plaintext, encrypted to the device.
  func sealed(plaintext: [UInt8]) throws -> [UInt8] {
    let recipient = try device.publicKeys.recipient(at: clock.now)
    let envelope = try recipient.seal(plaintext.span, for: Self.topic, random: SystemRandom())
    return payload(carrying: envelope.text)
  }

  private var binding: MessageBinding {
    get throws {
      try device.publicKeys.recipient(at: clock.now).binding(for: Self.topic)
    }
  }
}

extension [UInt8] {
  /// The same bytes with one to three accidents.
  func damaged(using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...3, using: &generator) { bytes.damage(using: &generator) }
    return bytes
  }

  private mutating func damage(using generator: inout SeededGenerator) {
    guard !isEmpty else { return append(0) }
    let start = Int.random(in: 0..<count, using: &generator)
    let end = Swift.min(count, start + Int.random(in: 1...40, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: self[start] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: self[start] = UInt8.random(in: 0x2d...0x7a, using: &generator)
    case 2: removeSubrange(start..<end)
    case 3: insert(contentsOf: self[start..<end], at: start)
    case 4: swapAt(start, Int.random(in: 0..<count, using: &generator))
    default: removeSubrange(start...)
    }
  }
}
