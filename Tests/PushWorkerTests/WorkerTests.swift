import PushDelivery
import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// From a job in the queue to what a person sees.
@Suite(.hangGuard) struct WorkerTests {
  @Test("what a job says, each device of its person shows once")
  func shown() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    let other = try await scene.phone(of: "bob", named: "bob-1")
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    for phone in phones { #expect(try await phone.phone.shown.body == "At noon?") }
    #expect(phones.allSatisfy { $0.phone.screen.count == 1 } && other.phone.screen.isEmpty)
    let left = try await scene.store.statistics()
    #expect(left.ready + left.delayed + left.leased + left.dead == 0)
  }

  @Test("a worker counts the messages that it seals, by suite")
  func sealed() async throws {
    let scene = try await Scene()
    for number in 1...2 { _ = try await scene.phone(named: "ada-\(number)") }
    try await scene.enqueue("At noon?")
    let worker = scene.worker()
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.acknowledged == 0)
    #expect(worker.metrics.sealed == [.x25519ChaChaPoly: 2])
    worker.stop()
    try await run.value
  }

  @Test("a job for a person without devices is done")
  func withoutDevices() async throws {
    let scene = try await Scene()
    try await scene.enqueue("At noon?", to: "nobody")
    try await scene.work { $0.withoutDevices == 1 && $0.acknowledged == 1 }
  }

  @Test("what is most urgent is sent first, also of more than is sealed together")
  func urgent() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let low = try (0..<1500).map { _ in try Job(Scene.payload("At noon?"), to: "ada", priority: .last) }
    try await scene.store.enqueue(low)
    let urgent = try Job(Scene.payload("Now!"), to: "ada", priority: .first)
    try await scene.store.enqueue([urgent])
    let identity = try await scene.store.devices(of: ["ada"])[0][0].identity
    let worker = scene.worker { ($0.batchSize, $0.pushesAtATime) = (2000, 1) }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: scene.apns.pushes.isEmpty)
    #expect(scene.apns.pushes[0].messageID == urgent.messageID.derived(for: identity))
    run.cancel()
    try await run.value
  }

  @Test("no more jobs are leased than may be open at a time")
  func openJobs() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    for _ in 0..<20 { try await scene.enqueue("At noon?") }
    scene.apns.inject(.latency(.milliseconds(10)), to: .next(1))
    let worker = scene.worker { ($0.openJobs, $0.batchSize) = (5, 3) }
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.open < 5)
    var most = 0
    try await scene.letAnswer {
      most = max(most, worker.metrics.open)
      return worker.metrics.acknowledged == 20
    }
    worker.stop()
    try await run.value
    #expect(most == 5)
  }

  @Test("a worker signs with other keys from when it has them")
  func replacedSenders() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    let worker = scene.worker()
    let run = Task { try await worker.run() }
    try await scene.enqueue("At noon?")
    #expect(try await phone.phone.shown.degraded == nil)
    worker.replaceSenders(with: KeySet(generating: .sender, at: .now))
    try await scene.enqueue("At one?")
    // The phone does not know them.
    #expect(try await phone.phone.shown.degraded != nil)
    worker.stop()
    try await run.value
  }

  @Test("what a job says of its delivery, its push says to APNs")
  func headers() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let now = UnixTime.now
    try await scene.store.enqueue([
      Job(
        Scene.payload("At noon?"), to: "ada", expiresAt: now.advanced(by: .seconds(60)),
        apnsPriority: .considerate,
        collapseID: "lunch", at: now),
      Job(
        Scene.payload("At noon?"), to: "ada", expiresAt: now.advanced(by: .seconds(3600)),
        lifetime: Lifetime(seconds: 120), at: now),
    ])
    try await scene.work { $0.acknowledged == 2 }
    let first = try #require(scene.apns.pushes.first { $0.header("apns-priority") == "5" })
    let second = try #require(scene.apns.pushes.first { $0.header("apns-priority") == "10" })
    #expect(first.header("apns-expiration") == "\(now.seconds + 60)")
    #expect(first.header("apns-collapse-id") == "lunch")
    #expect(second.header("apns-expiration") == "\(now.seconds + 120)")
    #expect(second.header("apns-collapse-id") == second.messageID.text)
  }

  @Test("a background push wakes the app, which opens it as data")
  func background() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    try await scene.enqueue("At noon?")
    try await scene.store.enqueue([
      Job(["aps": ["content-available": 1], "sync": "inbox"], to: "ada", pushType: .background)
    ])
    try await scene.work { $0.acknowledged == 2 }
    let push = try await phone.phone.backgroundPush
    let receiver = Receiver(
      topic: scene.topic, keys: phone.keys, senders: try scene.senders.publicKeys,
      replay: InMemoryReplayStore())
    let opened = try receiver.openData(EnvelopeField(data: JSONObject(parsing: push.span)), as: .background)
    #expect(opened.payload["aps"] == ["content-available": 1] && opened.payload["sync"] == "inbox")
    let sent = try #require(scene.apns.pushes.first { $0.header("apns-push-type") == "background" })
    #expect(sent.header("apns-priority") == "5")
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("while the only route is stopped, nothing is leased, so that nothing is put off for long")
  func standstill() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let time = ManualClock(.now)
    let worker = scene.worker(clock: time)
    let run = Task { try await worker.run() }
    scene.apns.inject(.refusal(.forbidden), to: .next(1))
    try await scene.enqueue("At noon?")
    try await HangGuard.wait(while: scene.stops.isEmpty)
    try await HangGuard.wait(while: worker.metrics.open > 0)
    let leased = worker.metrics.leased
    try await scene.enqueue("At one?")
    // Another worker with nothing to do would have looked ten times by then.
    _ = try await MemoryStore().jobsArrived(within: .milliseconds(200))
    #expect(worker.metrics.leased == leased)
    time.advance(by: WorkerConfiguration().routePause)
    try await HangGuard.wait(while: worker.metrics.acknowledged < 2)
    worker.stop()
    try await run.value
    #expect(scene.apns.accepted.count == 2)
  }
}

extension LoggedPush {
  /// A header's value; nil if it is missing.
  fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
