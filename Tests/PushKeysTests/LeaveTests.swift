import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

/// A device that signs out without a connection: FORMAT.md, [11.25] to [11.27].
@Suite("A leave")
struct LeaveTests {
  private var all = Registrations()
  private var ada = DeviceKeys(of: .x25519ChaChaPoly, at: start)

  init() throws { try all.prove(&ada, as: "ada") }

  private func parsed(_ leave: Leave, audience: Audience = Signed.audience) throws -> Leave {
    try Leave(parsing: leave.encoded().span, for: leave.topic, audience: audience)
  }

  @Test("is read as it was signed, and spends a serial")
  func signed() throws {
    var ada = ada
    let last = try #require(all["ada"]).enrolment.serial
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    #expect(leave.serial > last && leave.issuedAt == start && ada.identity.serial == leave.serial)
    #expect(try parsed(leave) == leave)
    let next = try ada.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(next.serial > leave.serial)
  }

  @Test("removes the registration, and is no error afterwards")
  func removed() throws {
    var (all, ada) = (all, ada)
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    #expect(try all.leave(leave) == ["ada"])
    #expect(try all.leave(leave) == [] && all.all.isEmpty)
  }

  @Test("of a device that has enrolled since is refused, and changes nothing")
  func older() throws {
    var (all, ada) = (all, ada)
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    let later = try ada.enrol(address: Signed.address, for: Signed.audience, at: start)
    try all.accept(later, as: "ada")
    #expect(throws: SignedSetError.olderSerial(last: later.serial)) { try all.leave(leave) }
    #expect(all["ada"]?.enrolment == later)
  }

  @Test("for another backend is refused")
  func audience() throws {
    var ada = ada
    let leave = try ada.leave(Signed.address.topic, for: Audience("https://other.example.com"), at: start)
    #expect(throws: SignedSetError.otherAudience) { try parsed(leave) }
  }

  @Test("that somebody changed is refused")
  func changed() throws {
    var ada = ada
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    let other = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    let parts = zip([leave, other, leave], 0...).map { leave, part in leave.signed.split(separator: ".")[part]
    }
    let json = #"{"v":1,"leave":"\#(parts.joined(separator: "."))"}"#
    #expect(throws: SignedSetError.badSignature) {
      try Leave(parsing: Array(json.utf8).span, audience: Signed.audience)
    }
  }

  @Test("is no set, and a set is no leave")
  func types() throws {
    var ada = ada
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    let set = try ada.enrol(address: Signed.address, for: Signed.audience, at: start)
    let members = String(decoding: set.encoded(), as: UTF8.self)
    let swapped = Array(members.replacing(set.signedKeys, with: leave.signed).utf8)
    #expect(throws: SignedSetError.wrongType) {
      try Enrolment(parsing: swapped.span, audience: Signed.audience)
    }
    let json = Array(#"{"v":1,"leave":"\#(set.signedKeys)"}"#.utf8)
    #expect(throws: SignedSetError.wrongType) { try Leave(parsing: json.span, audience: Signed.audience) }
  }

  @Test("comes from an app's keys before they are removed; without keys there is none")
  func app() throws {
    let store = InMemoryKeyStore(ada)
    let leave = try #require(try store.leave(Signed.address.topic, for: Signed.audience, at: start))
    store.remove()
    var all = all
    #expect(try all.leave(parsed(leave)) == ["ada"])
    #expect(try store.leave(Signed.address.topic, for: Signed.audience, at: start) == nil)
  }

  @Test("removes the line of a registrations file, and leaves the file alone if it is refused")
  func file() throws {
    var ada = ada
    let folder = try TemporaryFolder()
    let file = RegistrationFile(path: folder.path(of: "registrations"))
    let all = all
    try file.update { (registrations) throws(SignedSetError) in registrations = all }
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    let later = try ada.enrol(address: Signed.address, for: Signed.audience, at: start)
    _ = try file.accept(later, as: "ada", mayBeNew: false).get()
    #expect(try file.leave(leave) == .failure(.olderSerial(last: later.serial)))
    #expect(try file.load()["ada"]?.enrolment == later)
    let last = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    #expect(try file.leave(last) == .success(["ada"]))
    #expect(try file.load().all.isEmpty)
  }

  @Test("shows neither its text nor its topic in a log")
  func log() throws {
    var ada = ada
    let leave = try ada.leave(Signed.address.topic, for: Signed.audience, at: start)
    #expect("\(leave)" == "leave of identity \(leave.identity.thumbprint), serial \(leave.serial)")
    var dumped = ""
    dump(leave, to: &dumped)
    #expect(!dumped.contains(leave.signed) && !dumped.contains(leave.topic.text))
  }
}
