import PushCore
import PushStandIn
import PushStore
import PushTesting
import TestSupport
import Testing

@testable import PushWorker

/// Jobs that end their workers, and those that are leased with them.
@Suite(.hangGuard) struct PoisonTests {
  @Test("a job whose leases never end goes to the dead letters")
  func poison() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    try await scene.enqueue("At noon?")
    for _ in 0..<10 { _ = try await scene.store.lease(atMost: 1, for: .zero, sender: nil) }
    try await scene.work({ $0.maximumAttempts = 10 }) { $0.discarded == 1 || $0.acknowledged == 1 }
    #expect(scene.apns.pushes.isEmpty)
    let dead = try await scene.store.deadLetters(after: nil, atMost: 1)
    #expect(dead.first?.reason == "it was leased 10 times, and did not end")
  }

  @Test("a job that APNs has no time for is tried again as often as it must")
  func patience() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(13))
    try await scene.enqueue("At noon?")
    try await scene.work({ $0.maximumAttempts = 10 }) { $0.acknowledged + $0.discarded == 1 }
    try #require(try await scene.store.statistics().dead == 0)
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a job that may be poison is worked on alone, and what was leased with it goes back before")
  func alone() async throws {
    let memory = MemoryStore()
    let store = FailingStore(memory)
    let scene = try await Scene(store: store)
    _ = try await scene.phone()
    for _ in 0..<4 { try await scene.enqueue("At noon?") }
    for _ in 0..<11 { _ = await memory.lease(atMost: 4, for: .zero, senders: []) }
    store.holdLookups()
    let worker = scene.worker { $0.batchSize = 4 }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: store.lookups == 0)
    let statistics = await memory.statistics()
    #expect(statistics.leased == 1 && statistics.ready == 3)
    run.cancel()
    try? await run.value
    store.freeLookups()
    try await scene.work({ $0.batchSize = 4 }) { $0.acknowledged == 4 }
    #expect(scene.apns.accepted.count == 4 && scene.apns.accepted.repeated.isEmpty)
  }

  /// What workers do that crash whenever they begin a job to this person.
  @Test("of many jobs only the one that makes workers crash is given up", arguments: [1, 1000, 10_000])
  func mates(batchSize: Int) async throws {
    var configuration = WorkerConfiguration()
    configuration.batchSize = batchSize
    let clock = ManualClock(.now)
    let store = MemoryStore(clock: clock)
    let count = 150
    _ = await store.enqueue(
      try (0..<count).map { try Job(Scene.payload("At noon?"), to: $0 == 77 ? "poison" : "ada") })
    var (done, given): (Int, [String]) = (0, [])
    while done + given.count < count {
      let leased = await store.lease(atMost: batchSize, for: .seconds(60), senders: [])
      if leased.isEmpty { clock.advance(by: .seconds(60)) }
      let suspects = SuspectJobs(among: leased, configuration: configuration)
      _ = await store.retry((suspects?.others ?? []).map { $0.untried(after: .zero, reason: "") })
      let group = suspects?.group ?? leased
      let dead = group.filter { $0.attempt > configuration.maximumAttempts }
      _ = await store.discard(dead.map { JobDiscard($0.lease, reason: "") })
      given += try dead.map { try $0.job.get().person }
      let rest = group.filter { $0.attempt <= configuration.maximumAttempts }
      guard try !rest.contains(where: { try $0.job.get().person == "poison" }) else { continue }
      done += await store.acknowledge(rest.map(\.lease))
    }
    #expect(given == ["poison"])
  }
}
