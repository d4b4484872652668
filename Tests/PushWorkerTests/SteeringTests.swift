import PushCore
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// What a worker does while operators hold routes back.
@Suite(.hangGuard) struct SteeringTests {
  private let time = ManualClock(.now)
  private let clock = ManualClock(.now)
  private let store: MemoryStore
  private let scene: Scene
  private let other: Topic

  init() async throws {
    store = MemoryStore(clock: time)
    scene = try await Scene(store: store)
    other = try Topic("com.example.another")
  }

  private func begin(
    _ change: (inout WorkerConfiguration) -> Void = { _ in }
  ) -> (Worker, Task<Void, any Error>) {
    let worker = scene.worker(change, clock: clock)
    return (worker, Task { try await worker.run() })
  }

  /// Lets the worker ask the store again.
  private func passInterval() async {
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .seconds(2))
  }

  /// Lets time pass until something is so, slowly enough for the worker to keep its leases.
  private func pass(until isSo: () -> Bool) async throws {
    try await HangGuard.wait(while: !isSo()) {
      for clock in [time, clock] { clock.advance(by: .milliseconds(50)) }
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  @Test("nothing is sealed for a paused route, other devices get the message, and it goes on afterwards")
  func pause() async throws {
    _ = try await scene.phone()
    let open = try await scene.phone(named: "ada-2", with: other)
    await store.pause(RouteScope(topic: scene.topic))
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    try await HangGuard.wait(while: worker.metrics.waited < 1)
    #expect(scene.apns.pushes.map(\.token) == [open.phone.token.text])
    #expect(worker.metrics.pausedPushes == 1 && worker.metrics.pauses == 1)
    // It is not leased again and again.
    for _ in 0..<3 { await passInterval() }
    #expect(worker.metrics.leased == 1 && worker.metrics.retried == 0)
    await store.resume(.all)
    try await pass { worker.metrics.acknowledged == 1 }
    worker.stop()
    try await run.value
    #expect(scene.apns.accepted.count == 2 && worker.metrics.leased == 2)
  }

  @Test("a pause of days costs no attempt, and ends with the job's own time")
  func days() async throws {
    _ = try await scene.phone()
    await store.pause(.all)
    await store.pause(RouteScope(topic: scene.topic))
    try await scene.enqueue("At noon?", expiresAt: time.now.advanced(by: .seconds(7 * 86_400)))
    await store.resume(RouteScope(topic: other))
    try await scene.work({ $0.stopsWhenIdle = true }) { _ in false }
    // Nothing was leased while all was paused.
    #expect(await store.statistics().ready == 1)
    await store.resume(.all)
    await store.pause(RouteScope(topic: scene.topic))
    for _ in 0..<3 {
      try await scene.work({ $0.stopsWhenIdle = true }) { _ in false }
      time.advance(by: .seconds(86_400))
    }
    #expect(await store.statistics().delayed == 1 && scene.apns.pushes.isEmpty)
    time.advance(by: .seconds(5 * 86_400))
    try await scene.work({ $0.stopsWhenIdle = true }) { _ in false }
    #expect(await store.deadLetters(after: nil, atMost: 9).map(\.attempts) == [1])
  }

  @Test("while everything is paused, a worker waits, and begins after that")
  func everything() async throws {
    _ = try await scene.phone()
    await store.pause(.all)
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    for _ in 0..<3 {
      await clock.waitForSleepers(count: 3)
      clock.advance(by: .seconds(2))
    }
    #expect(worker.metrics.leased == 0)
    await store.resume(.all)
    try await pass { worker.metrics.acknowledged == 1 }
    worker.stop()
    try await run.value
  }

  @Test("a worker that waits for everything to go again can be stopped")
  func stoppedWhilePaused() async throws {
    await store.pause(.all)
    let (worker, run) = begin()
    await clock.waitForSleepers(count: 3)
    worker.stop()
    try await run.value
  }

  @Test("a topic gets no more than its limit, and others all")
  func limit() async throws {
    let limited = try await scene.phone()
    _ = try await scene.phone(of: "bob", named: "bob-1", with: other)
    await store.limit(scene.topic, to: RateLimit(3, within: .seconds(60)))
    for _ in 0..<5 { try await scene.enqueue("At noon?") }
    for _ in 0..<5 { try await scene.enqueue("At noon?", to: "bob") }
    try await scene.work({ $0.stopsWhenIdle = true }) { _ in false }
    #expect(scene.apns.accepted.count == 8)
    #expect(scene.apns.pushes.count { $0.token == limited.phone.token.text } == 3)
    try await scene.work({ $0.stopsWhenIdle = true }) { _ in false }
    #expect(scene.apns.accepted.count == 8)
    time.advance(by: .seconds(68))
    try await scene.work({ $0.stopsWhenIdle = true }) { _ in false }
    #expect(scene.apns.accepted.count == 10)
    let left = await store.statistics()
    #expect(left.ready + left.delayed + left.leased + left.dead == 0)
  }

  @Test("a call to a phone without a token for calls takes no share of the limit")
  func noToken() async throws {
    _ = try await scene.phone()
    await store.limit(scene.topic, to: RateLimit(1, within: .seconds(60)))
    // Calls are leased before alerts.
    let call: JSONObject = ["aps": [:], "call": 7]
    try await scene.store.enqueue([Job(call, to: "ada", pushType: .voip)])
    try await scene.enqueue("At noon?")
    try await scene.work({ ($0.stopsWhenIdle, $0.batchSize) = (true, 1) }) { _ in false }
    #expect(scene.apns.accepted.count == 1)
  }

  @Test("two workers share a limit")
  func sharedLimit() async throws {
    _ = try await scene.phone()
    await store.limit(scene.topic, to: RateLimit(3, within: .seconds(60)))
    for _ in 0..<9 { try await scene.enqueue("At noon?") }
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        let worker = scene.worker { ($0.stopsWhenIdle, $0.batchSize) = (true, 1) }
        group.addTask { try await worker.run() }
      }
      try await group.waitForAll()
    }
    #expect(scene.apns.accepted.count == 3)
  }

  @Test("a person's limit does not count what waits for its route")
  func person() async throws {
    _ = try await scene.phone()
    await store.limit(scene.topic, to: RateLimit(1, within: .seconds(60)))
    for _ in 0..<2 { try await scene.enqueue("At noon?") }
    let (worker, run) = begin { $0.personLimit = PersonLimit(2, within: .seconds(86_400)) }
    try await HangGuard.wait(while: worker.metrics.acknowledged < 1 || worker.metrics.limitedPushes < 1)
    time.advance(by: .seconds(68))
    try await pass { worker.metrics.acknowledged == 2 }
    worker.stop()
    try await run.value
  }

  @Test("a phone of a paused route is asked for no proof until the route goes again")
  func proof() async throws {
    let phone = try EnrolledPhone(scene)
    await store.pause(RouteScope(topic: scene.topic))
    _ = await store.handIn(try phone.enrolment())
    let audience = scene.audience
    let (worker, run) = begin { $0.audience = audience }
    try await HangGuard.wait(while: worker.metrics.pending < 1)
    for _ in 0..<3 {
      await clock.waitForSleepers(count: 4)
      time.advance(by: .seconds(60))
      clock.advance(by: .seconds(60))
    }
    #expect(scene.apns.pushes.isEmpty)
    await store.resume(.all)
    try await pass { worker.metrics.asked == 1 }
    worker.stop()
    try await run.value
  }

  @Test("the store knows which routes are stopped, and why, until they go again")
  func stoppedRoutes() async throws {
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.forbidden), to: .next(1))
    try await scene.enqueue("At noon?")
    let (worker, run) = begin()
    // The next attempt finds the route stopped.
    try await HangGuard.wait(while: scene.stops.isEmpty) { time.advance(by: .milliseconds(1)) }
    await clock.waitForSleepers(count: 3)
    clock.advance(by: .seconds(2))
    try await HangGuard.wait(while: await store.stoppedRoutes().isEmpty)
    #expect(await store.stoppedRoutes().map(\.reason) == ["Forbidden"])
    await clock.waitForSleepers(count: 3)
    time.advance(by: .seconds(60))
    clock.advance(by: .seconds(60))
    try await HangGuard.wait(while: worker.metrics.acknowledged < 1)
    await passInterval()
    try await HangGuard.wait(while: await !store.stoppedRoutes().isEmpty)
    worker.stop()
    try await run.value
  }
}
