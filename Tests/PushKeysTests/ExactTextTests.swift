import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// To Unicode, U+212A, KELVIN SIGN, equals "K", and a composed "é" a decomposed one; in this format they differ.
@Suite("Texts are compared by their bytes")
struct ExactTextTests {
  /// A device's set whose key ID has a "K".
  private static let set: KeySet = {
    var set = KeySet(generating: .device, at: start)
    while !set.records[0].id.text.contains("K") { set = KeySet(generating: .device, at: start) }
    return set
  }()

  private static func kelvin(_ text: String) -> String { text.replacing("K", with: "\u{212a}") }

  @Test func aKidInASet() {
    let kid = quoted(Self.kelvin(Self.set.records[0].id.text))
    let (own, others) = (text(Self.set), publicText(Self.set))
    let error = KeySetError.wrongKeyID(index: 0, thumbprint: Self.set.records[0].id)
    #expect(throws: error) { try parse(own.setting("kid", to: kid)) }
    #expect(throws: error) { try parsePublic(others.setting("kid", to: kid)) }
  }

  @Test(arguments: [("kty", "OKP"), ("alg", "HPKE-4")]) func aMemberOfAKey(name: String, value: String) {
    let (own, others) = (text(Self.set), publicText(Self.set))
    let value = quoted(Self.kelvin(value))
    #expect(throws: KeySetError.invalidMember(index: 0, member: name)) {
      try parse(own.setting(name, to: value))
    }
    #expect(throws: KeySetError.invalidMember(index: 0, member: name)) {
      try parsePublic(others.setting(name, to: value))
    }
  }

  @Test func aRootsKid() throws {
    var root = KeySet(generating: .root, at: start)
    while !root.records[0].id.text.contains("K") { root = KeySet(generating: .root, at: start) }
    let header = SenderSetFault.header(["kid": quoted(Self.kelvin(root.records[0].id.text))])
    let text = Signed.jws(header: header, payload: SenderSetFault.claims(), by: root)
    #expect(throws: SignedSetError.unknownSigner) { try SenderKeySet(text, roots: root.publicKeys) }
  }

  @Test func anIdentitysKty() {
    let header = EnrolmentFault.header(["jwk": EnrolmentFault.jwk(["kty": quoted("O\u{212a}P")])])
    #expect(throws: SignedSetError.malformedHeader) { try Enrolment(EnrolmentFault.text(header: header)) }
  }

  @Test func aTopic() {
    let claims = EnrolmentFault.claims(["topic": quoted("com.example.K")])
    let text = EnrolmentFault.text(["topic": quoted("com.example.\u{212a}")], claims: claims)
    #expect(throws: SignedSetError.mismatch(member: "topic")) { try Enrolment(text) }
  }

  @Test func aRegistrationsIdentity() throws {
    var identity = KeySet(generating: .identity, at: start)
    while !identity.records[0].id.text.contains("K") { identity = KeySet(generating: .identity, at: start) }
    var keys = try DeviceKeys(device: Kind.x25519.makeSet(), identity: identity)
    let line = try Registration(
      name: "a", enrolment: try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    )
    .text
    let other = line.setting("identity", to: quoted(Self.kelvin(identity.records[0].id.text)))
    #expect(throws: SignedSetError.otherIdentity) { try Registration(line: other) }
  }

  @Test(arguments: [("\u{e9}", "e\u{301}"), ("K", "\u{212a}")]) func aName(one: String, other: String) throws
  {
    var all = Registrations()
    var keys = (0..<2).map { _ in DeviceKeys(of: .x25519ChaChaPoly, at: start) }
    let addresses = (0..<2).map { Signed.address(token: DeviceToken([UInt8($0)])!) }
    var enrolments = [try all.prove(&keys[0], as: one, at: addresses[0])]
    #expect(all[other] == nil)
    enrolments.append(try all.prove(&keys[1], as: other, at: addresses[1]))
    #expect(all[one]?.enrolment == enrolments[0] && all[other]?.enrolment == enrolments[1])
    #expect(throws: SignedSetError.otherIdentity) { try all.accept(enrolments[1], as: one) }
    #expect(all.remove(other)?.enrolment == enrolments[1] && all[one] != nil)
  }

  @Test(arguments: [("\u{e9}", "e\u{301}"), ("K", "\u{212a}")]) func aChallenge(one: String, other: String)
    throws
  {
    #expect(try Challenge(one) != Challenge(other) && Set([Challenge(one), Challenge(other)]).count == 2)
    let text = EnrolmentFault.text(claims: EnrolmentFault.claims(["challenge": quoted(one)]))
    #expect(throws: SignedSetError.wrongChallenge) { try Enrolment(text, challenge: Challenge(other)) }
    #expect(try Enrolment(text, challenge: Challenge(one)).challenge == Challenge(one))
  }
}

@Suite("Challenges")
struct ChallengeTests {
  @Test(arguments: ["", String(repeating: "x", count: 256), String(repeating: "é", count: 128)])
  func haveNoTextLike(text: String) { #expect(throws: ValueError.self) { try Challenge(text) } }

  @Test(arguments: ["x", String(repeating: "x", count: 255), "a\u{0}b", "é"]) func mayHaveATextLike(
    text: String
  ) {
    #expect((try? Challenge(text))?.text == text)
  }

  @Test(arguments: ["a\u{0}b", #"""#, "é", "\u{1f511}"]) func areSignedAsTheyAre(text: String) throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let challenge = try Challenge(text)
    let made = try keys.enrol(address: Signed.address, for: Signed.audience, challenge: challenge, at: start)
    #expect(try Enrolment(made.text, challenge: challenge).challenge == challenge)
  }
}
