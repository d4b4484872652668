import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import Testing

/// Who sent a message, to whom, for what.
struct AuthenticityTests {
  private func expect(
    _ reason: DegradeReason, _ push: IncomingPush, _ receiver: Receiver,
    location: SourceLocation = #_sourceLocation
  ) {
    let reception = receiver.reception(of: push)
    #expect(reception.outcome == .degraded(reason), sourceLocation: location)
    #expect(reception.content == .bestAttempt(push.text), sourceLocation: location)
  }

  @Test("a message that is encrypted for another app", arguments: Suite.available)
  func otherTopic(suite: Suite) throws {
    let parties = Parties(suite)
    let envelope = try parties.envelope(Draft(), topic: Topic("com.example.other"))
    expect(.notAuthentic, .carrying(envelope.text), parties.receiver())
  }

  @Test("a signature for another app, key or suite, moved into a right envelope", arguments: Suite.available)
  func movedSignature(suite: Suite) throws {
    let parties = Parties(suite)
    let thumbprint = try parties.recipient.thumbprint
    let other = suite == .x25519ChaChaPoly ? Suite.p256AESGCM : .x25519ChaChaPoly
    let bindings = [
      MessageBinding(topic: try Topic("com.example.other"), suite: suite, recipient: thumbprint),
      MessageBinding(topic: Parties.topic, suite: suite, recipient: try Parties(suite).recipient.thumbprint),
      MessageBinding(topic: Parties.topic, suite: other, recipient: thumbprint),
    ]
    for binding in bindings {
      expect(.badSignature, try parties.push(Draft(signedFor: binding)), parties.receiver())
    }
  }

  @Test("everything in the plaintext before the padding is signed")
  func signedBytes() throws {
    let parties = Parties()
    let lifetime = Lifetime(seconds: 3600)!
    let content = try parties.content(Draft(json: #"{"aps":{"alert":"a"}}"#, lifetime: lifetime))
    let plaintext = content.encoded(paddedTo: content.minimumSize)
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    for index in plaintext.indices.dropLast() {
      var changed = plaintext
      changed[index] ^= 1
      let expected: DegradeReason =
        switch index {
        case 0: .malformedContent  // anonymous, and the signature no JSON
        case 17, 25: .malformedContent  // a time of 2^56, a lifetime of half a year
        case 29..<37: .unknownSender
        default: .badSignature
        }
      let outcome = receiver.reception(of: try parties.push(plaintext: changed)).outcome
      #expect(outcome == .degraded(expected), "byte \(index)")
    }
  }

  @Test("every bit of a signature counts")
  func signatureBits() throws {
    let parties = Parties()
    let content = try parties.content(Draft())
    let signature = try #require(content.signature)
    let receiver = parties.receiver()
    for bit in 0..<512 {
      var bytes = signature.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let changed = content.signed(by: SealedContent.Signature(keyID: signature.keyID, bytes: bytes)!)
      let plaintext = changed.encoded(paddedTo: changed.minimumSize)
      let outcome = receiver.reception(of: try parties.push(plaintext: plaintext)).outcome
      #expect(outcome == .degraded(.badSignature), "bit \(bit)")
    }
  }

  @Test("a signature of zeros, or with S + L, is none")
  func malleable() throws {
    let parties = Parties()
    let content = try parties.content(Draft())
    let signature = try #require(content.signature)
    let order: [UInt8] =
      [0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14]
      + [UInt8](repeating: 0, count: 15) + [0x10]
    var carry = 0
    let sum = zip(signature.bytes[32...], order).map { byte, addend in
      carry += Int(byte) + Int(addend)
      defer { carry >>= 8 }
      return UInt8(truncatingIfNeeded: carry)
    }
    for bytes in [[UInt8](repeating: 0, count: 64), signature.bytes[..<32] + sum] {
      let changed = content.signed(by: SealedContent.Signature(keyID: signature.keyID, bytes: bytes)!)
      let plaintext = changed.encoded(paddedTo: changed.minimumSize)
      expect(.badSignature, try parties.push(plaintext: plaintext), parties.receiver())
    }
  }

  @Test("one trusted sender's name on another one's signature")
  func otherSigner() throws {
    let parties = Parties()
    let other = KeySet(generating: .sender, at: Parties.now)
    let senders = KeyRing(senders: [try parties.backend.publicKeys, try other.publicKeys])
    let content = try parties.content(Draft())
    let signature = try #require(content.signature)
    let otherID = try other.signingKey().publicKey.thumbprint.keyID
    let renamed = content.signed(by: SealedContent.Signature(keyID: otherID, bytes: signature.bytes)!)
    let plaintext = renamed.encoded(paddedTo: renamed.minimumSize)
    expect(.badSignature, try parties.push(plaintext: plaintext), parties.receiver(senders: senders))
    #expect(throws: Never.self) { try parties.receiver(senders: senders).open(parties.push()) }
  }

  @Test("a signature does not make up for an anonymous message's missing one")
  func strippedSignature() throws {
    let parties = Parties()
    let signed = try parties.content(Draft())
    let stripped = SealedContent(type: signed.type, claims: signed.claims, content: signed.content)
    let plaintext = stripped.encoded(paddedTo: stripped.minimumSize)
    expect(.anonymousNotAccepted, try parties.push(plaintext: plaintext), parties.receiver())
  }

  @Test("bytes moved across the borders of the envelope's fields", arguments: Suite.available)
  func movedBorders(suite: Suite) throws {
    let parties = Parties(suite)
    let bytes = try parties.envelope().encoded()
    let border = 10 + suite.encapsulatedKeySize
    for changed in [
      Array(bytes[..<border]) + [0] + bytes[border...], Array(bytes[..<border]) + bytes[(border + 1)...],
      bytes + [0], bytes + bytes, Array(bytes.dropLast()),
    ] {
      expect(.notAuthentic, .carrying(base64URL(changed)), parties.receiver())
    }
  }

  @Test("the encapsulated key of another message", arguments: Suite.available)
  func otherEncapsulatedKey(suite: Suite) throws {
    let parties = Parties(suite)
    let (left, right) = (try parties.envelope(), try parties.envelope())
    let mixed = try Envelope(
      suite: suite, keyID: left.keyID, encapsulatedKey: left.encapsulatedKey, ciphertext: right.ciphertext)
    expect(.notAuthentic, .carrying(mixed.text), parties.receiver())
  }

  @Test("encapsulated keys of small order", arguments: [0, 1, 0xec, 0xed, 0xee] as [UInt8])
  func smallOrder(first: UInt8) throws {
    let parties = Parties()
    let rest = [UInt8](repeating: first > 1 ? 0xff : 0, count: 30) + [first > 1 ? 0x7f : 0]
    let envelope = try parties.envelope()
    let changed = try Envelope(
      suite: .x25519ChaChaPoly, keyID: envelope.keyID, encapsulatedKey: [first] + rest,
      ciphertext: envelope.ciphertext)
    expect(.notAuthentic, .carrying(changed.text), parties.receiver())
  }

  @Test("encapsulated points that are not on the curve", arguments: [0x00, 0xff] as [UInt8])
  func offCurve(filler: UInt8) throws {
    let parties = Parties(.p256AESGCM)
    let envelope = try parties.envelope()
    let changed = try Envelope(
      suite: .p256AESGCM, keyID: envelope.keyID,
      encapsulatedKey: [0x04] + [UInt8](repeating: filler, count: 64), ciphertext: envelope.ciphertext)
    expect(.notAuthentic, .carrying(changed.text), parties.receiver())
  }
}
