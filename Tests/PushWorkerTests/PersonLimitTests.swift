import PushDelivery
import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// What a person's limit lets through, and when.
@Suite(.hangGuard) struct PersonLimitTests {
  @Test("a second attempt for another device is no second message to the person")
  func limitAndRetry() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(1), of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work({ $0.personLimit = PersonLimit(1, within: .seconds(3600)) }) {
      $0.acknowledged == 1 || $0.waited == 1
    }
    #expect(scene.apns.accepted.count == 2)
  }

  @Test("a person gets no more than the limit, and the rest later")
  func personLimit() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    _ = try await scene.phone(of: "bob", named: "bob-1")
    for _ in 0..<3 { try await scene.enqueue("At noon?") }
    try await scene.enqueue("At one?", to: "bob")
    try await scene.work({ $0.personLimit = PersonLimit(2, within: .seconds(3600)) }) {
      $0.acknowledged == 3 && $0.waited == 1
    }
    #expect(scene.apns.pushes.count { $0.token == phone.phone.token.text } == 2)
    clock.advance(by: .seconds(3600))
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.accepted.count == 4)
  }

  @Test("what no route takes does not make room for more messages to its person")
  func uncounted() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    _ = try await scene.phone(of: "bob", named: "bob-1")
    // While another app's route is open, jobs are leased.
    _ = try await scene.phone(of: "carol", named: "carol-1", with: Topic("com.example.another"))
    let time = ManualClock(.now)
    let worker = scene.worker(
      { $0.personLimit = PersonLimit(1, within: .seconds(3600)) }, clock: time)
    let run = Task { try await worker.run() }
    try await scene.enqueue("At noon?")
    try await scene.enqueue("At noon?", to: "carol")
    try await HangGuard.wait(while: worker.metrics.acknowledged < 2)
    // The route is held, and Ada's second message with it.
    scene.apns.inject(.refusal(.forbidden), to: .next(1))
    try await scene.enqueue("At one?", to: "bob")
    try await HangGuard.wait(while: worker.metrics.retried < 1)
    try await scene.enqueue("At two?")
    let before = worker.metrics.retried
    try await HangGuard.wait(while: worker.metrics.retried < before + 4)
    time.advance(by: WorkerConfiguration().routePause)
    // Of those that wait for the route, Bob's message is sent, and Ada's waits.
    try await HangGuard.wait(
      while: (worker.metrics.waited < 1 || worker.metrics.acknowledged < 3)
        && worker.metrics.acknowledged < 4)
    worker.stop()
    try await run.value
    #expect(worker.metrics.waited == 1 && worker.metrics.acknowledged == 3)
  }

  @Test("what waits for its person's turn waits as often as it must")
  func longWait() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    _ = try await scene.phone()
    try await scene.enqueue("At noon?")
    for _ in 0..<15 {
      try await scene.store.enqueue([Job(Scene.payload("At one?"), to: "ada", priority: .first)])
      try await scene.work({
        ($0.personLimit, $0.maximumAttempts) = (PersonLimit(1, within: .seconds(60)), 10)
      }) { $0.acknowledged == 1 && $0.waited + $0.discarded == 1 }
      try #require(try await scene.store.statistics().dead == 0)
      clock.advance(by: .seconds(60))
    }
    // It counts as if it had never been leased.
    let leased = try await scene.store.lease(atMost: 9, for: .zero, sender: nil)
    #expect(leased.map(\.attempt) == [1])
    #expect(try leased.map { try $0.job.get().priority } == [.standard])
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.accepted.count == 16)
  }
}
