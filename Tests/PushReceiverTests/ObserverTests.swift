import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What a receiver tells about each push.
@Suite(.hangGuard)
struct ObserverTests {
  private let parties = Parties()
  private let clock = ManualClock(Parties.now)
  private let notes = Notes()

  private func receiver(
    keys: (any DeviceKeyStore)? = nil, accepts: AcceptedEnvelopes = .signed,
    replay: any ReplayStore = InMemoryReplayStore(), at now: UnixTime = Parties.now
  ) -> Receiver {
    var receiver = parties.receiver(keys: keys, accepts: accepts, replay: replay, at: now)
    receiver.observers = [notes]
    return receiver
  }

  @Test("of an opened push: the time, the key and the message")
  func opened() async throws {
    let draft = Draft()
    let push = try parties.push(draft)
    let reception = await receiver().receive(push)
    let report = try #require(notes.reports.first)
    #expect(notes.reports.count == 1)
    #expect(report.time == Parties.now)
    #expect(report.outcome == reception.outcome)
    #expect(report.degradeReason == nil)
    #expect(report.keyID == (try parties.recipient).thumbprint.keyID)
    #expect(report.messageID == draft.messageID)
    #expect(report.suite == (try parties.recipient.suite))
    #expect(report.envelope == push.envelope)
  }

  @Test("the result in words: reasons, and nothing of the content or the ids")
  func summaries() async throws {
    let push = try parties.push()
    let known = receiver(replay: InMemoryReplayStore())
    _ = await known.receive(push)
    _ = await known.receive(push)
    _ = await receiver(keys: LockedKeyStore()).receive(push)
    _ = await receiver(keys: FailingKeyStore(error: .unavailable)).receive(push)
    _ = await receiver(accepts: .others(OtherFormat())).receive(.other("Hello"))
    _ = await receiver(accepts: .others(OtherFormat(error: .wrongKey))).receive(.other("Hello"))
    #expect(
      notes.reports.map(\.summary) == [
        "opened, first", "opened, duplicate", "not opened: key-locked",
        "not opened: key-locked, keys unavailable", "opened from other",
        "not opened: other-format, other wrong-key",
      ])
  }

  @Test("of a push whose key is locked: the key, and no message, which nobody knows")
  func locked() async throws {
    _ = await receiver(keys: LockedKeyStore()).receive(try parties.push())
    #expect(notes.reports.map(\.degradeReason) == [.keyLocked])
    #expect(notes.reports.first?.keyID == (try parties.recipient).thumbprint.keyID)
    #expect(notes.reports.first?.messageID == nil)
  }

  @Test("of a message that was decrypted and refused: which one")
  func refused() async throws {
    let draft = Draft()
    let late = Parties.now.advanced(by: .seconds(2_592_000 + 301))
    _ = await receiver(at: late).receive(try parties.push(draft))
    #expect(notes.reports.map(\.degradeReason) == [.expired])
    #expect(notes.reports.first?.messageID == draft.messageID)
  }

  @Test("of a push without an envelope: only that")
  func noEnvelope() async throws {
    _ = await receiver().receive(.outer(envelope: nil))
    #expect(notes.reports.map(\.degradeReason) == [.noEnvelope])
    #expect(notes.reports.first?.keyID == nil)
  }

  @Test("of a push whose time ran out, after it was handed over, and once")
  func deadline() async throws {
    let stalled = StalledKeyStore(parties.device)
    let recorder = Recorder()
    let reception = receiver(keys: stalled).receive(try parties.push()) { recorder.record($0) }
    reception.handOver()
    #expect(recorder.receptions.count == 1)
    await notes.wait()
    stalled.release()
    #expect(notes.reports.map(\.degradeReason) == [.deadline])
  }

  @Test("of a push whose time ran out by the receiver's own deadline, before it is handed over")
  func softDeadline() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let stalled = StalledKeyStore(parties.device)
    var receiver = parties.receiver(keys: stalled, clock: clock)
    receiver.observers = [notes, gate]
    _ = receiver.receive(try parties.push()) { recorder.record($0) }
    clock.advance(by: Receiver.softDeadline)
    await gate.wait()
    #expect(notes.reports.map(\.degradeReason) == [.deadline])
    #expect(recorder.receptions.isEmpty)
    gate.open()
    await recorder.wait()
    #expect(recorder.receptions.map(\.outcome) == [.degraded(.deadline)])
    #expect(notes.reports.count == 1)
    stalled.release()
  }

  @Test("what observers are told at the deadline is handed over, though the message opens meanwhile")
  func openedAtTheDeadline() async throws {
    let (gate, recorder, replay, ended) = (Gate(), Recorder(), SlowReplayStore(), Signal())
    var receiver = parties.receiver(replay: replay, clock: clock)
    receiver.observers = [DegradeHook(on: .deadline) { gate.observe($0) }]
    _ = receiver.receive(try parties.push()) {
      recorder.record($0)
      ended.fire()
    }
    await replay.waitForRecord()
    clock.advance(by: Receiver.softDeadline)
    // The deadline waits a second for what is being recorded.
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await gate.wait()
    Task {
      await replay.waitForForgetting()
      ended.fire()
    }
    replay.release()
    await ended.wait()
    gate.open()
    await recorder.wait()
    #expect(recorder.receptions.map(\.outcome) == [.degraded(.deadline)])
  }

  @Test("an observer that blocks at the deadline has half a second")
  func blockingAtTheDeadline() async throws {
    let gate = Gate()
    let recorder = Recorder()
    let stalled = StalledKeyStore(parties.device)
    var receiver = parties.receiver(keys: stalled, clock: clock)
    receiver.observers = [gate]
    _ = receiver.receive(try parties.push()) { recorder.record($0) }
    clock.advance(by: Receiver.softDeadline)
    await gate.wait()
    clock.advance(by: .milliseconds(500))
    await recorder.wait()
    #expect(recorder.receptions.map(\.outcome) == [.degraded(.deadline)])
    gate.open()
    stalled.release()
  }

  @Test(
    "whether a key cannot be had at all, or only before the phone is unlocked",
    arguments: [
      KeyStoreError.locked, .unavailable,
    ])
  func keyFault(error: KeyStoreError) async throws {
    _ = await receiver(keys: FailingKeyStore(error: error)).receive(try parties.push())
    #expect(notes.reports.map(\.degradeReason) == [.keyLocked])
    #expect(notes.reports.map(\.keyFault) == [error])
  }

  @Test("an observer that blocks costs its own time, and not the text")
  func blocking() async throws {
    let gate = Gate()
    let recorder = Recorder()
    var receiver = parties.receiver(clock: clock)
    receiver.observers = [gate, notes]
    let reception = receiver.receive(try parties.push()) { recorder.record($0) }
    await gate.wait()
    #expect(recorder.receptions.isEmpty)
    reception.handOver()
    #expect(recorder.receptions.map(\.content.body) == ["secret"])
    gate.open()
    await notes.wait()
    #expect(notes.reports.count == 1)
  }

  @Test("a hook is called for its reason")
  func hook() async throws {
    let enrolled = Recorder.Count()
    var receiver = parties.receiver(keys: KeyRing())
    receiver.observers = [DegradeHook(on: .unknownKey) { _ in enrolled.add() }]
    _ = await receiver.receive(try parties.push())
    #expect(enrolled.value == 1)
  }

  @Test("a hook is not called for another reason, nor for what opens")
  func otherReason() async throws {
    let enrolled = Recorder.Count()
    var receiver = parties.receiver()
    receiver.observers = [DegradeHook(on: .unknownKey) { _ in enrolled.add() }]
    _ = await receiver.receive(try parties.push())
    _ = await receiver.receive(.outer(envelope: nil))
    #expect(enrolled.value == 0)
  }
}
