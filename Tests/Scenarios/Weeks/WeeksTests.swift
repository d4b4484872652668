import Foundation
import PushEnvelope
import PushKeys
import PushPayload
import PushReceiver
import PushSealer
import PushTesting
import Testing

/// Both sides rotate for a year, and no push is lost by it.
@Suite("Weeks of rotations", .timeLimit(.minutes(2)))
struct WeeksTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "weeks-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>) func noPushIsLost(seed: UInt64) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var weeks = try Weeks(seed: seed, phones: 6, folder: folder)
    for _ in 0..<52 * 7 * 4 { try weeks.step() }
    let tally = weeks.tally
    print("Seed \(seed), 52 weeks: \(tally)")
    #expect(tally.lost.isEmpty)
    #expect(tally.opened > 2_000 && tally.rotations >= 7 && tally.published >= tally.rotations - 1)
    #expect(tally.destroyedDeviceKeys > 12)
    #expect(tally.enrolments["updated", default: 0] > 100 && tally.enrolments["older-serial", default: 0] > 5)
    #expect(tally.enrolments["unchanged", default: 0] > 2)
    try refusesWhatIsOver(weeks)
    try refusesAThief(&weeks)
  }

  /// What was recorded is not taken again: pushes, enrolments, sets.
  private func refusesWhatIsOver(_ weeks: Weeks) throws {
    var reasons: [DegradeReason: Int] = [:]
    for (number, (index, push, sealedAt)) in weeks.seen.enumerated()
    where number.isMultiple(of: 3) && weeks.now.seconds - sealedAt.seconds > 31 * oneDay {
      do throws(DegradeReason) {
        try weeks.phones[index].open(push, at: weeks.now)
        Issue.record("a push of \(sealedAt.seconds) is opened at \(weeks.now.seconds)")
      } catch {
        reasons[error, default: 0] += 1
      }
    }
    print("Recorded pushes, a month and more later: \(reasons)")
    // The device's key is gone, or the sender's; with the youngest of them the claims say that it is too late.
    #expect(Set(reasons.keys) == [.unknownKey, .unknownSender, .expired])
    var backend = weeks.backend
    for (index, enrolment) in weeks.recorded {
      let last = try #require(backend.registrations[weeks.phones[index].name]?.enrolment)
      guard enrolment.serial < last.serial else { continue }
      #expect(throws: SignedSetError.olderSerial(last: last.serial)) {
        try backend.take(enrolment.encoded(), from: weeks.phones[index].name)
      }
    }
    for phone in weeks.phones {
      _ = try phone.launch(weeks.backend.published, at: weeks.now)
      for set in weeks.backend.history where set.serial < weeks.backend.published.serial {
        #expect(throws: SenderKeyFileError.refused(.olderSerial(last: weeks.backend.published.serial))) {
          try phone.take(set)
        }
      }
    }
  }

  /// A stolen signing key is of no use once a phone has the set without it, and cannot name its successor.
  private func refusesAThief(_ weeks: inout Weeks) throws {
    let now = weeks.now
    weeks.office.handIn(try weeks.backend.signing.keySet.publicKeys, due: now)
    for set in try weeks.office.work(at: now) { weeks.backend.publish(set) }
    _ = try weeks.phones[0].take(weeks.backend.published)
    let (stolen, keys) = try weeks.backend.revoke(at: now)
    let name = weeks.phones[0].name
    let forged = try #require(try weeks.backend.seal(to: name, at: now, with: stolen))
    weeks.office.handIn(keys, due: now)
    weeks.backend.publish(try #require(try weeks.office.work(at: now).first))
    let fresh = try #require(try weeks.backend.seal(to: name, at: now))
    // Until the phone has the new set it trusts the thief. It knows the next key already, and so gets the set in a push.
    #expect(throws: Never.self) { try weeks.phones[0].open(forged, at: now) }
    #expect(throws: Never.self) { try weeks.phones[0].open(fresh, at: now) }
    #expect(throws: DegradeReason.unknownSender) { try weeks.phones[0].open(forged, at: now) }
  }
}
