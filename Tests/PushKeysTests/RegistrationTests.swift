import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("A registration")
struct RegistrationTests {
  private var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  /// A device's keys, its newest enrolment, which is proven, and its registration.
  private func registered() throws -> (keys: DeviceKeys, enrolment: Enrolment, registration: Registration) {
    var keys = keys
    let registration = try Registration.proven("alice/1", &keys)
    return (keys, registration.enrolment, registration)
  }

  @Test func keepsTheFirstEnrolment() throws {
    let (keys, enrolment, registration) = try registered()
    #expect(registration.name == "alice/1" && registration.enrolment == enrolment)
    #expect(registration.identity == keys.identity.records[0].id)
  }

  @Test func keepsItsPerson() throws {
    var (keys, _, registration) = try registered()
    #expect(registration.person == nil)
    try registration.assign(to: "ada")
    #expect(try Registration(parsing: registration.encoded()).person == "ada")
    #expect(try Registration(parsing: registration.encoded()) == registration)
    let later = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    try registration.update(with: later)
    #expect(registration.person == "ada")
    for name in ["", "a\u{85}", String(repeating: "a", count: 256)] {
      #expect(throws: SignedSetError.malformedEnrolment) { try registration.assign(to: name) }
    }
    #expect(registration.person == "ada")
    var other = registration
    try other.assign(to: nil)
    #expect(other != registration && other.person == nil)
  }

  @Test func takesALaterEnrolment() throws {
    var (keys, _, registration) = try registered()
    try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(at: start) }
    let later = try keys.enrol(
      address: Signed.address(.sandbox, token: Signed.otherToken), for: Signed.audience, at: start)
    #expect(try registration.update(with: later) == .pending && registration.enrolment == later)
    #expect(try registration.prove(with: &keys) == .updated)
  }

  @Test func isUnchangedByTheSame() throws {
    var (_, enrolment, registration) = try registered()
    #expect(try registration.update(with: try Enrolment(enrolment.text)) == .unchanged)
    #expect(registration.enrolment == enrolment)
  }

  @Test func refusesAnOlderEnrolment() throws {
    var (keys, first, registration) = try registered()
    let second = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    try registration.update(with: second)
    #expect(throws: SignedSetError.olderSerial(last: second.serial)) { try registration.update(with: first) }
    #expect(registration.enrolment == second)
  }

  @Test func refusesAnotherOfTheSameSerial() throws {
    var (first, copy) = (keys, keys)
    let enrolment = try first.enrol(address: Signed.address, for: Signed.audience, at: start)
    var registration = try Registration(name: "alice/1", enrolment: enrolment)
    // The device was restored to a backup from before it enrolled.
    let other = try copy.enrol(
      address: Signed.address(token: Signed.otherToken), for: Signed.audience, at: start)
    #expect(other.serial == enrolment.serial)
    #expect(throws: SignedSetError.sameSerial) { try registration.update(with: other) }
    #expect(registration.enrolment == enrolment)
  }

  @Test func refusesAnotherIdentity() throws {
    var (_, enrolment, registration) = try registered()
    var thief = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let other = try thief.enrol(
      address: Signed.address, for: Signed.audience, at: start.advanced(by: .seconds(1)))
    #expect(throws: SignedSetError.otherIdentity) { try registration.update(with: other) }
    #expect(registration.enrolment == enrolment)
  }

  @Test func refusesAnotherTopic() throws {
    var (keys, enrolment, registration) = try registered()
    let other = try keys.enrol(
      address: Signed.address(topic: Signed.otherTopic), for: Signed.audience, at: start)
    #expect(throws: SignedSetError.otherTopic) { try registration.update(with: other) }
    #expect(registration.enrolment == enrolment)
  }

  @Test func isReadAsItIsWritten() throws {
    let (_, _, registration) = try registered()
    #expect(try Registration(line: registration.text) == registration)
    #expect(registration.text.hasPrefix(#"{"v":1,"registration":"alice/1","identity":""#))
    #expect(!registration.text.contains("\n"))
  }

  @Test(
    arguments: [
      ("registration", nil, .malformedEnrolment), ("identity", nil, .malformedEnrolment),
      ("registration", #""""#, .malformedEnrolment), ("registration", "1", .malformedEnrolment),
      ("registration", #""a\nb""#, .malformedEnrolment), ("identity", "1", .malformedEnrolment),
      ("identity", #""""#, .otherIdentity), ("v", "2", .unsupportedVersion), ("keys", "{}", .unsigned),
      ("topic", #""com.example.other""#, .mismatch(member: "topic")),
    ] as [(String, String?, SignedSetError)]) func refusesALine(
      name: String, value: String?, error: SignedSetError
    ) throws
  {
    let line = try registered().registration.text.setting(name, to: value)
    #expect(throws: error) { try Registration(line: line) }
  }

  @Test func refusesALineOfAnotherIdentity() throws {
    let other = KeySet(generating: .identity, at: start).records[0].id.text
    let line = try registered().registration.text.setting("identity", to: quoted(other))
    #expect(throws: SignedSetError.otherIdentity) { try Registration(line: line) }
  }

  @Test func isNoEnrolmentAndAnEnrolmentIsNone() throws {
    let (_, enrolment, registration) = try registered()
    #expect(throws: SignedSetError.malformedEnrolment) { try Enrolment(registration.text) }
    #expect(throws: SignedSetError.malformedEnrolment) { try Registration(line: enrolment.text) }
  }

  @Test func has64KiBAtMost() throws {
    let line = try registered().registration.text
    let padding = String(repeating: " ", count: 65_536 - line.utf8.count)
    #expect(throws: Never.self) { try Registration(line: line + padding) }
    #expect(throws: SignedSetError.tooLarge) { try Registration(line: line + padding + " ") }
  }

  @Test(arguments: [
    "", String(repeating: "x", count: 256), String(repeating: "é", count: 128), "a\u{0}", "\n", "a\u{1f}",
    "\u{7f}", "\u{80}", "\u{9f}b",
  ]) func hasNoNameLike(name: String) throws {
    #expect(!Registration.isName(name))
    let enrolment = try registered().enrolment
    #expect(throws: SignedSetError.malformedEnrolment) { try Registration(name: name, enrolment: enrolment) }
  }

  @Test(arguments: [
    "a", String(repeating: "x", count: 255), "é", "e\u{301}", "a b", "\u{20}", "\u{7e}", "\u{a0}", "\u{2028}",
    #"""#,
    #"\"#, "📱",
  ]) func mayHaveANameLike(name: String) throws {
    let registration = try Registration(name: name, enrolment: try registered().enrolment)
    let read = try Registration(line: registration.text)
    #expect(read.name.utf8.elementsEqual(name.utf8) && read == registration)
  }

  @Test func differsFromOneWithAnotherName() throws {
    let enrolment = try registered().enrolment
    let proof = Proof.random()
    let composed = try Registration(name: "\u{e9}", enrolment: enrolment, proof: proof)
    #expect(try composed != Registration(name: "e\u{301}", enrolment: enrolment, proof: proof))
    #expect(try composed == Registration(name: "\u{e9}", enrolment: enrolment, proof: proof))
  }

  @Test func asksForNothingMoreOnceAnotherHasProvenItsToken() throws {
    let winner = try registered().registration
    var others = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    var loser = try Registration(
      name: "bob/1", enrolment: try others.enrol(address: Signed.address, for: Signed.audience, at: start))
    #expect(loser.pending != nil)
    let change = loser.yield(to: winner)
    #expect(change && loser.pending == nil)
  }

  @Test func yieldsNothingToOneThatHasNothingOfIts() throws {
    let winner = try registered().registration
    var others = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let address = Signed.address(token: Signed.otherToken)
    var other = try Registration(
      name: "bob/1", enrolment: try others.enrol(address: address, for: Signed.audience, at: start))
    let before = other
    let change = other.yield(to: winner)
    #expect(!change && other == before)
  }
}
