import Foundation
import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// Both sides rotate for a year, and no push is lost by it.
@Suite("Weeks of rotations", .hangGuard)
struct WeeksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Volume.isWhole ? [1, 2, 3] : [1] as [UInt64]) func noPushIsLost(seed: UInt64) async throws
  {
    let phones = Volume.isWhole ? 6 : 3
    var weeks = try Weeks(seed: seed, phones: phones, folder: folder.path)
    for _ in 0..<52 * 7 * 4 {
      try weeks.step()
      await Task.yield()
    }
    let tally = weeks.tally
    print("Seed \(seed), 52 weeks: \(tally)")
    #expect(tally.lost.isEmpty)
    #expect(tally.opened > 350 * phones && tally.rotations >= 7 && tally.published >= tally.rotations - 1)
    #expect(tally.destroyedDeviceKeys > 2 * phones)
    #expect(tally.enrolments["updated", default: 0] > 100 * phones / 6)
    #expect(tally.enrolments["older-serial", default: 0] > phones)
    #expect(tally.enrolments["unchanged", default: 0] > 0)
    // A phone that has a key for X-Wing, too, proves one after the other: what completes it is an update.
    let registered = Suite.xwingAESGCM.isAvailable ? 0 : phones
    #expect(tally.enrolments["registered", default: 0] == registered)
    #expect(tally.enrolments["pending", default: 0] > phones)
    #expect(tally.requests["answered", default: 0] > 5 * phones)
    #expect(tally.requests["inactive-key", default: 0] + tally.requests["duplicate", default: 0] > 0)
    #expect(tally.answers.count == 2 && tally.answers.values.allSatisfy { $0 > 20 * phones / 6 })
    try refusesWhatIsOver(weeks)
    try refusesAThief(&weeks)
    try outlivesAThief(&weeks)
  }

  /// A key is good in its last second and not in the next, whether or not it was destroyed.
  @Test func nothingIsTakenAfterItsKeysEnd() throws {
    let store = InMemoryKeyStore()
    let address = DeviceAddress(topic: app, environment: .production, token: try #require(DeviceToken([1])))
    let first = try store.enrol(address: address, for: home, at: firstDay)
    var senders = KeySetEditor(KeySet(generating: .sender, at: firstDay))
    let old = (
      key: try first.keys.recipient(at: firstDay), signer: try senders.keySet.signingKey(at: firstDay)
    )
    _ = try store.rotate(ifOlderThan: .zero, at: firstDay)
    let second = try store.enrol(address: address, for: home, at: firstDay)
    try store.confirm(second, at: firstDay)
    try senders.rotate(grace: .seconds(31 * oneDay), again: true, at: firstDay)
    let new = (
      key: try second.keys.recipient(at: firstDay), signer: try senders.keySet.signingKey(at: firstDay)
    )
    let trusted = try senders.keySet.publicKeys
    let end = firstDay.advanced(by: .seconds(31 * oneDay))
    func outcome(_ key: Recipient, _ signer: SigningKey, at now: UnixTime) throws -> DegradeReason? {
      let push = try Sealer(topic: app, signingKey: signer)
        .seal(RemoteNotification(title: "a", body: "b"), to: key, at: now)
      let receiver = Receiver(
        topic: app, keys: store, senders: trusted, replay: InMemoryReplayStore(), clock: Stopped(now: now))
      let payload = try JSONObject(parsing: push.payload.span)
      do throws(DegradeReason) {
        _ = try receiver.open(IncomingPush(payload: payload))
        return nil
      } catch {
        return error
      }
    }
    #expect(try outcome(old.key, new.signer, at: end) == nil)
    #expect(try outcome(old.key, new.signer, at: end.advanced(by: .seconds(1))) == .unknownKey)
    #expect(try outcome(new.key, old.signer, at: end) == nil)
    #expect(try outcome(new.key, old.signer, at: end.advanced(by: .seconds(1))) == .unknownSender)
    #expect(try outcome(new.key, new.signer, at: end.advanced(by: .seconds(1))) == nil)
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
        let error = #expect(throws: SenderKeyFileError.self) { try phone.take(set) }
        guard case .refused(.olderSerial(weeks.backend.published.serial), _)? = error else {
          Issue.record("\(String(describing: error))")
          continue
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

  /// A phone from which each newer set is withheld trusts a thief until its set's end.
  ///
  /// Back-dated messages open until their lifetime is over.
  private func outlivesAThief(_ weeks: inout Weeks) throws {
    let (phone, set) = (weeks.phones[1], weeks.backend.published)
    _ = try phone.take(set)
    let (stolen, _) = try weeks.backend.revoke(at: weeks.now)
    let (end, after) = (set.expiresAt, set.expiresAt.advanced(by: .seconds(1)))
    let last = try #require(try weeks.backend.seal(to: phone.name, at: end, with: stolen))
    let late = try #require(try weeks.backend.seal(to: phone.name, at: after, with: stolen))
    #expect(throws: DegradeReason.unknownSender) { try phone.open(late, at: after) }
    let lifetime = 30 * oneDay + 300
    #expect(throws: Never.self) { try phone.open(last, at: end.advanced(by: .seconds(lifetime))) }
    #expect(throws: DegradeReason.expired) {
      try phone.open(last, at: end.advanced(by: .seconds(lifetime + 1)))
    }
  }
}
