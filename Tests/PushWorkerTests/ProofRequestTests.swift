import PushDelivery
import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Pushes that ask devices for a proof.
@Suite(.hangGuard) struct ProofRequestTests {
  /// The store's time.
  private let time = ManualClock(.now)
  /// The worker's time.
  private let clock = ManualClock(.now)
  /// The connections' time.
  private let connections = ManualClock(.now)
  private let store: MemoryStore
  private let scene: Scene

  init() async throws {
    store = MemoryStore(clock: time)
    scene = try await Scene(store: store, clock: connections) { policy in
      policy.maximumAttempts = 5
      policy.firstDelay = .zero
    }
  }

  private func begin(leasing lease: Duration = .seconds(60)) -> (Worker, Task<Void, any Error>) {
    let audience = scene.audience
    let worker = scene.worker(
      {
        $0.audience = audience
        $0.lease = lease
      }, clock: clock)
    return (worker, Task { try await worker.run() })
  }

  /// Lets time pass second by second, while so many of the worker's tasks wait for theirs.
  private func advance(by seconds: Int, sleepers: Int) async {
    for _ in 0..<seconds {
      await clock.waitForSleepers(count: sleepers)
      time.advance(by: .seconds(1))
      clock.advance(by: .seconds(1))
    }
    await clock.waitForSleepers(count: sleepers)
  }

  @Test("of a flood, 256 are on their way at a time, and the others are sent when their lease is over")
  func flood() async throws {
    let (most, all) = (256, 260)
    // Until then, APNs takes one push at a time.
    _ = try await scene.phone(of: "bob", named: "bob-1")
    try await scene.enqueue("Hello", to: "bob")
    try await scene.work { $0.acknowledged == 1 }
    scene.apns.inject(.latency(.milliseconds(10)), to: .all)
    var rows: [Int64] = []
    for number in 0..<all {
      rows.append(await store.handIn(try EnrolledPhone(scene).enrolment(), as: "ada-\(number)"))
    }
    // What comes after them has its answer, so they were looked at.
    let last = await store.handIn(Array("{}".utf8), as: "last")
    let (worker, run) = begin()
    while await store.answer(of: last) == nil { await Task.yield() }
    while scene.apns.pushes.count < 1 + most { await Task.yield() }
    let start = try #require(scene.apns.pushes.first).time
    await scene.letAnswer { worker.metrics.pending >= most }
    scene.apns.advance(by: .seconds(60))
    await clock.waitForSleepers(count: 2)
    time.advance(by: .seconds(60))
    clock.advance(by: .seconds(1))
    while worker.metrics.pending < all { await Task.yield() }
    worker.stop()
    try await run.value
    #expect(scene.apns.pushes.count { $0.time == start } == 1 + most)
    #expect(scene.apns.pushes.count == 1 + all)
    for row in rows { #expect(await store.answer(of: row) == .pending(request: nil)) }
  }

  @Test("one that cannot be pushed keeps no other enrolment waiting")
  func unreachable() async throws {
    scene.apns.inject(.latency(.milliseconds(10)), to: .all)
    let slow = await store.handIn(try EnrolledPhone(scene).enrolment())
    let quick = await store.handIn(
      try EnrolledPhone(scene).enrolment(), as: "ada-2", possession: "keyAlone")
    let (worker, run) = begin()
    // The worker's time stands still, so that nothing ends the push.
    while await store.answer(of: quick) == nil { await Task.yield() }
    while scene.apns.pushes.isEmpty { await Task.yield() }
    #expect(await store.answer(of: slow) == nil)
    await scene.letAnswer { worker.metrics.pending == 2 }
    worker.stop()
    try await run.value
  }

  @Test("one that APNs puts off keeps its route open, and is sent again when its lease is over")
  func putOff() async throws {
    let busy = try EnrolledPhone(scene)
    scene.apns.inject(.refusal(.tooManyRequests), to: .next(1), of: busy.phone.token)
    let row = await store.handIn(try busy.enrolment())
    _ = await store.handIn(try EnrolledPhone(scene).enrolment(), as: "ada-2")
    let (first, run) = begin()
    while first.metrics.pending == 0 || scene.client.metrics.refused.isEmpty { await Task.yield() }
    first.stop()
    try await run.value
    #expect(await store.answer(of: row) == nil)
    #expect(scene.stops.isEmpty && scene.apns.pushes.count == 2)
    time.advance(by: .seconds(60))
    let (second, again) = begin()
    while second.metrics.pending == 0 { await Task.yield() }
    second.stop()
    try await again.value
    #expect(await store.answer(of: row) == .pending(request: nil))
  }

  @Test("one whose connection ends is sent again at once")
  func cut() async throws {
    scene.apns.inject(.transport(.reset(.beforeAnswer)), to: .next(1))
    let row = await store.handIn(try EnrolledPhone(scene).enrolment())
    let (worker, run) = begin()
    while worker.metrics.pending == 0, scene.stops.isEmpty { await Task.yield() }
    worker.stop()
    try await run.value
    #expect(await store.answer(of: row) == .pending(request: nil))
    #expect(scene.stops.isEmpty)
  }

  @Test("one without an answer by half of its lease makes its route wait, and is sent again after that")
  func late() async throws {
    scene.apns.inject(.latency(.milliseconds(10)), to: .next(1))
    let row = await store.handIn(try EnrolledPhone(scene).enrolment())
    let (worker, run) = begin(leasing: .seconds(40))
    while scene.apns.pushes.isEmpty { await Task.yield() }
    connections.advance(by: .seconds(20))
    while scene.stops.isEmpty { await Task.yield() }
    // The route's pause ends after 60 seconds, and the second lease after 80.
    await advance(by: 79, sleepers: 2)
    #expect(scene.apns.pushes.count == 1)
    #expect(await store.answer(of: row) == nil)
    time.advance(by: .seconds(1))
    clock.advance(by: .seconds(1))
    while worker.metrics.pending == 0 { await Task.yield() }
    worker.stop()
    try await run.value
    #expect(scene.stops == ["it takes too long"] && scene.apns.pushes.count == 2)
    #expect(await store.answer(of: row) == .pending(request: nil))
  }
}
