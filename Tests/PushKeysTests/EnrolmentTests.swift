import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("Enrolments")
struct EnrolmentTests {
  private var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  @Test(arguments: [nil, "login 7"]) func sayWhatADeviceSigned(text: String?) throws {
    var keys = keys
    let challenge = text.flatMap({ try? Challenge($0) })
    let made = try keys.enrol(address: Signed.address, for: Signed.audience, challenge: challenge, at: start)
    let read = try Enrolment(made.text, for: Signed.topic, challenge: challenge)
    #expect(read == made)
    #expect(read.address == .apns(Signed.address) && read.challenge == challenge && read.issuedAt == start)
    #expect(read.identity == keys.identity.records[0].publicKey && read.serial == start.seconds)
    #expect(try read.keys == keys.device.publicKeys)
  }

  @Test func haveARandomChallenge() throws {
    let (first, second) = (Challenge.random(), Challenge.random())
    #expect(first != second)
    #expect(try Base64URL.decode(first.text).count == 16)
  }

  @Test func areOneLine() throws {
    var keys = keys
    let made = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    let address = #""topic":"com.example.app","environment":"production","token":"\#(Signed.token.text)""#
    #expect(made.text == #"{"v":1,\#(address),"keys":"\#(made.signedKeys)"}"#)
  }

  @Test(arguments: EnrolmentFault.members) func refuses(fault: EnrolmentFault) {
    #expect(throws: fault.error) { try Enrolment(fault.text) }
  }

  @Test(arguments: EnrolmentFault.signed) func refusesWhatIsSigned(fault: EnrolmentFault) {
    #expect(throws: fault.error) { try Enrolment(fault.text) }
  }

  @Test func areReadInAnyOrderAndWithWhiteSpace() throws {
    let text = EnrolmentFault.text()
    #expect(try Enrolment(text.replacing(",", with: " ,\n")).serial == 7)
  }

  @Test func have32KiBAtMost() throws {
    let text = EnrolmentFault.text()
    let padding = String(repeating: " ", count: 32_768 - text.utf8.count)
    #expect(try Enrolment(text + padding).serial == 7)
    #expect(throws: SignedSetError.tooLarge) { try Enrolment(text + padding + " ") }
  }

  @Test func areForOneApp() throws {
    #expect(throws: SignedSetError.otherTopic) {
      try Enrolment(EnrolmentFault.text(), for: Signed.otherTopic)
    }
  }

  @Test func haveTheChallengeThatTheBackendGave() throws {
    let text = EnrolmentFault.text(claims: EnrolmentFault.claims(["challenge": #""7""#]))
    #expect(try Enrolment(text).challenge == Challenge("7"))
    #expect(throws: Never.self) { try Enrolment(text, challenge: Challenge("7")) }
    #expect(throws: SignedSetError.wrongChallenge) { try Enrolment(text, challenge: Challenge("8")) }
    #expect(throws: SignedSetError.wrongChallenge) {
      try Enrolment(EnrolmentFault.text(), challenge: Challenge("7"))
    }
  }

  @Test func haveNoSignedBitThatMayFlip() throws {
    var keys = keys
    let made = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    var bytes = Array(made.text.utf8)
    for index in bytes.indices {
      bytes[index] ^= 1 << (index % 8)
      #expect((try? Enrolment(parsing: bytes.span, audience: Signed.audience)) == nil, "byte \(index)")
      bytes[index] ^= 1 << (index % 8)
    }
  }

  @Test func handOutActiveKeysAlone() throws {
    var keys = keys
    try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
    let made = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(made.keys.records == [keys.device.records[1]])
  }

  @Test(arguments: [KeyRole.device, .sender, .root]) func areSignedByAnIdentity(role: KeyRole) throws {
    var editor = KeySetEditor(KeySet(generating: role, at: start))
    #expect(throws: KeySetError.wrongRole) {
      try editor.enrol(EnrolmentFault.device, address: Signed.address, for: Signed.audience, at: start)
    }
  }

  @Test(arguments: [KeyRole.sender, .identity, .root]) func areOfADevicesKeys(role: KeyRole) throws {
    var editor = KeySetEditor(EnrolmentFault.identity)
    let keys = try KeySet(generating: role, at: start).publicKeys
    #expect(throws: KeySetError.wrongRole) {
      try editor.enrol(keys, address: Signed.address, for: Signed.audience, at: start)
    }
    #expect(editor.keySet.serial == 0)
  }

  @Test func areNotMadeLongerThanTheyMayBe() throws {
    var editor = KeySetEditor(EnrolmentFault.identity)
    let accepted = (0..<200).map { _ in
      keyTexts(publicText(KeySet(generating: .device, at: start)))[0].setting("status", to: #""accepted""#)
    }
    let keys = try parsePublic(setText(accepted + keyTexts(text(EnrolmentFault.device))))
    #expect(throws: KeySetError.tooManyKeys) {
      try editor.enrol(keys, address: Signed.address, for: Signed.audience, at: start)
    }
    #expect(editor.keySet.serial == 0)
  }

  @Test(arguments: [(KeyRole.sender, KeyRole.identity), (.device, .root), (.identity, .device)])
  func aDeviceHasItsOwnKeysAndAnIdentity(device: KeyRole, identity: KeyRole) {
    #expect(throws: KeySetError.wrongRole) {
      try DeviceKeys(
        device: KeySet(generating: device, at: start), identity: KeySet(generating: identity, at: start))
    }
  }

  @Test func aFailedChangeOfKeysChangesNothing() {
    var keys = keys
    let before = keys.device.records
    #expect(throws: KeySetError.graceTooShort) {
      try keys.edit { (editor) throws(KeySetError) in
        try editor.rotate(at: start)
        try editor.rotate(grace: .zero, at: start)
      }
    }
    #expect(keys.device.records == before)
  }
}
