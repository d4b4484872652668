import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("Accounts")
struct AccountTests {
  private static let tag = "lncnwxQF3erk01phS8fgyQ"
  private let identity = Thumbprint(Array(0..<32))!
  private var phone = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  @Test("a tag is the first half of the digest of label, identity and person")
  func derivation() {
    #expect(AccountTag(person: "ada", identity: identity).text == Self.tag)
    #expect(AccountTag(person: "\u{E9}", identity: identity).text == "bHMx0XQjTRCCSjcwAnEEuQ")
  }

  @Test("each device and each person has a tag of its own, byte by byte")
  func difference() {
    let other = Thumbprint([UInt8](repeating: 7, count: 32))!
    let names = ["ada", "adb", "Ada", "caf\u{E9}", "cafe\u{301}"]
    let tags = names.flatMap { name in
      [identity, other].map { AccountTag(person: name, identity: $0) }
    }
    #expect(Set(tags).count == 10)
  }

  @Test("a tag is read as it is written")
  func text() throws {
    let tag = try AccountTag(Self.tag)
    #expect(tag.text == Self.tag && tag.description == Self.tag && tag.bytes.count == AccountTag.size)
    #expect(AccountTag(tag.bytes) == tag)
    #expect(AccountTag([UInt8](repeating: 0, count: 15)) == nil)
    #expect(AccountTag([UInt8](repeating: 0, count: 17)) == nil)
  }

  @Test(
    "another text is no tag",
    arguments: [
      "", String(tag.dropLast()), tag + "A", tag + "==", "+" + tag.dropFirst(),
      // The last character has unused bits.
      tag.dropLast() + "B",
    ])
  func wrongText(text: String) { #expect(throws: ValueError.self) { try AccountTag(text) } }

  @Test("a registration's device has the tag of its person")
  func device() throws {
    var keys = phone
    var registration = try Registration.proven("ada-1", &keys)
    #expect(EnrolledDevice(registration).account == nil)
    try registration.assign(to: "ada")
    let tag = AccountTag(person: "ada", identity: registration.identity)
    #expect(EnrolledDevice(registration).account == tag)
  }

  @Test("a device of several persons has a tag for each, and none for all")
  func joint() throws {
    var keys = phone
    var registration = try Registration.proven("phone", &keys)
    for person in ["ada", "bob"] { try registration.join(person) }
    #expect(EnrolledDevice(registration).account == nil)
    for person in ["ada", "bob"] {
      let device = EnrolledDevice(registration).addressed(to: person)
      #expect(device.account == AccountTag(person: person, identity: registration.identity))
    }
  }

  @Test("who joins gets a tag of their own")
  func joining() throws {
    var (all, keys) = (Registrations(), phone)
    try all.prove(&keys, as: "phone")
    try all.assign("phone", to: "ada")
    let enrolment = try keys.enrol(
      address: Signed.address, for: Signed.audience, challenge: .random(), at: start)
    let outcome = try all.accept(enrolment, as: "phone", person: "bob", login: .joining)
    #expect(outcome.account == AccountTag(person: "bob", identity: enrolment.identity.thumbprint))
  }

  @Test("an enrolment's outcome has the tag of the person in whose name it was accepted")
  func outcome() throws {
    var (all, keys) = (Registrations(), phone)
    let first = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    let outcome = try all.accept(first, as: "ada-1", person: "ada", mayBeNew: true)
    #expect(outcome.change == .pending)
    #expect(outcome.account == AccountTag(person: "ada", identity: first.identity.thumbprint))
    // Nobody has logged in for this one.
    let answer = try keys.answer(to: outcome.pending)
    #expect(try all.accept(answer, as: "ada-1", mayBeNew: false).account == nil)
    #expect(all["ada-1"]?.person == "ada")
  }

  @Test("somebody whose device it does not become gets no tag")
  func stranger() throws {
    var (all, keys) = (Registrations(), phone)
    let first = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    try all.accept(first, as: "ada-1", person: "ada", mayBeNew: true)
    let next = try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
    // Without a login the person stays.
    let outcome = try all.accept(next, as: "ada-1", person: "bob", mayBeNew: false)
    #expect(all["ada-1"]?.person == "ada" && outcome.account == nil)
  }
}
