import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("Registrations")
struct RegistrationsTests {
  private var alice = DeviceKeys(of: .x25519ChaChaPoly, at: start)
  private var bob = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  private func token(_ byte: UInt8) -> DeviceToken { DeviceToken([byte])! }

  @Test func tellWhatBecameOfAnEnrolment() throws {
    var (all, alice) = (Registrations(), alice)
    let first = try alice.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(try all.accept(first, as: "alice") == .pending)
    #expect(try all.accept(first, as: "alice") == .pending)
    let answer = try alice.answer(to: all["alice"]?.pending)
    #expect(try all.accept(answer, as: "alice") == .registered)
    #expect(try all.accept(answer, as: "alice") == .unchanged)
    let last = try alice.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(try all.accept(last, as: "alice") == .updated)
    #expect(throws: SignedSetError.olderSerial(last: last.serial)) { try all.accept(answer, as: "alice") }
    #expect(all.all.map(\.name) == ["alice"] && all["alice"]?.enrolment == last)
    #expect(all["bob"] == nil)
  }

  @Test func bringBackNoDeviceByAnUpdate() throws {
    var (all, alice) = (Registrations(), alice)
    try all.prove(&alice, as: "alice")
    all.remove("alice")
    let later = try alice.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(throws: SignedSetError.notRegistered) { try all.update(later, as: "alice") }
    #expect(all.all.isEmpty)
  }

  @Test func haveAnIdentityOnce() throws {
    var (all, alice) = (Registrations(), alice)
    try all.prove(&alice, as: "alice")
    let again = try alice.enrol(address: Signed.address(token: token(2)), for: Signed.audience, at: start)
    #expect(throws: SignedSetError.identityInUse(registration: "alice")) { try all.accept(again, as: "bob") }
    #expect(all["bob"] == nil)
  }

  @Test(arguments: APNsEnvironment.allCases) func haveATokenOnce(environment: APNsEnvironment) throws {
    var (all, alice, bob) = (Registrations(), alice, bob)
    try all.prove(&alice, as: "alice", at: Signed.address(.sandbox))
    let other = try bob.enrol(address: Signed.address(environment), for: Signed.audience, at: start)
    #expect(throws: SignedSetError.tokenInUse(registration: "alice")) { try all.accept(other, as: "bob") }
  }

  @Test func haveAKeyOnce() throws {
    var (all, alice) = (Registrations(), alice)
    try all.prove(&alice, as: "alice", at: Signed.address(token: token(1)))
    // Another identity, and the same key.
    var copy = try DeviceKeys(device: alice.device, identity: bob.identity)
    let other = try copy.enrol(address: Signed.address(token: token(2)), for: Signed.audience, at: start)
    #expect(throws: SignedSetError.keyInUse(registration: "alice")) { try all.accept(other, as: "bob") }
  }

  @Test func nameTheIdentityBeforeTheTokenAndThatBeforeTheKey() throws {
    var (all, alice, bob) = (Registrations(), alice, bob)
    try all.prove(&alice, as: "alice")
    let everything = try alice.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(throws: SignedSetError.identityInUse(registration: "alice")) {
      try all.accept(everything, as: "b")
    }
    bob = try DeviceKeys(device: alice.device, identity: bob.identity)
    let tokenAndKey = try bob.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(throws: SignedSetError.tokenInUse(registration: "alice")) { try all.accept(tokenAndKey, as: "b") }
  }

  @Test func anUpdateTakesATokenOnlyWithAProof() throws {
    var (all, alice, bob) = (Registrations(), alice, bob)
    let hers = try all.prove(&alice, as: "alice", at: Signed.address(token: token(1)))
    let before = try all.prove(&bob, as: "bob", at: Signed.address(token: token(2)))
    let claimed = try bob.enrol(address: Signed.address(token: token(1)), for: Signed.audience, at: start)
    #expect(try all.accept(claimed, as: "bob") == .pending)
    #expect(all["alice"]?.proven?.enrolment == hers && all["bob"]?.proven?.enrolment == before)
    #expect(try all.accept(bob.answer(to: all["bob"]?.pending), as: "bob") == .updated)
    #expect(all["alice"]?.proven == nil && all["alice"]?.enrolment == hers)
    // Alice's phone takes it back in the same way.
    let again = try alice.enrol(address: Signed.address(token: token(1)), for: Signed.audience, at: start)
    #expect(try all.accept(again, as: "alice") == .pending && all["bob"]?.proven != nil)
    #expect(try all.accept(alice.answer(to: all["alice"]?.pending), as: "alice") == .registered)
    #expect(all["bob"]?.proven == nil)
  }

  @Test func whatAnUpdateLeavesIsFree() throws {
    var (all, alice, bob) = (Registrations(), alice, bob)
    let old = alice.device
    try all.prove(&alice, as: "alice", at: Signed.address(token: token(1)))
    try alice.edit { (editor) throws(KeySetError) in _ = try editor.rotate(at: start) }
    try all.prove(&alice, as: "alice", at: Signed.address(token: token(2)))
    bob = try DeviceKeys(device: old, identity: bob.identity)
    let other = try bob.enrol(address: Signed.address(token: token(1)), for: Signed.audience, at: start)
    #expect(try all.accept(other, as: "bob") == .pending)
  }

  @Test func whatIsRemovedIsFree() throws {
    var (all, alice, bob) = (Registrations(), alice, bob)
    let first = try alice.enrol(address: Signed.address, for: Signed.audience, at: start)
    let last = try all.prove(&alice, as: "alice")
    try all.prove(&bob, as: "bob", at: Signed.address(token: token(2)))
    #expect(all.remove("alice")?.enrolment == last)
    #expect(all.remove("alice") == nil && all["alice"] == nil)
    #expect(all.all.map(\.name) == ["bob"] && all["bob"]?.name == "bob")
    // The removed registration's serial is forgotten, too.
    #expect(try all.accept(first, as: "carol") == .pending)
    try all.accept(alice.answer(to: all["carol"]?.pending), as: "carol")
    #expect(throws: SignedSetError.identityInUse(registration: "carol")) { try all.accept(last, as: "alice") }
  }

  @Test func keepTheirOrder() throws {
    var all = Registrations()
    var devices = (0..<5).map { _ in DeviceKeys(of: .x25519ChaChaPoly, at: start) }
    for index in devices.indices {
      try all.prove(&devices[index], as: "\(index)", at: Signed.address(token: token(UInt8(index))))
    }
    try all.prove(&devices[2], as: "2", at: Signed.address(token: token(9)))
    all.remove("1")
    #expect(all.all.map(\.name) == ["0", "2", "3", "4"])
    #expect(["0", "2", "3", "4"].allSatisfy { all[$0]?.name == $0 })
  }

  @Test func haveNoWrongName() throws {
    var (all, alice) = (Registrations(), alice)
    let enrolment = try alice.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(throws: SignedSetError.malformedEnrolment) { try all.accept(enrolment, as: "") }
    #expect(all.all.isEmpty)
  }
}
