import Foundation
import Locks
import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("An app's folder of keys")
struct KeyFolderTests {
  private let folder: TemporaryFolder
  private let store: KeyFolder

  init() throws {
    folder = try TemporaryFolder()
    store = KeyFolder(path: folder.path)
  }

  private func enrol(at now: UnixTime = start) throws -> Enrolment {
    try store.enrol(address: Signed.address, for: Signed.audience, at: now)
  }

  /// The answer to a request that was opened with its own key.
  private func answer(to pending: PendingProof?, at now: UnixTime = start) throws -> Enrolment {
    let pending = try #require(pending)
    let answer = try store.answer(
      pending.request, openedBy: pending.recipient.thumbprint, address: pending.address, for: Signed.audience,
      at: now)
    return try #require(answer).get()
  }

  @Test(arguments: ["", "/"]) func makesBothAtTheFirstEnrolment(end: String) throws {
    let enrolment = try KeyFolder(path: folder.path + end).enrol(
      address: Signed.address, for: Signed.audience, at: start)
    #expect(try folder.names == ["device.jwks", "identity.jwks"])
    #expect(try folder.names.allSatisfy { try mode(of: folder.path(of: $0)) == 0o600 })
    #expect(try enrolment.keys == store.device.load().publicKeys)
    #expect(try enrolment.identity == store.identity.load().records[0].publicKey)
    #expect(try store.identity.load().serial == enrolment.serial)
    #expect(try Enrolment(enrolment.text) == enrolment)
  }

  @Test(arguments: ["", "/"]) func makesTheFolderAtTheFirstEnrolment(end: String) throws {
    let path = folder.path(of: "app")
    let store = KeyFolder(path: path + end)
    // Lookups and removals make no files.
    #expect(try store.deviceKey(for: Kind.x25519.makeSet().records[0].id.keyID, at: start) == nil)
    #expect(try store.rotate(ifOlderThan: .zero, at: start) == false)
    try store.remove()
    #expect(try folder.names.isEmpty)
    let enrolment = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(try enrolment.keys == KeyFile(path: "\(path)/device.jwks").load().publicKeys)
    #expect(try mode(of: path) == 0o700)
  }

  @Test func makesASuite() throws {
    _ = try store.enrol(address: Signed.address, for: Signed.audience, suite: .p256AESGCM, at: start)
    let made: [KeyAlgorithm] = [.p256] + (Suite.xwingAESGCM.isAvailable ? [.xwing] : [])
    #expect(try store.device.load().records.map(\.algorithm) == made)
  }

  @Test func namesItsFiles() throws {
    let store = KeyFolder(path: folder.path, device: "a.jwks", identity: "b.jwks")
    _ = try store.enrol(address: Signed.address, for: Signed.audience, at: start)
    #expect(try folder.names == ["a.jwks", "b.jwks"])
  }

  @Test func keepsTheKeysAtTheNextEnrolment() throws {
    let (first, second) = (try enrol(), try enrol())
    #expect(second.identity == first.identity && second.keys == first.keys)
    #expect(second.serial == first.serial + 1)
  }

  @Test func makesWhatIsMissingAlone() throws {
    let first = try enrol()
    try FileManager.default.removeItem(atPath: store.device.path)
    let second = try enrol()
    #expect(second.identity == first.identity && second.keys != first.keys)
    try FileManager.default.removeItem(atPath: store.identity.path)
    let third = try enrol()
    #expect(third.identity != first.identity && third.keys == second.keys)
  }

  @Test(arguments: [0, 1, -1, -1_000_000_000, 86_400] as [Int64]) func risesWhateverTheClockSays(
    seconds: Int64
  ) throws {
    let (first, second) = (try enrol(), try enrol(at: start.advanced(by: .seconds(seconds))))
    #expect(second.serial == first.serial + max(1, seconds))
    #expect(try store.identity.load().serial == second.serial)
  }

  @Test func goesOnWhereItMustAfterABackupCameBack() throws {
    _ = try enrol()
    let backup = try String(contentsOfFile: store.identity.path, encoding: .utf8)
    let last = try enrol(at: start.advanced(by: .seconds(86_400)))
    try folder.write(backup, to: "identity.jwks")
    let next = try enrol(at: start.advanced(by: .seconds(86_500)))
    #expect(next.serial > last.serial && next.identity == last.identity)
  }

  @Test func isEmptyOnceItWasRemoved() throws {
    let first = try enrol()
    try store.remove()
    #expect(try folder.names.isEmpty)
    try store.remove()
    #expect(try enrol().identity != first.identity)
  }

  @Test func signsTheChallenge() throws {
    let challenge = try Challenge("login 7")
    let enrolment = try store.enrol(
      address: Signed.address, for: Signed.audience, challenge: challenge, at: start)
    #expect(try Enrolment(enrolment.text, challenge: challenge).challenge == challenge)
  }

  @Test func endsAnOldKey31DaysAfterTheBackendHasTheNewOne() throws {
    var backend = Registrations()
    try backend.accept(enrol(), as: "alice")
    while backend["alice"]?.pending != nil {
      try backend.accept(answer(to: backend["alice"]?.pending), as: "alice")
    }
    let suite = Suite.x25519ChaChaPoly
    let suites = try store.device.load().records.count
    let old = try store.device.load().records[0].id
    let (day, late) = (start.advanced(by: .seconds(40 * 86_400)), start.advanced(by: .seconds(400 * 86_400)))
    #expect(try !store.rotate(ifOlderThan: .seconds(41 * 86_400), at: day))
    #expect(try store.rotate(ifOlderThan: .seconds(40 * 86_400), at: day))
    // The backend is unreachable for a year, and seals to the old key.
    #expect(try !store.rotate(ifOlderThan: .seconds(400 * 86_400), at: late))
    #expect(try backend["alice"]?.proven?.keys.recipient(suite: suite, at: late).thumbprint == old)
    #expect(try store.deviceKey(for: old.keyID, at: late) != nil)
    let enrolment = try enrol(at: late)
    #expect(try backend.accept(enrolment, as: "alice") == .pending)
    #expect(try backend["alice"]?.proven?.keys.recipient(suite: suite, at: late).thumbprint == old)
    var newest = enrolment
    while backend["alice"]?.pending != nil {
      newest = try answer(to: backend["alice"]?.pending, at: late)
      try backend.accept(newest, as: "alice")
    }
    #expect(try store.confirm(newest, at: late))
    let provenKeys = try #require(backend["alice"]?.proven).keys.records.map(\.id)
    #expect(Set(provenKeys) == Set(try store.device.load().records.suffix(suites).map(\.id)))
    let end = late.advanced(by: .seconds(month + 86_400))
    #expect(try store.deviceKey(for: old.keyID, at: end) != nil)
    #expect(try store.deviceKey(for: old.keyID, at: end.advanced(by: .seconds(1))) == nil)
    #expect(try !store.rotate(ifOlderThan: .seconds(1_000 * 86_400), at: end.advanced(by: .seconds(1))))
    #expect(try store.device.load().records.count == suites)
  }

  @Test(.hangGuard) func givesEachOfEightThreadsASerialOfItsOwn() throws {
    let made = Box()
    let threads = (0..<8).map { _ in
      WorkerThread { [store] in
        let enrolment = try? store.update(orMake: .x25519ChaChaPoly, at: start) {
          (keys) throws(KeySetError) in
          try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: start) }
          return try keys.enrol(address: Signed.address, for: Signed.audience, at: start)
        }
        enrolment.map(made.append)
        return enrolment != nil
      }
    }
    #expect(threads.map { $0.result() } == Array(repeating: true, count: 8))
    let enrolments = made.all.sorted { $0.serial < $1.serial }
    #expect(enrolments.map(\.serial) == (0..<8).map { start.seconds + $0 })
    #expect(Set(enrolments.map(\.identity)).count == 1)
    // A higher serial has newer keys, so the backend ends with the newest, in whatever order enrolments arrive.
    let records = try store.device.load().records
    let x25519 = records.filter { $0.algorithm == .x25519 }
    #expect(enrolments.map { $0.keys.records[0].id } == x25519.dropFirst().map(\.id))
  }
}

/// The enrolments that several threads made.
private final class Box: Sendable {
  private let enrolments = Mutex<[Enrolment]>([])

  var all: [Enrolment] { enrolments.withLock { $0 } }

  func append(_ enrolment: Enrolment) { enrolments.withLock { $0.append(enrolment) } }
}
