import PushCore
import PushDelivery
import PushKeys
import PushSimulation
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// What a worker records of a message whose job asks for it.
@Suite(.hangGuard) struct OutcomeTests {
  /// Registrations, what became of the message, and why, in the order of the registrations.
  private func outcomes(of id: MessageID, in scene: Scene) async throws -> [String] {
    try await scene.store.outcomes(of: id).map(\.outcome).map { outcome in
      [outcome.registration ?? "-", outcome.kind.rawValue, outcome.reason ?? "-"].joined(separator: ": ")
    }.sorted()
  }

  @Test("one device has the message, and APNs refuses it for the other")
  func refused() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let other = try await scene.phone(named: "ada-2")
    scene.apns.inject(.refusal(.badPriority), to: .next(1), of: other.phone.token)
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work { $0.discarded == 1 }
    #expect(
      try await outcomes(of: id, in: scene) == ["ada-1: accepted: -", "ada-2: refused: APNs: BadPriority"])
    #expect(try await scene.store.outcomes(of: id).allSatisfy { $0.person == "ada" })
    // Sent again, it reaches the other.
    let dead = try await scene.store.deadLetters(after: nil, atMost: 1)
    try await scene.store.resend(dead.map(\.id))
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await outcomes(of: id, in: scene) == ["ada-1: accepted: -", "ada-2: accepted: -"])
  }

  @Test("a device in quarantine is unreachable, and the others have the message, whenever they got it")
  func quarantined() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    _ = try await scene.phone(named: "ada-2")
    try await scene.store.quarantine(phone.phone.address)
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work { $0.discarded == 1 }
    let unreachable = "ada-1: unreachable: it is in quarantine: APNs refused it"
    #expect(try await outcomes(of: id, in: scene) == [unreachable, "ada-2: accepted: -"])
  }

  @Test("a device whose app was deleted is unreachable, and stays so when its job ends")
  func gone() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    _ = try await scene.phone(named: "ada-2")
    phone.phone.deleteApp()
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work { $0.acknowledged == 1 }
    let unreachable = "ada-1: unreachable: its token is no longer valid"
    #expect(try await outcomes(of: id, in: scene) == [unreachable, "ada-2: accepted: -"])
  }

  @Test("a device that proves no new token in time is unreachable")
  func neverProven() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    try await scene.rotateToken(of: phone)
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work { $0.waited == 1 }
    #expect(
      try await outcomes(of: id, in: scene) == ["ada-1: unreachable: it has not proven a new token yet"])
    clock.advance(by: JobRetry.longestWait + .seconds(1))
    try await scene.work { $0.discarded == 1 }
    let reason = "it has not proven a new token in time"
    #expect(try await outcomes(of: id, in: scene) == ["ada-1: unreachable: \(reason)"])
  }

  @Test("nobody has a message whose person has no device", arguments: [true, false])
  func nobody(isDead: Bool) async throws {
    let scene = try await Scene()
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work {
      $0.messagesToNobody = isDead ? .deadLetter : .done
    } until: {
      $0.acknowledged + $0.discarded == 1
    }
    let all = try await scene.store.outcomes(of: id).map(\.outcome)
    #expect(all == [.reachedNobody(reason: "its person has no device that it can be sent to")])
  }

  @Test("nobody has a message that had expired")
  func expired() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let id = try await scene.enqueue(
      "At noon?", wantsOutcome: true, expiresAt: UnixTime.now.advanced(by: .seconds(-5)))
    try await scene.work { $0.discarded == 1 }
    let all = try await outcomes(of: id, in: scene)
    #expect(all.count == 1 && all[0].hasPrefix("-: unreachable: expires_at: expired at "))
  }

  @Test("nothing is written for a job that does not ask")
  func notAsked() async throws {
    let store = CountingStore()
    let scene = try await Scene(store: store)
    let phone = try await scene.phone()
    _ = try await scene.phone(named: "ada-2")
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1), of: phone.phone.token)
    let ids = [try await scene.enqueue("At noon?"), try await scene.enqueue("At noon?", to: "nobody")]
    try await scene.work { $0.acknowledged + $0.discarded == 2 }
    for id in ids { #expect(try await store.outcomes(of: id).isEmpty) }
    #expect(store.records == 0)
    // One call for those that end together, and only if one of them asks.
    try await scene.enqueue("At one?", to: "nobody", wantsOutcome: true)
    try await scene.work { $0.acknowledged == 1 }
    #expect(store.records == 1)
  }

  @Test("it is recorded before the job ends, and again after a failure")
  func beforeTheEnd() async throws {
    let store = CountingStore(failing: 1)
    let scene = try await Scene(store: store)
    _ = try await scene.phone()
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work { $0.acknowledged == 1 }
    #expect(store.records == 2 && store.endsBeforeRecords == 0)
    #expect(try await outcomes(of: id, in: scene) == ["ada-1: accepted: -"])
  }

  @Test("what is older than a worker's time for it goes, even if the worker answers no enrolments")
  func sweep() async throws {
    let time = ManualClock(.now)
    let store = MemoryStore(clock: time)
    let scene = try await Scene(store: store)
    let old = try await scene.enqueue("At noon?", wantsOutcome: true)
    try await scene.work { $0.acknowledged == 1 }
    time.advance(by: .seconds(3600))
    let new = try await scene.enqueue("At one?", wantsOutcome: true)
    try await scene.work { $0.acknowledged == 1 }
    time.advance(by: .seconds(86_400 - 3600))
    #expect(await store.outcomes(of: old).count == 1)
    // It sweeps when it starts, even if it stops as soon as it finds no job.
    let worker = scene.worker {
      $0.outcomeTime = .seconds(86_400)
      $0.stopsWhenIdle = true
    }
    try await worker.run()
    #expect(await store.outcomes(of: old).isEmpty)
    #expect(await store.outcomes(of: new).count == 1)
  }

  @Test("so do dead letters, and registrations that have proven nothing")
  func sweepOthers() async throws {
    let time = ManualClock(.now)
    let store = MemoryStore(clock: time)
    let scene = try await Scene(store: store)
    let pending = try EnrolledPhone(scene)
    let enrolment = try pending.keys.enrol(address: pending.phone.address, for: scene.audience)
    _ = try await store.accept(enrolment, as: "junk", mayBeNew: true).get()
    try await scene.enqueue("At noon?")
    try await scene.work({ $0.messagesToNobody = .deadLetter }) { $0.discarded == 1 }
    time.advance(by: .seconds(3600))
    func work(_ change: (inout WorkerConfiguration) -> Void) async throws -> [Int] {
      let worker = scene.worker {
        $0.stopsWhenIdle = true
        change(&$0)
      }
      try await worker.run()
      let dead = await store.deadLetters(after: nil, atMost: 9).count
      return [dead, await store.registrations(after: nil, atMost: 9).count]
    }
    #expect(
      try await work { ($0.deadLetterTime, $0.unprovenTime) = (.seconds(3601), .seconds(3601)) } == [1, 1])
    #expect(try await work { $0.deadLetterTime = .seconds(3600) } == [0, 1])
    #expect(try await work { $0.unprovenTime = .seconds(3600) } == [0, 0])
  }

  @Test("old outcomes are looked for every hour")
  func hourly() async throws {
    let (time, clock) = (ManualClock(.now), ManualClock(.now))
    let store = MemoryStore(clock: time)
    let scene = try await Scene(store: store)
    let id = try await scene.enqueue("At noon?", wantsOutcome: true)
    let worker = scene.worker(clock: clock)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: await store.outcomes(of: id).isEmpty)
    time.advance(by: .seconds(8 * 86_400))
    // The worker looks for leases to extend, and for pauses.
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .seconds(3599))
    await clock.waitForSleepers(count: 2)
    #expect(await store.outcomes(of: id).count == 1)
    while await !store.outcomes(of: id).isEmpty {
      await clock.waitForSleepers(count: 2)
      clock.advance(by: .seconds(20))
    }
    worker.stop()
    try await run.value
  }
}

/// A store that counts how often outcomes are recorded.
private final class CountingStore: ForwardingStore {
  let store: any Store = MemoryStore()
  private let counts: Mutex<(records: Int, failures: Int, early: Int)>

  /// Lets the first records fail.
  init(failing failures: Int = 0) { counts = Mutex((0, failures, 0)) }

  var records: Int { counts.withLock(\.records) }

  /// How many jobs have ended although what became of them could not be recorded.
  var endsBeforeRecords: Int { counts.withLock(\.early) }

  func record(_ outcomes: [JobOutcomes]) async throws(StoreError) {
    let fails = counts.withLock { counts in
      counts.records += 1
      counts.failures -= 1
      return counts.failures >= 0
    }
    if fails { throw .unreachable(place: "store", reason: "cut") }
    try await store.record(outcomes)
  }

  func acknowledge(_ leases: [Lease]) async throws(StoreError) -> Int {
    counts.withLock { if $0.failures >= 0 { $0.early += leases.count } }
    return try await store.acknowledge(leases)
  }
}
