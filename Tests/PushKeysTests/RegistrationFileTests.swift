import Foundation
import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("A file of registrations")
struct RegistrationFileTests {
  private let folder: TemporaryFolder
  private let file: RegistrationFile

  init() throws {
    folder = try TemporaryFolder()
    file = RegistrationFile(path: folder.path(of: "registrations.jsonl"))
  }

  private func enrolment(_ token: UInt8, _ keys: DeviceKeys? = nil) throws -> Enrolment {
    var keys = keys ?? DeviceKeys(of: .x25519ChaChaPoly, at: start)
    return try keys.enrol(
      address: Signed.address(token: DeviceToken([token])!), for: Signed.audience, at: start)
  }

  private func line(_ name: String, _ token: UInt8) throws -> String {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    return try Registration.proven(name, &keys, at: Signed.address(token: DeviceToken([token])!)).text
  }

  @discardableResult
  private func write(_ lines: [String]) throws -> String {
    try folder.write(lines.map { $0 + "\n" }.joined(), to: "registrations.jsonl")
  }

  private var contents: String {
    get throws { try String(contentsOfFile: folder.path(of: "registrations.jsonl"), encoding: .utf8) }
  }

  @Test func isMadeByTheFirstEnrolment() throws {
    #expect(try file.load().all.isEmpty)
    let first = try enrolment(1)
    let change = try file.update { (all) throws(SignedSetError) in try all.accept(first, as: "alice") }
    #expect(change == .pending)
    #expect(try file.load()["alice"]?.enrolment == first)
    #expect(try contents == file.load().all[0].text + "\n")
    #expect(try mode(of: folder.path(of: "registrations.jsonl")) == 0o600)
  }

  @Test func isLeftAloneByARefusedEnrolment() throws {
    try write([line("alice", 1)])
    let (before, other) = (try contents, try enrolment(1))
    #expect(throws: RegistrationFileError.refused(.tokenInUse(registration: "alice"), path: file.path)) {
      try file.update { (all) throws(SignedSetError) in try all.accept(other, as: "bob") }
    }
    #expect(try contents == before)
  }

  @Test func acceptsAnEnrolmentForAPerson() throws {
    let first = try enrolment(1)
    let outcome = try file.accept(first, as: "alice-1", person: "alice", mayBeNew: true).get()
    let registration = try #require(try file.load()["alice-1"])
    #expect(outcome.change == .pending && outcome.pending == registration.pending)
    #expect(registration.enrolment == first && registration.person == "alice")
  }

  @Test func keepsThePersonIfNoneIsGiven() throws {
    let first = try enrolment(1)
    _ = try file.accept(first, as: "alice-1", person: "alice", mayBeNew: true).get()
    #expect(try file.accept(first, as: "alice-1", mayBeNew: false).get().change == .pending)
    #expect(try file.load()["alice-1"]?.person == "alice")
  }

  @Test func doesNotMakeARegistrationThatMayNotBeNew() throws {
    let result = try file.accept(enrolment(1), as: "alice-1", mayBeNew: false)
    #expect(throws: SignedSetError.notRegistered) { try result.get() }
    #expect(try file.load().all.isEmpty)
  }

  @Test func acceptsNothingForAPersonWithoutAName() throws {
    var all = Registrations()
    let first = try enrolment(1)
    #expect(throws: SignedSetError.malformedEnrolment) {
      try all.accept(first, as: "alice-1", person: "", mayBeNew: true)
    }
    #expect(all.all.isEmpty)
  }

  @Test func acceptsNothingWithAnInvalidLine() throws {
    try write(["{}"])
    let error = #expect(throws: RegistrationFileError.self) {
      try file.accept(enrolment(1), as: "alice-1", mayBeNew: true)
    }
    guard case .line(1, _, _) = error else { Issue.record("\(String(describing: error))"); return }
  }

  private struct OwnError: Error {}

  @Test func takesAClosureAsOneWritesIt() throws {
    let first = try enrolment(1)
    let change = try file.update { all in
      let change = try all.accept(first, as: "alice")
      return change
    }
    #expect(change == .pending)
    let before = try contents
    let second = try enrolment(2)
    #expect(throws: OwnError.self) {
      try file.update { all in
        try all.accept(second, as: "bob")
        throw OwnError()
      }
    }
    #expect(try contents == before)
  }

  @Test func isLeftAloneIfNothingChanges() throws {
    let path = try write([line("alice", 1)])
    let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    let same = try #require(try file.load()["alice"]).enrolment
    #expect(
      try file.update { (all) throws(SignedSetError) in try all.accept(same, as: "alice") } == .unchanged)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
  }

  @Test func isNotMadeForNothing() throws {
    #expect(try file.update { (all) throws(SignedSetError) in all.remove("alice") } == nil)
    #expect(try folder.names.isEmpty)
  }

  @Test func losesWhatIsRemoved() throws {
    try write([line("alice", 1), line("bob", 2)])
    _ = try file.update { (all) throws(SignedSetError) in all.remove("alice") }
    #expect(try file.load().all.map(\.name) == ["bob"])
    _ = try file.update { (all) throws(SignedSetError) in all.remove("bob") }
    #expect(try contents.isEmpty && file.load().all.isEmpty)
  }

  @Test func knowsAnInvalidLineByItsName() throws {
    #expect(try file.names(of: .registration("alice")).isEmpty)
    try write([line("alice", 1), "no registration", line("bob", 2).setting("identity", to: "1")])
    for name in ["alice", "bob"] { #expect(try file.names(of: .registration(name)) == [name]) }
    for name in ["", "carol", "ALICE"] { #expect(try file.names(of: .registration(name)).isEmpty) }
  }

  @Test func losesWhatIsSelected() throws {
    try write([line("alice", 1), "{}", line("bob", 2), line("carol", 2)])
    let lines = try contents.split(separator: "\n")
    #expect(try file.names(of: .registration("alice")) == ["alice"])
    #expect(try file.remove(.registration("alice")) == ["alice"])
    #expect(try file.remove(.registration("alice")).isEmpty && file.remove(.registration("ALICE")).isEmpty)
    #expect(try contents == lines[1...].joined(separator: "\n") + "\n")
    let identity = try Registration(parsing: Array(lines[2].utf8).span).identity
    #expect(try file.names(of: .identity(identity)) == ["bob"])
    #expect(try file.remove(.identity(identity)) == ["bob"])
    #expect(try file.remove(.identity(identity)).isEmpty)
    let token = try #require(DeviceToken([2]))
    #expect(try file.names(of: .token(token)) == ["carol"])
    #expect(try file.remove(.token(token)) == ["carol"])
    #expect(try contents == "{}\n")
  }

  @Test func losesADeviceByItsToken() throws {
    try write([line("alice", 1), "no registration", line("bob", 2)])
    let token = try #require(DeviceToken([2]))
    #expect(try file.removal(of: token) == .removed(name: "bob"))
    let before = try contents
    #expect(try file.remove(#require(DeviceToken([3]))) == nil)
    #expect(try contents == before)
    #expect(try file.remove(token) == .removed(name: "bob"))
    #expect(try contents == before.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n")
    #expect(try file.removal(of: token) == nil)
  }

  @Test func losesADeviceByTheTokenThatIsInUse() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    var registration = try Registration.proven("alice", &keys)
    let pending = try keys.enrol(
      address: Signed.address(token: Signed.otherToken), for: Signed.audience, at: start)
    try registration.update(with: pending)
    try write([registration.text, line("bob", 2)])
    #expect(try file.removal(of: Signed.otherToken) == nil)
    #expect(try file.remove(Signed.token) == .removed(name: "alice"))
    #expect(try file.load().all.map(\.name) == ["bob"])
  }

  @Test(arguments: [(-1, true), (0, true), (1, false), (86_400, false)])
  func keepsADeviceThatHasEnrolledSince(offset: Int64, isKept: Bool) throws {
    try write([line("alice", 1)])
    let token = try #require(DeviceToken([1]))
    let removal: RegistrationFile.Removal =
      isKept ? .kept(name: "alice", enrolledAt: start) : .removed(name: "alice")
    let time = start.advanced(by: .seconds(offset))
    #expect(try file.removal(of: token, unregisteredAt: time) == removal)
    #expect(try file.remove(token, unregisteredAt: time) == removal)
    #expect(try file.load().all.map(\.name) == (isKept ? ["alice"] : []))
    #expect(try file.load().all.allSatisfy { $0.proven == nil })
  }

  @Test func losesNoDeviceByALineThatSomebodyChanged() throws {
    try write([line("alice", 1), line("bob", 2).setting("token", to: #""03""#)])
    let before = try contents
    let token = try #require(DeviceToken([3]))
    #expect(throws: RegistrationFileError.line(2, .mismatch(member: "token"), path: file.path)) {
      try file.remove(token)
    }
    #expect(throws: RegistrationFileError.line(2, .mismatch(member: "token"), path: file.path)) {
      try file.removal(of: token)
    }
    #expect(try contents == before)
  }

  @Test(.hangGuard) func losesNoneOfEightThreads() throws {
    let enrolments = try (0..<8).map { try enrolment(UInt8($0)) }
    let threads = enrolments.enumerated().map { index, enrolment in
      WorkerThread { [file] in
        (try? file.update { (all) throws(SignedSetError) in try all.accept(enrolment, as: "\(index)") })
          == .pending
      }
    }
    #expect(threads.map { $0.result() } == Array(repeating: true, count: 8))
    let all = try file.load()
    #expect(Set(all.all.map(\.name)) == Set((0..<8).map(String.init)))
    #expect(enrolments.enumerated().allSatisfy { all[String($0)]?.enrolment == $1 })
    #expect(try folder.names == ["registrations.jsonl"])
  }

  @Test(.hangGuard) func givesATokenToOneOfEightThreads() throws {
    var keys = (0..<8).map { _ in DeviceKeys(of: .x25519ChaChaPoly, at: start) }
    let address = Signed.address(token: DeviceToken([1])!)
    let enrolments = try keys.indices.map { index in
      let first = try keys[index].enrol(address: address, for: Signed.audience, at: start)
      _ = try file.update { (all) throws(SignedSetError) in try all.accept(first, as: "\(index)") }
      return try keys[index].answer(to: file.load()["\(index)"]?.pending)
    }
    let threads = enrolments.enumerated().map { index, enrolment in
      WorkerThread { [file] in
        (try? file.update { (all) throws(SignedSetError) in try all.accept(enrolment, as: "\(index)") })
          == .registered
      }
    }
    #expect(threads.map { $0.result() }.count { $0 } == 1)
    #expect(try file.load().all.count { $0.proven != nil } == 1)
    // The others are asked anew.
    #expect(try file.load().all.count { $0.pending != nil } == 7)
  }

  @Test func namesTheLineThatIsWrong() throws {
    let (one, two) = (try line("alice", 1), try line("bob", 2))
    let wrong: [(lines: [String], place: Int, error: SignedSetError)] = [
      ([one, "x", two], 2, .malformedEnrolment), ([one, "", two], 2, .malformedEnrolment),
      ([""], 1, .malformedEnrolment), ([one, two, "{}"], 3, .unsupportedVersion),
      ([one, two.setting("token", to: #""ff""#)], 2, .mismatch(member: "token")),
      ([one + "\r", two.setting("identity", to: #""""#)], 2, .otherIdentity),
      ([one, try line("alice", 3)], 2, .malformedEnrolment),
      ([one, try line("carol", 1)], 2, .tokenInUse(registration: "alice")),
      ([one, one.setting("registration", to: #""carol""#)], 2, .identityInUse(registration: "alice")),
    ]
    for (lines, place, error) in wrong {
      try write(lines)
      let before = try contents
      #expect(throws: RegistrationFileError.line(place, error, path: file.path)) { try file.load() }
      #expect(throws: RegistrationFileError.line(place, error, path: file.path)) {
        try file.update { (all) throws(SignedSetError) in all.remove("alice") }
      }
      #expect(try contents == before)
    }
  }

  @Test func hasLinesOf64KiBAtMost() throws {
    let line = try line("alice", 1)
    let padding = String(repeating: " ", count: 65_536 - line.utf8.count)
    try write([line + padding])
    #expect(try file.load().all.count == 1)
    try write([line + padding + " "])
    #expect(throws: RegistrationFileError.line(1, .tooLarge, path: file.path)) { try file.load() }
  }

  @Test func tellsNamesApartByTheirBytes() throws {
    try write([line("\u{e9}", 1), line("e\u{301}", 2)])
    let all = try file.load()
    #expect(all.all.count == 2 && all["\u{e9}"]?.enrolment.address.apns?.token == DeviceToken([1]))
    #expect(all["e\u{301}"]?.enrolment.address.apns?.token == DeviceToken([2]))
  }

  @Test func hasAFolder() {
    let file = RegistrationFile(path: folder.path(of: "none/registrations.jsonl"))
    #expect(throws: RegistrationFileError.file(.missing, path: file.path)) { try file.load() }
    #expect(throws: RegistrationFileError.file(.missing, path: file.path)) {
      try file.update { (all) throws(SignedSetError) in all.remove("alice") }
    }
  }

  @Test func isNoFolder() {
    let file = RegistrationFile(path: folder.path)
    #expect(throws: RegistrationFileError.file(.notRegularFile(.folder), path: file.path)) { try file.load() }
  }
}
