import PushCore
import PushEnrolment
import PushKeys
import Testing

@Suite("A report of a fleet")
struct FleetReportTests {
  private static let now = start.advanced(by: .seconds(100 * 86_400))

  /// A sender before and after a rotation, and the sets that a root signed then.
  private let (old, new): (SenderKeySet, SenderKeySet)
  private let sender: KeySet

  init() throws {
    var root = KeySetEditor(KeySet(generating: .root, at: start))
    var sender = KeySetEditor(KeySet(generating: .sender, at: start))
    old = try root.signSenders(sender.keySet.publicKeys, for: Signed.topic, at: start)
    let later = start.advanced(by: .seconds(60 * 86_400))
    try sender.rotate(at: later)
    new = try root.signSenders(sender.keySet.publicKeys, for: Signed.topic, at: later)
    self.sender = sender.keySet
  }

  private func report(_ sets: [SenderKeySet]? = nil, at now: UnixTime = now) -> FleetReport {
    FleetReport(sets: sets ?? [old, new], sender: sender, at: now)
  }

  private func device(
    _ set: SenderKeySet?, enrolledAt time: UnixTime = now, topic: Topic = Signed.topic,
    environment: APNsEnvironment = .production, counts: ReceptionCounts? = nil
  ) -> FleetDevice {
    FleetDevice(
      name: "a", topic: topic, environment: environment, suites: [.p256AESGCM], enrolledAt: time,
      report: DeviceReport(senders: set?.version, counts: counts))
  }

  @Test func countsWhoHasWhichKey() {
    var report = report()
    let standings = [report.add(device(new)), report.add(device(old)), report.add(device(nil))]
    #expect(standings == [.ready, .missing, .missing])
    #expect(report[.current] == 1 && report[.behind] == 1 && report[.unknown] == 1)
    #expect(report.withActiveKey == 2 && report.withNextKey == 1 && report.withoutNextKey == 2)
    #expect(report.devices == 3 && report[.p256AESGCM] == 3 && report[.x25519ChaChaPoly] == 0)
  }

  @Test func countsASetThatItDoesNotKnowAsMissing() {
    var report = report([old])
    #expect(report.add(device(new)) == .missing)
    #expect(report[.unknown] == 1 && report.withActiveKey == 0)
  }

  @Test func countsASetThatHasEndedAsMissing() {
    let end = new.expiresAt
    var (last, after) = (report(at: end), report(at: end.advanced(by: .seconds(1))))
    #expect(last.add(device(new, enrolledAt: end)) == .ready)
    #expect(after.add(device(new, enrolledAt: end)) == .missing)
  }

  @Test func countsTheSilentApart() {
    var report = report()
    let last = Self.now.advanced(by: .seconds(-45 * 86_400))
    #expect(report.add(device(nil, enrolledAt: last)) == .missing)
    #expect(report.add(device(nil, enrolledAt: last.advanced(by: .seconds(-1)))) == .silent)
    // A clock was wrong.
    #expect(report.add(device(new, enrolledAt: .distantFuture)) == .ready)
    #expect(report.devices == 2 && report.silent == 1)
  }

  @Test func leavesOthersOut() {
    var report = report()
    #expect(report.add(device(new, environment: .sandbox)) == .ignored)
    #expect(report.add(device(new, topic: Signed.otherTopic)) == .ignored)
    #expect(report.devices == 0 && report.sandbox == 1)
  }

  @Test func countsPhonesAndNotMessages() {
    var report = report()
    var counts = ReceptionCounts(from: start)
    report.add(device(new, counts: counts))
    counts.addOpened(1000)
    counts.addDegraded("unknown-sender", count: 1000)
    counts.addDegraded("expired", count: 1000)
    report.add(device(new, counts: counts))
    report.add(device(new))
    #expect(report.counting == 2 && report.opening == 1 && report.degrading == 1)
    #expect(report.degraded == ["unknown-sender": 1, "expired": 1])
  }

  /// 99 %, or at most two in a small fleet, as long as more have the key.
  @Test(arguments: [
    (0, 0, true), (1, 0, true), (0, 1, false), (1, 1, false), (2, 1, true), (2, 2, false), (3, 2, true),
    (197, 2, true), (196, 3, false), (198, 2, true), (197, 3, false), (297, 3, true), (296, 4, false),
  ]) func isReadyForARotation(with: Int, without: Int, isReady: Bool) {
    var report = report()
    for _ in 0..<with { report.add(device(new)) }
    for _ in 0..<without { report.add(device(old)) }
    #expect(report.isReadyForRotation == isReady)
  }
}
