import PushDelivery
import Glibc
import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import Synchronization
import StoreSupport
import TestSupport
import Testing

/// How a worker ends, and what it does while its store is gone.
@Suite(.hangGuard) struct StoppingTests {
  @Test("a worker that is cancelled gives its jobs back at once, and another one goes on")
  func cancelled() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.latency(.seconds(3600)), to: .all)
    try await scene.enqueue("At noon?")
    let worker = scene.worker()
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    run.cancel()
    try? await run.value
    let left = try await scene.store.statistics()
    #expect(left.ready == 1 && left.leased == 0)
    scene.apns.clearFaults()
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a worker that is cancelled while it prepares jobs gives them back at once")
  func cancelledEarly() async throws {
    let memory = MemoryStore()
    let store = FailingStore(memory)
    let scene = try await Scene(store: store)
    _ = try await scene.phone()
    try await scene.enqueue("At noon?")
    store.holdLookups()
    let worker = scene.worker()
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: store.lookups == 0)
    run.cancel()
    try? await run.value
    let left = await memory.statistics()
    #expect(left.ready == 1 && left.leased == 0)
  }

  @Test("a worker that cannot write ends when it is cancelled, also after it was told to stop")
  func cannotWrite() async throws {
    let store = FailingStore(MemoryStore())
    let scene = try await Scene(store: store)
    _ = try await scene.phone()
    store.failToAcknowledge()
    try await scene.enqueue("At noon?")
    let worker = scene.worker()
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.storeFailures == 0)
    worker.stop()
    run.cancel()
    await #expect(throws: StoreError.unreachable(place: "store", reason: "cut")) { try await run.value }
  }

  @Test("a worker ends when the file of its store is deleted, although it has nothing to do")
  func storeReplaced() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "push.sqlite")
    let scene = try await Scene(store: try await SQLiteStore(path: path))
    let worker = scene.worker { $0.audience = scene.audience }
    let run = Task { try await worker.run() }
    try #require(unsafe unlink(path) == 0)
    await #expect(throws: StoreError.replaced(place: path)) { try await run.value }
  }

  @Test("what APNs says of a device is written before what becomes of its job")
  func order() async throws {
    let memory = MemoryStore()
    let store = FailingStore(memory)
    let scene = try await Scene(store: store)
    _ = try await scene.phone()
    store.failToCountRefusals()
    scene.apns.inject(.refusal(.badDeviceToken), to: .all)
    try await scene.enqueue("At noon?")
    let worker = scene.worker { $0.firstDelay = .seconds(3600) }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.storeFailures == 0)
    #expect(await memory.statistics().leased == 1)
    run.cancel()
    await #expect(throws: StoreError.unreachable(place: "store", reason: "cut")) { try await run.value }
  }

  @Test("a worker that is told to stop ends what it has begun, and leases nothing more")
  func stopped() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    scene.apns.inject(.latency(.seconds(10)), to: .next(1))
    try await scene.enqueue("At noon?")
    let worker = scene.worker()
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    worker.stop()
    try await scene.enqueue("At one?")
    try await HangGuard.wait(while: worker.metrics.acknowledged == 0) {
      scene.apns.advance(by: .seconds(10))
    }
    try await run.value
    #expect(worker.metrics.acknowledged == 1)
    #expect(try await scene.store.statistics().ready == 1)
  }

  @Test("a store that fails for a while loses nothing")
  func storeFails() async throws {
    let memory = MemoryStore()
    let store = FailingStore(memory)
    let scene = try await Scene(store: store)
    let phone = try await scene.phone()
    store.fail(times: 3)
    try await scene.enqueueIn(memory, "At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
    #expect(scene.apns.pushes.count == 1)
  }

  @Test("a damaged row of one person's devices keeps that person's jobs back, and no other")
  func damagedRow() async throws {
    let store = FailingStore(MemoryStore())
    let scene = try await Scene(store: store)
    for person in ["ada", "bob", "carol", "dan", "eve"] {
      _ = try await scene.phone(of: person, named: "\(person)-1")
      try await scene.enqueue("At noon?", to: person)
    }
    store.damage("carol")
    try await scene.work({ $0.firstDelay = .seconds(3600) }) { $0.acknowledged == 4 && $0.retried == 1 }
    let left = try await scene.store.statistics()
    #expect(left.delayed == 1 && left.ready == 0 && scene.apns.accepted.count == 4)
  }

  @Test("a store that cannot be used ends the worker with its error")
  func storeIsCorrupt() async throws {
    let store = FailingStore(MemoryStore())
    let scene = try await Scene(store: store)
    store.fail(times: .max, with: .corrupt(place: "store"))
    await #expect(throws: StoreError.corrupt(place: "store")) { try await scene.worker().run() }
  }

  @Test("what takes longer than its lease stays the worker's")
  func leases() async throws {
    let (clock, manual) = (ManualClock(.now), ManualClock(.now))
    let store = FailingStore(MemoryStore(clock: clock))
    let scene = try await Scene(store: store)
    _ = try await scene.phone()
    scene.apns.inject(.latency(.seconds(3600)), to: .next(1))
    try await scene.enqueue("At noon?")
    let worker = scene.worker(clock: manual)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    for count in 1...4 {
      clock.advance(by: .seconds(19))
      try await HangGuard.wait(while: store.extensions < count) {
        manual.advance(by: .seconds(1))
      }
    }
    #expect(try await store.statistics().leased == 1)
    worker.stop()
    try await HangGuard.wait(while: worker.metrics.acknowledged == 0) {
      scene.apns.advance(by: .seconds(3600))
    }
    try await run.value
  }

  @Test("two workers share the jobs, and each is sent once")
  func two() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    for number in 0..<200 { try await scene.enqueue("\(number)") }
    let workers = [scene.worker { $0.batchSize = 10 }, scene.worker { $0.batchSize = 10 }]
    try await withThrowingTaskGroup { group in
      for worker in workers { group.addTask { try await worker.run() } }
      try await HangGuard.wait(while: workers.reduce(0, { $0 + $1.metrics.acknowledged }) < 200)
      for worker in workers { worker.stop() }
      try await group.waitForAll()
    }
    #expect(scene.apns.accepted.count == 200 && scene.apns.accepted.repeated.isEmpty)
  }
}

extension Scene {
  /// Puts a job into a store that is behind another one.
  func enqueueIn(_ store: MemoryStore, _ text: String) async throws {
    _ = await store.enqueue([try Job(Self.payload(text), to: "ada")])
  }
}
