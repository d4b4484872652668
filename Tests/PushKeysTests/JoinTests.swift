import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// A device of several persons: FORMAT.md, [11.24].
@Suite("A person who joins those who have a device")
struct JoinTests {
  private var all = Registrations()
  private var tablet = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  init() throws {
    try all.prove(&tablet, as: "tablet")
    try all.assign("tablet", to: "ada")
  }

  private func challenged(_ keys: inout DeviceKeys, at address: DeviceAddress = Signed.address) throws
    -> Enrolment
  {
    try keys.enrol(address: address, for: Signed.audience, challenge: .random(), at: start)
  }

  @Test("is there at once, beside those who were")
  func joins() throws {
    var (all, tablet) = (all, tablet)
    let outcome = try all.accept(challenged(&tablet), as: "tablet", person: "bob", login: .joining)
    #expect(outcome.change == .updated && outcome.pending == nil)
    #expect(all["tablet"]?.persons == ["ada", "bob"] && all["tablet"]?.person == nil)
    #expect(all["tablet"]?.proven != nil)
  }

  @Test("needs the challenge in what is signed")
  func unsigned() throws {
    var (all, tablet) = (all, tablet)
    let enrolment = try tablet.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(throws: SignedSetError.wrongChallenge) {
      try all.accept(enrolment, as: "tablet", person: "bob", login: .joining)
    }
  }

  @Test("has a name")
  func nameless() throws {
    var (all, tablet) = (all, tablet)
    let enrolment = try challenged(&tablet)
    #expect(throws: SignedSetError.malformedEnrolment) {
      try all.accept(enrolment, as: "tablet", login: .joining)
    }
  }

  @Test("does not take the registration over with another device")
  func otherDevice() throws {
    var (all, other) = (all, DeviceKeys(of: .x25519ChaChaPoly, at: start))
    let enrolment = try challenged(&other)
    #expect(throws: SignedSetError.otherIdentity) {
      try all.accept(enrolment, as: "tablet", person: "eve", login: .joining)
    }
    #expect(all["tablet"]?.persons == ["ada"])
  }

  @Test("does not take a registration over that names nobody")
  func nobodys() throws {
    var (all, other) = (all, DeviceKeys(of: .x25519ChaChaPoly, at: start))
    try all.assign("tablet", to: nil)
    let enrolment = try challenged(&other)
    #expect(throws: SignedSetError.otherIdentity) {
      try all.accept(enrolment, as: "tablet", person: "eve", login: .joining)
    }
  }

  @Test("begins anew with an erased device that nobody else had")
  func erased() throws {
    var (all, other) = (all, DeviceKeys(of: .x25519ChaChaPoly, at: start))
    let outcome = try all.accept(challenged(&other), as: "tablet", person: "ada", login: .joining)
    #expect(outcome.change == .pending && all["tablet"]?.persons == ["ada"])
  }

  @Test("does not move a device that is registered under another name")
  func otherName() throws {
    var (all, tablet) = (all, tablet)
    let enrolment = try challenged(&tablet)
    #expect(throws: SignedSetError.identityInUse(registration: "tablet")) {
      try all.accept(enrolment, as: "phone", person: "bob", login: .joining)
    }
  }

  @Test("is one of sixteen at most")
  func seventeenth() throws {
    var (all, tablet) = (all, tablet)
    for number in 2...Registration.maximumPersons {
      _ = try all.accept(challenged(&tablet), as: "tablet", person: "person \(number)", login: .joining)
    }
    let before = all.all
    let enrolment = try challenged(&tablet)
    #expect(throws: SignedSetError.tooManyPersons) {
      try all.accept(enrolment, as: "tablet", person: "eve", login: .joining)
    }
    #expect(all.all == before)
    // Who is there already may come again.
    _ = try all.accept(challenged(&tablet), as: "tablet", person: "ada", login: .joining)
    #expect(all["tablet"]?.persons.count == Registration.maximumPersons)
  }

  @Test("is in the registration's line, in the order of the names' bytes")
  func line() throws {
    var (all, tablet) = (all, tablet)
    for person in ["émile", "Zoë"] {
      _ = try all.accept(challenged(&tablet), as: "tablet", person: person, login: .joining)
    }
    let registration = try #require(all["tablet"])
    let line = registration.encoded()
    #expect(try JSONObject(parsing: line.span)["persons"] == .array(["Zoë", "ada", "émile"]))
    #expect(try JSONObject(parsing: line.span)["person"] == nil)
    #expect(try Registration(parsing: line.span) == registration)
  }

  @Test("leaves, and the last one takes the registration along")
  func leaves() throws {
    var (all, tablet) = (all, tablet)
    _ = try all.accept(challenged(&tablet), as: "tablet", person: "bob", login: .joining)
    let changes = ["eve", "ada"].map { all.remove(person: $0, from: "tablet") }
    #expect(changes == [false, true] && all["tablet"]?.person == "bob")
    all.remove(person: "bob", from: "tablet")
    #expect(all["tablet"] == nil)
  }
}
