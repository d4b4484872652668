import PushDelivery
import PushKeys
import PushCore
import PushStandIn
import PushTesting
import PushWorker
import TestSupport
import Testing

/// How long a worker leaves a route alone.
@Suite(.hangGuard) struct RouteTests {
  /// The worker's time.
  private let clock = ManualClock(.now)
  /// The connections' time.
  private let network = ManualClock(.now)
  private let scene: Scene
  private let configuration = WorkerConfiguration()

  init() async throws {
    scene = try await Scene(clock: network) { $0.patience = .seconds(10) }
  }

  /// Begins to send one push at a time.
  private func begin() -> (Worker, Task<Void, any Error>) {
    let worker = scene.worker({ $0.pushesAtATime = 1 }, clock: clock)
    return (worker, Task { try await worker.run() })
  }

  /// Waits until the worker waits for its routes, and otherwise only to extend leases and to ask for pauses.
  private func waitForStandstill() async { await clock.waitForSleepers(count: 3) }

  @Test("a route that is only slow waits for the shorter time")
  func slow() async throws {
    _ = try await scene.phone()
    for text in ["At noon?", "At one?"] { try await scene.enqueue(text) }
    scene.apns.inject(.latency(.milliseconds(10)), to: .all)
    let (worker, run) = begin()
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    network.advance(by: .seconds(10))
    try await HangGuard.wait(while: scene.stops.isEmpty)
    try await scene.letAnswer { worker.metrics.acknowledged == 1 }
    await waitForStandstill()
    clock.advance(by: configuration.slowRoutePause - .milliseconds(1))
    await waitForStandstill()
    #expect(scene.apns.pushes.count == 1)
    clock.advance(by: .milliseconds(1))
    try await HangGuard.wait(while: worker.metrics.acknowledged < 2)
    worker.stop()
    try await run.value
    #expect(scene.stops == ["it takes too long"])
  }

  @Test("that a route is slow does not shorten the wait after APNs has refused it")
  func slowAndRefused() async throws {
    let refused = try await scene.phone()
    let slow = try await scene.phone(of: "bob", named: "bob-1")
    scene.apns.inject(.refusal(.forbidden), to: .next(1), of: refused.phone.token)
    scene.apns.inject(.latency(.milliseconds(10)), to: .all, of: slow.phone.token)
    try await scene.enqueue("At noon?")
    // One or two of them end with the refusal, one is slow, and the others get no place.
    for _ in 0..<5 { try await scene.enqueue("At noon?", to: "bob") }
    let (worker, run) = begin()
    try await HangGuard.wait(while: scene.apns.pushes.count < 2)
    network.advance(by: .seconds(10))
    try await HangGuard.wait(while: worker.metrics.retried < 5)
    try await scene.letAnswer { worker.metrics.acknowledged == 1 }
    await waitForStandstill()
    clock.advance(by: configuration.routePause - .milliseconds(1))
    await waitForStandstill()
    #expect(scene.apns.pushes.count == 2)
    clock.advance(by: .milliseconds(1))
    try await HangGuard.wait(while: worker.metrics.acknowledged < 6)
    worker.stop()
    try await run.value
    #expect(scene.stops == ["Forbidden"])
  }

  @Test("a route without a connection waits, and is tried again after that")
  func noConnection() async throws {
    let scene = try await Scene(clock: network) { $0.totalTime = .seconds(10) }
    _ = try await scene.phone()
    await scene.apns.stop()
    try await scene.enqueue("At noon?")
    let worker = scene.worker(clock: clock)
    let run = Task { try await worker.run() }
    for count in 1...2 {
      try await HangGuard.wait(while: scene.stops.count < count) {
        network.advance(by: .seconds(1))
      }
      await waitForStandstill()
      clock.advance(by: configuration.routePause)
    }
    run.cancel()
    try? await run.value
    #expect(scene.stops == ["there is no connection", "there is no connection"])
  }
}
