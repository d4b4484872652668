import PushDelivery
import PushCore
import PushEnrolment
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import StoreSupport
import TestSupport
import Testing

/// What a worker has leased, and for how long.
@Suite(.hangGuard) struct LeaseTests {
  /// The store's time.
  private let time = ManualClock(.now)
  /// The worker's time.
  private let clock = ManualClock(.now)
  private let store: FailingStore
  private let scene: Scene

  init() async throws {
    store = FailingStore(MemoryStore(clock: time))
    scene = try await Scene(store: store)
    _ = try await scene.phone()
  }

  private func begin() -> (Worker, Task<Void, any Error>) {
    let worker = scene.worker(clock: clock)
    return (worker, Task { try await worker.run() })
  }

  /// Begins to send jobs one at a time, of which the first has no answer yet.
  private func beginBehindOne(
    _ enqueue: () async throws -> Void
  ) async throws -> (Worker, Task<Void, any Error>) {
    // Until then, APNs takes one push at a time.
    try await scene.enqueue("Hello")
    try await scene.work { $0.acknowledged == 1 }
    scene.apns.inject(.latency(.seconds(10)), to: .next(1))
    try await enqueue()
    let worker = scene.worker({ $0.pushesAtATime = 1 }, clock: clock)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: scene.apns.pushes.count < 2)
    return (worker, run)
  }

  /// Asserts that the job is the worker's at each of so many seconds, in which so many of its tasks wait for their time.
  private func expectLease(for seconds: Int, sleepers: Int = 2) async throws {
    for second in 1...seconds {
      await clock.waitForSleepers(count: sleepers)
      time.advance(by: .seconds(1))
      try #require(try await store.statistics().leased == 1, "after \(second) seconds")
      clock.advance(by: .seconds(1))
    }
  }

  /// What a worker does with a job that takes long.
  enum Stage: CaseIterable { case preparing, sending, writing }

  @Test("a job stays its worker's for as long as it takes, at every stage", arguments: Stage.allCases)
  func kept(stage: Stage) async throws {
    switch stage {
    case .preparing: store.holdLookups()
    case .sending: scene.apns.inject(.latency(.seconds(3600)), to: .all)
    case .writing: store.failToAcknowledge()
    }
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    switch stage {
    case .preparing: try await HangGuard.wait(while: store.lookups == 0)
    case .sending: try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    case .writing: try await HangGuard.wait(while: worker.metrics.storeFailures == 0)
    }
    // Who writes waits before it tries again.
    try await expectLease(for: 150, sleepers: stage == .writing ? 3 : 2)
    run.cancel()
    try? await run.value
  }

  @Test("a job whose row others hold keeps no other from its end, and ends when they let it go")
  func heldRow() async throws {
    for number in 1...3 { try await scene.enqueue("Number \(number)") }
    store.hold(JobID(2))
    // All three end before the first result is written.
    let worker = scene.worker({ $0.gatheringTime = .seconds(1) }, clock: clock)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.accepted < 3)
    // The second of two tries waits for a tenth of a second, of all together and of each.
    try await HangGuard.wait(while: worker.metrics.acknowledged < 2) {
      clock.advance(by: .milliseconds(100))
    }
    #expect(worker.metrics.open == 1 && worker.metrics.acknowledged == 2)
    store.hold(nil)
    try await HangGuard.wait(while: worker.metrics.acknowledged < 3) {
      clock.advance(by: .seconds(1))
    }
    worker.stop()
    try await run.value
    #expect(scene.apns.pushes.count == 3)
  }

  @Test("a worker that empties the queue asks for no more jobs while the last ones are on their way")
  func lastJobs() async throws {
    scene.apns.inject(.latency(.seconds(10)), to: .next(1))
    try await scene.enqueue("At noon?")
    let worker = scene.worker { $0.stopsWhenIdle = true }
    let run = Task { try await worker.run() }
    // It got the job, and then none.
    try await HangGuard.wait(while: store.requests < 2)
    try await scene.letAnswer { worker.metrics.acknowledged == 1 }
    try await run.value
    #expect(store.requests == 3)
  }

  @Test("a worker that empties the queue does not wait for a row that others hold")
  func heldAtTheEnd() async throws {
    try await scene.enqueue("At noon?")
    store.hold(JobID(1))
    let worker = scene.worker { $0.stopsWhenIdle = true }
    try await worker.run()
    #expect(try await store.statistics().leased == 1 && worker.metrics.acknowledged == 0)
  }

  @Test("what is leased is not sent when its lease is over, as far as the worker knows")
  func lapsed() async throws {
    store.failToExtend(times: .max)
    let (worker, run) = try await beginBehindOne {
      for _ in 0..<5 { try await scene.enqueue("At noon?") }
    }
    clock.advance(by: .seconds(61))
    try await scene.letAnswer { worker.metrics.retried >= 3 }
    run.cancel()
    try? await run.value
    // The greeting, what was on its way, and at most the one that was next.
    #expect(scene.apns.pushes.count <= 3)
  }

  @Test("what expires after its lease is not sent, not even at that moment", arguments: [30, 31])
  func expired(seconds: Int) async throws {
    let now = UnixTime(clamping: time.sinceEpoch.components.seconds)
    let (worker, run) = try await beginBehindOne {
      try await scene.enqueue("At noon?")
      for _ in 0..<5 {
        _ = try await store.enqueue([
          Job(Scene.payload("Your code"), to: "ada", expiresAt: now.advanced(by: .seconds(30)), at: now)
        ])
      }
    }
    clock.advance(by: .seconds(seconds))
    try await scene.letAnswer { worker.metrics.discarded + worker.metrics.acknowledged == 6 }
    worker.stop()
    run.cancel()
    try? await run.value
    let dead = try await store.deadLetters(after: nil, atMost: 9)
    #expect(dead.count >= 4 && dead.allSatisfy { $0.reason == "its time was up before it was sent" })
    #expect(scene.apns.pushes.count <= 3)
  }

  @Test("what expires while it waits for others to end is not sent")
  func expiredSuspect() async throws {
    let now = UnixTime(clamping: time.sinceEpoch.components.seconds)
    let (worker, run) = try await beginBehindOne {
      _ = try await store.enqueue([
        Job(Scene.payload("Your code"), to: "ada", expiresAt: now.advanced(by: .seconds(30)), at: now)
      ])
      // So often that it is worked on with no others.
      for _ in 0..<11 { _ = try await store.lease(atMost: 1, for: .zero, sender: nil) }
      _ = try await store.lease(atMost: 1, for: .seconds(10), sender: nil)
      try await scene.enqueue("At noon?")
    }
    time.advance(by: .seconds(10))
    try await HangGuard.wait(while: worker.metrics.leased < 2)
    time.advance(by: .seconds(25))
    clock.advance(by: .seconds(25))
    try await scene.letAnswer { worker.metrics.acknowledged + worker.metrics.discarded == 2 }
    worker.stop()
    try await run.value
    #expect(worker.metrics.discarded == 1 && scene.apns.pushes.count == 2)
  }

  @Test("a device's key ends by the store's time, whatever the worker's is", arguments: [true, false])
  func keyEnds(hasEnded: Bool) async throws {
    let now = UnixTime(clamping: time.sinceEpoch.components.seconds)
    var whole = DeviceKeys(of: .x25519ChaChaPoly, at: now)
    try whole.addQuantumResistant(at: now)
    let made = String(decoding: whole.device.encoded(), as: UTF8.self)
    let ending = made.replacing(
      #""status":"active""#, with: #""status":"active","exp":\#(now.advanced(by: .seconds(600)).seconds)"#)
    let keys = try DeviceKeys(
      device: KeySet(parsing: Array(ending.utf8).span), identity: whole.identity)
    _ = try await scene.phone(of: "bob", named: "bob-1", keys: keys)
    try await scene.enqueue("At noon?", to: "bob")
    if hasEnded { time.advance(by: .seconds(900)) }
    let clock = ManualClock(hasEnded ? now : now.advanced(by: .seconds(900)))
    let worker = scene.worker({ $0.stopsWhenIdle = true }, clock: clock)
    try await worker.run()
    #expect(worker.metrics.acknowledged == (hasEnded ? 0 : 1))
    #expect(worker.metrics.discarded == (hasEnded ? 1 : 0))
  }

  @Test("a lease that cannot be extended is tried again before it is over")
  func extensionFails() async throws {
    store.failToExtend(times: 6)
    scene.apns.inject(.latency(.seconds(3600)), to: .all)
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    try await expectLease(for: 100)
    #expect(worker.metrics.storeFailures == 6)
    run.cancel()
    try? await run.value
  }

  @Test("what comes of a lease whose lease is over says nothing of the next one, even of the same worker")
  func lost() async throws {
    // Until then, APNs takes one push at a time.
    try await scene.enqueue("Hello")
    try await scene.work { $0.acknowledged == 1 }
    scene.apns.inject(.latency(.seconds(10)), to: .next(1))
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    try await HangGuard.wait(while: scene.apns.pushes.count < 2)
    scene.apns.inject(.latency(.seconds(1_000_000)), to: .next(1))
    time.advance(by: .seconds(60))
    try await HangGuard.wait(while: scene.apns.pushes.count < 3)
    try await scene.letAnswer { worker.metrics.acknowledged > 0 }
    #expect(worker.metrics.accepted == 1 && worker.metrics.open == 1)
    #expect(try await store.statistics().leased == 1)
    try await HangGuard.wait(while: worker.metrics.acknowledged < 2) {
      scene.apns.advance(by: .seconds(1_000_000))
    }
    worker.stop()
    try await run.value
    let left = try await store.statistics()
    #expect(left.ready + left.delayed + left.leased + left.dead == 0)
    #expect(Set(scene.apns.pushes.map(\.messageID)).count == 2)
  }

  @Test("what is another's by the time that it is prepared is not sent")
  func lostWhilePreparing() async throws {
    store.holdLookups()
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    try await HangGuard.wait(while: store.lookups == 0)
    time.advance(by: .seconds(60))
    #expect(try await store.lease(atMost: 1, for: .seconds(3600), sender: nil).count == 1)
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .seconds(20))
    try await HangGuard.wait(while: store.extensions == 0)
    // It takes note of the answer, and then waits for the next time.
    await clock.waitForSleepers(count: 2)
    try await scene.enqueue("At two?")
    store.freeLookups()
    try await HangGuard.wait(while: worker.metrics.acknowledged == 0)
    worker.stop()
    try await run.value
    #expect(scene.apns.pushes.count == 1)
  }

  @Test("what is nobody's any more is not sent, and takes no place")
  func forgotten() async throws {
    let (worker, run) = try await beginBehindOne {
      for _ in 0..<9 { try await scene.enqueue("At noon?") }
    }
    _ = try await store.forget(person: "ada")
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .seconds(20))
    try await HangGuard.wait(while: worker.metrics.open > 0)
    _ = try await scene.phone(of: "bob", named: "bob-1")
    try await scene.enqueue("At two?", to: "bob")
    try await scene.letAnswer { worker.metrics.acknowledged > 0 }
    worker.stop()
    try await run.value
    // The greeting, what was on its way or next, and the message to the other person; its phone may be asked for a proof.
    #expect(scene.apns.pushes.count { $0.isAlert } <= 4)
  }

  @Test("a store that fails is asked less and less often, and every half a minute in the end")
  func patience() async throws {
    store.fail(times: 12)
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    // No longer: its lease would be over.
    try await HangGuard.wait(while: worker.metrics.leased == 0) { clock.advance(by: .seconds(30)) }
    try await HangGuard.wait(while: worker.metrics.acknowledged == 0)
    worker.stop()
    try await run.value
    let delays = scene.reported.compactMap { event -> Duration? in
      if case .storeFailed(_, let delay) = event { delay } else { nil }
    }
    let milliseconds = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]
    #expect(delays == milliseconds.map { .milliseconds($0) })
  }
}

extension LoggedPush {
  /// Whether it is shown, and no proof request.
  fileprivate var isAlert: Bool { headers.contains { $0.name == "apns-push-type" && $0.value == "alert" } }
}
