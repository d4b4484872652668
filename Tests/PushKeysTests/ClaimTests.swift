import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// A phone that comes back, or changes hands: FORMAT.md, [11.21] to [11.23].
@Suite("A claim with a login's challenge")
struct ClaimTests {
  private var all = Registrations()
  private var ada = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  private let challenge: Challenge
  private let place = Signed.address
  private let elsewhere: DeviceAddress

  init() throws {
    challenge = try Challenge("A1b2")
    elsewhere = Signed.address(token: Signed.otherToken)
    try all.prove(&ada, as: "ada")
  }

  private func claim(
    by keys: inout DeviceKeys, at address: DeviceAddress, challenge: Challenge? = nil
  ) throws -> Enrolment {
    try keys.enrol(
      address: address, for: Signed.audience, challenge: challenge ?? self.challenge, at: start)
  }

  @Test("needs the challenge in what is signed")
  func unsigned() throws {
    var (all, ada) = (all, ada)
    let enrolment = try ada.enrol(address: place, for: Signed.audience, at: start)
    #expect(throws: SignedSetError.wrongChallenge) { try all.claim(enrolment, as: "bob") }
  }

  @Test("moves the same phone to another account at once, with nothing left to prove")
  func anotherAccount() throws {
    var (all, ada) = (all, ada)
    let enrolment = try claim(by: &ada, at: place)
    #expect(throws: SignedSetError.identityInUse(registration: "ada")) {
      try all.accept(enrolment, as: "bob")
    }
    let outcome = try all.accept(enrolment, as: "bob-1", person: "bob", login: .challenged)
    #expect(outcome.change == .registered && outcome.pending == nil)
    #expect(all["ada"] == nil && all["bob-1"]?.person == "bob")
    #expect(all["bob-1"]?.proven?.keys == all["bob-1"]?.enrolment.keys)
  }

  @Test("of an enrolment that is not newer is refused")
  func older() throws {
    var (all, ada) = (all, ada)
    let early = try claim(by: &ada, at: place)
    let last = try ada.enrol(address: place, for: Signed.audience, at: start)
    _ = try all.accept(last, as: "ada")
    #expect(throws: SignedSetError.olderSerial(last: last.serial)) { try all.claim(early, as: "bob") }
    #expect(all["ada"]?.proven != nil)
  }

  @Test("with other keys changes nothing for the other until the device has proven them")
  func newKeys() throws {
    var (all, ada) = (all, ada)
    try ada.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
    #expect(try all.claim(claim(by: &ada, at: place), as: "bob") == .pending)
    #expect(all["ada"]?.proven != nil)
    #expect(try all.accept(ada.answer(to: all["bob"]?.pending), as: "bob") == .registered)
    #expect(all["ada"] == nil)
  }

  @Test("of a phone that was erased moves its old token, and the old identity stays with nothing")
  func erased() throws {
    var all = all
    var new = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let enrolment = try claim(by: &new, at: place)
    #expect(throws: SignedSetError.tokenInUse(registration: "ada")) { try all.accept(enrolment, as: "ada-2") }
    #expect(try all.claim(enrolment, as: "ada-2") == .pending)
    #expect(all["ada"]?.proven != nil)
    // It lasts until it is settled: the answer has no challenge.
    let line = try #require(all["ada-2"]).text
    #expect(try Registration(line: line) == all["ada-2"] && line.contains(#""claim":true"#))
    #expect(try all.accept(new.answer(to: all["ada-2"]?.pending), as: "ada-2") == .registered)
    #expect(all["ada"]?.proven == nil && all["ada"]?.identity == ada.identity.records[0].id)
    #expect(all["ada-2"]?.text.contains("claim") == false)
  }

  @Test("of a phone that was erased begins anew under its old name")
  func sameName() throws {
    var all = all
    var new = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let enrolment = try claim(by: &new, at: place)
    #expect(throws: SignedSetError.otherIdentity) { try all.accept(enrolment, as: "ada") }
    #expect(try all.claim(enrolment, as: "ada") == .pending)
    #expect(all["ada"]?.identity == new.identity.records[0].id && all["ada"]?.proven == nil)
    #expect(try all.accept(new.answer(to: all["ada"]?.pending), as: "ada") == .registered)
  }

  @Test("of another's key and token gains a stranger nothing, because the phone does not answer")
  func stranger() throws {
    var (all, ada) = (all, ada)
    let eve = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    var forged = try DeviceKeys(device: ada.device, identity: eve.identity)
    #expect(try all.claim(claim(by: &forged, at: place), as: "eve") == .pending)
    let asked = try #require(all["eve"]?.pending)
    let answer = try ada.answer(
      asked.request, openedBy: asked.recipient.thumbprint, address: place, for: Signed.audience, at: start)
    #expect(answer == .failure(.otherIdentity))
    #expect(all["ada"]?.proven != nil && all["eve"]?.proven == nil)
  }

  @Test("of a token is refused where the keys alone are proven, because a token moves with its proof")
  func keyAlone() throws {
    var all = all
    var new = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let enrolment = try claim(by: &new, at: place)
    #expect(throws: SignedSetError.tokenInUse(registration: "ada")) {
      try all.claim(enrolment, as: "ada-2", proving: .keyAlone)
    }
  }

  @Test("is over when another proves the same first")
  func overtaken() throws {
    var all = all
    var (one, two) = (
      DeviceKeys(of: .x25519ChaChaPoly, at: start), DeviceKeys(of: .x25519ChaChaPoly, at: start)
    )
    try all.claim(claim(by: &one, at: place), as: "one")
    try all.claim(claim(by: &two, at: place), as: "two")
    let late = try one.answer(to: all["one"]?.pending)
    #expect(try all.accept(two.answer(to: all["two"]?.pending), as: "two") == .registered)
    #expect(all["one"]?.pending == nil && all["ada"]?.proven == nil)
    #expect(try all.accept(late, as: "one") == .pending)
    #expect(all["two"]?.proven != nil)
  }

  @Test("changes whose device it is, and an ordinary enrolment does not")
  func persons() throws {
    var (all, ada) = (all, ada)
    _ = try all.accept(claim(by: &ada, at: place), as: "ada", person: "ada", login: .none)
    #expect(all["ada"]?.person == "ada")
    _ = try all.accept(claim(by: &ada, at: place), as: "ada", person: "eve", login: .none)
    #expect(all["ada"]?.person == "ada")
    _ = try all.accept(claim(by: &ada, at: place), as: "ada", person: "eve", login: .fresh)
    #expect(all["ada"]?.person == "eve")
  }
}
