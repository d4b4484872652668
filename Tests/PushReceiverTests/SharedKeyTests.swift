import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import Testing

@Suite("Messages under a shared key")
struct SharedKeyTests {
  private let parties = Parties(.sharedChaChaPoly)
  private let device = Parties(.x25519ChaChaPoly)

  @Test("a message says by which key it was opened, and who signed")
  func opened() throws {
    let opened = try parties.receiver().open(parties.push()).opened
    #expect(opened.recipient == parties.device.records[0].id)
    #expect(opened.sender == (try parties.backend.signingKey().publicKey.thumbprint))
  }

  @Test(
    "whoever has the key can make a message that nobody signed, and it is not shown unless the app says so")
  func anonymous() throws {
    let push = try parties.push(Draft(isSigned: false))
    #expect(throws: DegradeReason.anonymousNotAccepted) { try parties.receiver().open(push) }
    let opened = try parties.receiver(accepts: AcceptedEnvelopes(anonymous: true)).open(push).opened
    #expect(opened.sender == nil && opened.recipient == parties.device.records[0].id)
  }

  @Test("anonymous messages are remembered by the key: another content under an identity is refused")
  func replayed() throws {
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    let id = MessageID.random()
    _ = try receiver.open(parties.push(Draft(messageID: id, isSigned: false)))
    let other = Draft(json: #"{"aps":{"alert":"Another"}}"#, messageID: id, isSigned: false)
    #expect(throws: DegradeReason.replayed) { try receiver.open(parties.push(other)) }
  }

  @Test("a device has shared keys beside its own")
  func both() throws {
    let keys = CombinedKeyStore(device.device, parties.device)
    #expect(
      try parties.receiver(keys: keys).open(parties.push()).opened.recipient == parties.device.records[0].id)
    #expect(
      try device.receiver(keys: keys).open(device.push()).opened.recipient == device.device.records[0].id)
  }

  @Test("one suite's byte on another suite's message finds no key", arguments: [true, false])
  func swappedSuites(isShared: Bool) throws {
    let keys = CombinedKeyStore(device.device, parties.device)
    let made = isShared ? parties : device
    var bytes = try made.envelope().encoded()
    bytes[1] = isShared ? 0x01 : 0x10
    #expect(throws: DegradeReason.unknownKey) {
      try made.receiver(keys: keys).open(.carrying(base64URL(bytes)))
    }
  }

  @Test("a change to any byte has the reason of its field")
  func everyByte() throws {
    let bytes = try parties.envelope().encoded()
    let receiver = parties.receiver()
    for index in bytes.indices {
      for change in [0x01, 0x80] as [UInt8] {
        var changed = bytes
        changed[index] ^= change
        let reason: DegradeReason =
          switch index {
          case 0: .unsupportedVersion
          case 1: .unsupportedSuite
          case 2..<10: .unknownKey
          default: .notAuthentic
          }
        #expect(throws: reason, "byte \(index)") { try receiver.open(.carrying(base64URL(changed))) }
      }
    }
  }

  @Test("a ciphertext that is right does not open under a commitment that is not")
  func commitment() throws {
    let good = try parties.envelope()
    let other = try parties.envelope()
    let enc = Array(good.encapsulatedKey.prefix(32) + other.encapsulatedKey.suffix(32))
    let envelope = try Envelope(
      suite: good.suite, keyID: good.keyID, encapsulatedKey: enc, ciphertext: good.ciphertext)
    #expect(throws: DegradeReason.notAuthentic) { try parties.receiver().open(.carrying(envelope.text)) }
    #expect(try parties.receiver().open(.carrying(good.text)).notification.alert?.body == "secret")
  }

  @Test("a message under another key, with this key's name, does not open")
  func otherKey() throws {
    let other = Parties(.sharedChaChaPoly)
    let sealed = try other.envelope(Draft(signer: parties.backend))
    let envelope = try Envelope(
      suite: sealed.suite, keyID: parties.device.records[0].id.keyID, encapsulatedKey: sealed.encapsulatedKey,
      ciphertext: sealed.ciphertext)
    #expect(throws: DegradeReason.notAuthentic) { try parties.receiver().open(.carrying(envelope.text)) }
  }

  @Test("a signature for the device's own key is none for a shared one")
  func retargeted() throws {
    let push = try parties.push(Draft(signedFor: device.binding()))
    #expect(throws: DegradeReason.badSignature) { try parties.receiver().open(push) }
  }
}
