import PushCore
import PushKeys
import PushReceiver
import PushTesting
import Testing

/// Exactly one key is tried: the one that the envelope names, for its suite.
struct KeyChoiceTests {
  private let x25519 = Parties(.x25519ChaChaPoly)
  private let p256 = Parties(.p256AESGCM)

  private var ring: KeyRing { KeyRing(devices: [x25519.device, p256.device]) }

  private func outcome(_ bytes: [UInt8]) -> Outcome {
    x25519.receiver(keys: ring, accepts: AcceptedEnvelopes(anonymous: true))
      .reception(of: .carrying(base64URL(bytes))).outcome
  }

  /// The envelope with the name of another's key.
  private func renamed(_ envelope: Envelope, for other: Parties) throws -> Envelope {
    try Envelope(
      suite: envelope.suite, keyID: other.recipient.thumbprint.keyID,
      encapsulatedKey: envelope.encapsulatedKey, ciphertext: envelope.ciphertext)
  }

  @Test("a device with keys of both suites opens both")
  func both() throws {
    for parties in [x25519, p256] {
      let receiver = parties.receiver(keys: ring)
      #expect(receiver.reception(of: try parties.push()).content.body == "secret")
    }
  }

  @Test("the suite byte changed to the other suite's")
  func downgrade() throws {
    // The 65 bytes of a point begin with 32 that could be an X25519 key.
    var bytes = try p256.envelope(Draft(isSigned: false)).encoded()
    bytes[1] = Suite.x25519ChaChaPoly.rawValue
    #expect(outcome(bytes) == .degraded(.unknownKey))
    // An X25519 key that begins with 4, and enough ciphertext for a point's other bytes.
    bytes = try x25519.envelope(Draft(isSigned: false)).encoded()
    bytes[1] = Suite.p256AESGCM.rawValue
    bytes[10] = 0x04
    #expect(outcome(bytes) == .degraded(.unknownKey))
  }

  @Test("an envelope that names a key of the other suite")
  func otherSuitesKey() throws {
    for (parties, other) in [(x25519, p256), (p256, x25519)] {
      let renamed = try renamed(parties.envelope(), for: other)
      #expect(outcome(renamed.encoded()) == .degraded(.unknownKey))
    }
  }

  @Test("a device's only key is not tried for an envelope that names another", arguments: Suite.available)
  func onlyKey(suite: Suite) throws {
    let (parties, other) = (Parties(suite), Parties(suite))
    let renamed = try renamed(parties.envelope(), for: other)
    #expect(throws: DegradeReason.unknownKey) { try parties.receiver().open(.carrying(renamed.text)) }
  }

  @Test("the device's other keys are not tried", arguments: Suite.available)
  func noTrial(suite: Suite) throws {
    let (named, right) = (Parties(suite), Parties(suite))
    let envelope = try right.envelope()
    let renamed = try renamed(envelope, for: named)
    let receiver = right.receiver(keys: KeyRing(devices: [named.device, right.device]))
    #expect(throws: DegradeReason.notAuthentic) { try receiver.open(.carrying(renamed.text)) }
    #expect(throws: Never.self) { try receiver.open(.carrying(envelope.text)) }
  }

  @Test("only accepted suites are opened", arguments: Suite.available)
  func acceptance(suite: Suite) throws {
    for parties in [x25519, p256] {
      let receiver = parties.receiver(keys: ring, accepts: AcceptedEnvelopes(suites: [suite]))
      let expected: DegradeReason? = parties.suite == suite ? nil : .suiteNotAccepted
      var reason: DegradeReason?
      do { _ = try receiver.open(parties.push()) } catch let error as DegradeReason { reason = error }
      #expect(reason == expected)
    }
  }

  @Test("a replaced key opens until its last second", arguments: Suite.available)
  func replacedKey(suite: Suite) throws {
    let parties = Parties(suite)
    var editor = KeySetEditor(parties.device)
    try editor.rotate(at: Parties.now)
    let end: Int64 = 2_592_000
    let push = try parties.push(Draft(issuedAt: Parties.now.advanced(by: .seconds(60))))
    let open = { (seconds: Int64) in
      try parties.receiver(keys: editor.keySet, at: Parties.now.advanced(by: .seconds(seconds))).open(push)
    }
    #expect(try open(60).opened.recipient == parties.recipient.thumbprint)
    #expect(try open(end).opened.recipient == parties.recipient.thumbprint)
    #expect(throws: DegradeReason.unknownKey) { try open(end + 1) }
  }

  @Test("a destroyed key opens nothing, even if the clock goes back")
  func prunedKey() throws {
    var editor = KeySetEditor(x25519.device)
    try editor.rotate(at: Parties.now)
    #expect(
      editor.prune(at: Parties.now.advanced(by: .seconds(2_592_001))) == [try x25519.recipient.thumbprint])
    let receiver = x25519.receiver(keys: editor.keySet)
    #expect(throws: DegradeReason.unknownKey) { try receiver.open(x25519.push()) }
  }

  @Test("a replaced sender's key verifies until its last second")
  func replacedSender() throws {
    var editor = KeySetEditor(x25519.backend)
    try editor.rotate(again: true, at: Parties.now)
    let senders = try editor.keySet.publicKeys
    let push = try x25519.push(Draft(issuedAt: Parties.now.advanced(by: .seconds(60))))
    let open = { (seconds: Int64) in
      try x25519.receiver(senders: senders, at: Parties.now.advanced(by: .seconds(seconds))).open(push)
    }
    #expect(try open(2_592_000).opened.sender == x25519.backend.signingKey().publicKey.thumbprint)
    #expect(throws: DegradeReason.unknownSender) { try open(2_592_001) }
    let new = try x25519.push(Draft(signer: editor.keySet))
    let opened = try x25519.receiver(senders: senders).open(new).opened
    #expect(opened.sender == (try editor.keySet.signingKey().publicKey.thumbprint))
  }

  @Test("keys of the wrong role are no keys")
  func wrongRole() throws {
    let push = try x25519.push()
    #expect(throws: DegradeReason.unknownKey) { try x25519.receiver(keys: x25519.backend).open(push) }
    #expect(throws: DegradeReason.unknownSender) {
      try x25519.receiver(senders: x25519.device.publicKeys).open(push)
    }
  }
}
