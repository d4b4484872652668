import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Something is shown exactly once and in time, whoever comes first.
@Suite(.hangGuard)
struct DeadlineTests {
  private let parties = Parties()
  private let clock = ManualClock(Parties.now)
  private let recorder = Recorder()
  private let finished = Signal()

  private func expectDeadline(_ reception: Reception?, _ push: IncomingPush) {
    var expected = ShownContent.bestAttempt(push.text)
    expected.subtitle = "(Encrypted)"
    expected.body = ""
    #expect(reception?.outcome == .degraded(.deadline))
    #expect(reception?.content == expected)
  }

  /// Starts a receiver that nobody but its own work keeps; `finished` fires when that has ended.
  private func start(
    _ push: IncomingPush, keys: any DeviceKeyStore, deadline: Duration = Receiver.softDeadline
  ) -> PendingReception {
    let canary = Canary(keys) { [finished] in finished.fire() }
    return parties.receiver(keys: canary, clock: clock)
      .receive(push, deadline: deadline) { [recorder] in recorder.record($0) }
  }

  @Test("what opens in time is handed over once, and stops the timer")
  func inTime() async throws {
    let push = try parties.push()
    let reception = start(push, keys: parties.device)
    await recorder.wait()
    await finished.wait()
    reception.handOver()
    clock.advance(by: .seconds(100))
    #expect(recorder.receptions.map(\.content.body) == ["secret"])
  }

  @Test("key stores that stall by the hundred hold no deadline up")
  func manyStalls() async throws {
    let push = try parties.push()
    let stalled = StalledKeyStore(parties.device)
    let receiver = parties.receiver(keys: stalled, clock: clock)
    let receptions = (0..<100).map { _ in receiver.receive(push) { [recorder] in recorder.record($0) } }
    await clock.waitForSleepers(count: 100)
    clock.advance(by: Receiver.softDeadline)
    for _ in receptions { await recorder.wait() }
    #expect(recorder.receptions.map(\.outcome) == Array(repeating: .degraded(.deadline), count: 100))
    for _ in receptions { stalled.release() }
  }

  @Test("after 25 seconds the best attempt is handed over, and a later result ignored")
  func lateResult() async throws {
    let push = try parties.push()
    let stalled = StalledKeyStore(parties.device)
    let reception = start(push, keys: stalled)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(24))
    await clock.waitForSleepers()
    #expect(recorder.receptions.isEmpty)
    clock.advance(by: .seconds(1))
    await recorder.wait()
    expectDeadline(recorder.receptions.first, push)
    stalled.release()
    await finished.wait()
    reception.handOver()
    #expect(recorder.receptions.count == 1)
  }

  /// Starts a receiver, and waits until it records the message, in a store that takes its time.
  private func startRecording(_ push: IncomingPush, in replay: SlowReplayStore) async -> PendingReception {
    let reception = parties.receiver(replay: replay, clock: clock)
      .receive(push) { [recorder] in recorder.record($0) }
    await replay.waitForRecord()
    return reception
  }

  @Test("what came too late while it was being recorded is forgotten: the next time it is new")
  func lateWhileRecorded() async throws {
    let (push, replay) = (try parties.push(), SlowReplayStore())
    let reception = await startRecording(push, in: replay)
    reception.handOver()
    #expect(recorder.receptions.map(\.outcome) == [.degraded(.deadline)])
    replay.release()
    await replay.waitForForgetting()
    guard case .opened(let opened) = parties.receiver(replay: replay.store).reception(of: push).outcome else {
      Issue.record("it opens")
      return
    }
    #expect(opened.repetition == .first)
  }

  @Test("the deadline waits for a message that is being recorded, and then shows it")
  func recordedAtTheDeadline() async throws {
    let replay = SlowReplayStore()
    let reception = await startRecording(try parties.push(), in: replay)
    clock.advance(by: Receiver.softDeadline)
    // It waits a second for what is written.
    await clock.waitForSleepers()
    #expect(recorder.receptions.isEmpty)
    replay.release()
    await recorder.wait()
    #expect(recorder.receptions.map(\.content.body) == ["secret"])
    reception.handOver()
  }

  @Test("a disk that hangs holds the deadline up for a second")
  func hangingDisk() async throws {
    let replay = SlowReplayStore()
    let reception = await startRecording(try parties.push(), in: replay)
    clock.advance(by: Receiver.softDeadline)
    for _ in 0..<2 {
      await clock.waitForSleepers()
      #expect(recorder.receptions.isEmpty)
      clock.advance(by: .seconds(1))
    }
    await recorder.wait()
    #expect(recorder.receptions.map(\.outcome) == [.degraded(.deadline)])
    replay.release()
    await replay.waitForForgetting()
    reception.handOver()
  }

  @Test("what came too late is not remembered: the next time it is new")
  func lateIsNew() async throws {
    let push = try parties.push()
    let replay = RecordingReplayStore()
    let stalled = StalledKeyStore(parties.device)
    let receive = { [parties, clock, recorder, finished] in
      parties.receiver(keys: Canary(stalled) { finished.fire() }, replay: replay, clock: clock)
        .receive(push) { recorder.record($0) }
    }
    receive().handOver()
    stalled.release()
    await finished.wait()
    #expect(recorder.receptions.count == 1)
    #expect(replay.entries.isEmpty)
  }

  @Test("when the system's time runs out the best attempt is handed over at once, and only once")
  func expiry() async throws {
    let push = try parties.push()
    let stalled = StalledKeyStore(parties.device)
    let reception = start(push, keys: stalled)
    reception.handOver()
    #expect(recorder.receptions.count == 1)
    expectDeadline(recorder.receptions.first, push)
    reception.handOver()
    stalled.release()
    await finished.wait()
    clock.advance(by: .seconds(100))
    #expect(recorder.receptions.count == 1)
  }

  @Test("a deadline that is over is over at once", arguments: [.zero, .seconds(-1)] as [Duration])
  func noTime(deadline: Duration) async throws {
    let push = try parties.push()
    let reception = start(push, keys: parties.device, deadline: deadline)
    #expect(recorder.receptions.count == 1)
    expectDeadline(recorder.receptions.first, push)
    await finished.wait()
    reception.handOver()
    #expect(recorder.receptions.count == 1)
  }

  @Test("a caller that is cancelled gets the best attempt")
  func cancellation() async throws {
    let push = try parties.push()
    let stalled = StalledKeyStore(parties.device)
    let receiver = parties.receiver(keys: stalled, clock: clock)
    let task = Task { await receiver.receive(push) }
    await clock.waitForSleepers()
    task.cancel()
    expectDeadline(await task.value, push)
    stalled.release()
  }

  @Test("a caller that was cancelled before it began, too")
  func cancelledBefore() async throws {
    let push = try parties.push()
    let stalled = StalledKeyStore(parties.device)
    let receiver = parties.receiver(keys: stalled, clock: clock)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await receiver.receive(push)
    }
    expectDeadline(await task.value, push)
    stalled.release()
  }

  @Test("the system's own clock keeps a deadline")
  func systemClock() async throws {
    let push = try parties.push()
    let stalled = StalledKeyStore(parties.device)
    let receiver = parties.receiver(keys: stalled, clock: SystemClock())
    expectDeadline(await receiver.receive(push, deadline: .milliseconds(5)), push)
    stalled.release()
  }

  @Test("when something was handed over, the timer ends")
  func timerEnds() async throws {
    let clock = EndlessClock()
    let reception = await parties.receiver(clock: clock).receive(try parties.push())
    #expect(reception.content.body == "secret")
    await clock.waitForCancellation()
  }

  @Test("two messages that are opened at once do not mix")
  func twoAtOnce() async throws {
    let stalled = StalledKeyStore(parties.device)
    let receiver = parties.receiver(keys: stalled, clock: clock)
    let left = try parties.push(Draft(json: #"{"aps":{"alert":{"title":"left","body":"1"}},"n":1}"#))
    let right = try parties.push(Draft(json: #"{"aps":{"alert":{"title":"right","body":"2"}},"n":2}"#))
    async let first = receiver.receive(left)
    async let second = receiver.receive(right)
    await clock.waitForSleepers(count: 2)
    stalled.release()
    stalled.release()
    let contents = await [first.content, second.content]
    #expect(contents.map(\.title) == ["left", "right"])
    #expect(contents.map(\.body) == ["1", "2"])
    #expect(contents.map { $0.userInfo["n"] } == [.integer(1), .integer(2)])
  }

  @Test("one stalled message does not hold up another, nor its deadline")
  func independent() async throws {
    let stalled = StalledKeyStore(parties.device)
    let push = try parties.push()
    _ = parties.receiver(keys: stalled, clock: clock).receive(push) { [recorder] in recorder.record($0) }
    await clock.waitForSleepers()
    let other = await parties.receiver(clock: clock).receive(try parties.push())
    #expect(other.content.body == "secret")
    #expect(recorder.receptions.isEmpty)
    clock.advance(by: .seconds(25))
    await recorder.wait()
    expectDeadline(recorder.receptions.first, push)
    stalled.release()
  }

  @Test("forty messages at once are all their own")
  func many() async throws {
    let receiver = parties.receiver(clock: clock)
    let pushes = try (0..<40).map { try parties.push(Draft(json: #"{"aps":{"alert":"\#($0)"}}"#)) }
    let bodies = await withTaskGroup(of: (Int, String).self) { group in
      for (index, push) in pushes.enumerated() {
        group.addTask { (index, await receiver.receive(push).content.body) }
      }
      return await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(bodies == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, String($0)) }))
  }
}

/// A clock whose sleepers wake by cancellation alone, and that tells of it.
private final class EndlessClock: PushClock {
  private let cancelled = Signal()

  var now: UnixTime { Parties.now }

  var uptime: Duration { .zero }

  func sleep(until end: Duration) async throws {
    let forever = AsyncStream<Never> { _ in }
    for await _ in forever {}
    cancelled.fire()
    try Task.checkCancellation()
  }

  func waitForCancellation() async { await cancelled.wait() }
}
