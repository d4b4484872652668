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

  @Test("a job for a person without devices is done")
  func withoutDevices() async throws {
    let scene = try await Scene()
    try await scene.enqueue("At noon?", to: "nobody")
    try await scene.work { $0.withoutDevices == 1 && $0.acknowledged == 1 }
  }

  @Test("a job for one app does not reach a device with another")
  func otherTopic() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    try await scene.store.enqueue([
      Job(Scene.payload("At noon?"), to: "ada", topic: try Topic("com.example.other"))
    ])
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.pushes.isEmpty)
  }

  @Test("what APNs has no time for is tried again with the same message ID, and shown once")
  func again() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(2))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 && $0.retried == 2 }
    #expect(try await phone.phone.shown.body == "At noon?")
    #expect(Set(scene.apns.pushes.map(\.messageID)).count == 1)
  }

  @Test("a device that has the push gets no other when the job is tried again for another device")
  func settled() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(1), of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.accepted.count == 2 && scene.apns.accepted.repeated.isEmpty)
  }

  @Test("a device whose app was deleted is forgotten")
  func deleted() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    // APNs says since when, in its own time, and the app enrolled before that, however slow this is.
    scene.apns.advance(by: .seconds(600))
    phone.phone.deleteApp()
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 || $0.retried == 3 }
    #expect(try await scene.store.registration(named: "ada-1") == nil)
  }

  @Test("a device whose new token is not proven yet gets the message when it is")
  func newToken() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    _ = phone.phone.rotateToken()
    let pending = try #require(try await phone.beginEnrolment(as: "ada-1", of: "ada"))
    try await scene.enqueue("At noon?")
    // At once, and then with patience.
    try await scene.work({ $0.firstDelay = .seconds(3600) }) { $0.retried == 2 || $0.acknowledged > 0 }
    try #require(try await scene.store.statistics().delayed == 1)
    try await phone.prove(pending, as: "ada-1", of: "ada")
    clock.advance(by: .seconds(7200))
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a device that APNs refuses goes into quarantine, and its job waits for an operator")
  func quarantined() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    #expect(try await scene.store.devices(after: nil, atMost: 1).first?.quarantinedAt != nil)
    let dead = try #require(try await scene.store.deadLetters(after: nil, atMost: 1).first)
    #expect(dead.reason.contains("quarantine"))
    try await scene.store.release(phone.phone.address)
    try await scene.store.resend([dead.id])
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a message that another device has got is done, although one is in quarantine")
  func partlyQuarantined() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1), of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    try await scene.enqueue("At one?")
    try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    #expect(try await scene.store.statistics().dead == 0 && scene.apns.accepted.count == 2)
  }

  @Test("when APNs refuses device after device, none stays in quarantine, and no job is lost")
  func misconfigured() async throws {
    let scene = try await Scene()
    for number in 0..<5 {
      _ = try await scene.phone(of: "person \(number)", named: "phone \(number)")
      try await scene.enqueue("At noon?", to: "person \(number)")
    }
    scene.apns.inject(.refusal(.badDeviceToken), to: .all)
    try await scene.work({ ($0.badDevicesInARow, $0.firstDelay) = (5, .seconds(3600)) }) { $0.retried == 5 }
    #expect(scene.stops == ["it refused one device after the other"])
    let devices = try await scene.store.devices(after: nil, atMost: 10)
    #expect(devices.count == 5 && devices.allSatisfy { $0.quarantinedAt == nil })
    let statistics = try await scene.store.statistics()
    #expect(statistics.ready + statistics.delayed == 5)
  }

  @Test("tokens that devices only claim are refused one after the other, and stop nobody's route")
  func claimedTokens() async throws {
    let scene = try await Scene { $0.badDevicesInARow = 3 }
    for number in 0..<5 {
      let name = "junk-\(number)"
      let phone = try await scene.phone(of: "mallory", named: name, proving: .keyAlone)
      scene.apns.inject(.refusal(.badDeviceToken), to: .all, of: phone.phone.token)
    }
    try await scene.enqueue("At noon?", to: "mallory")
    try await scene.work {
      $0.badDevicesInARow = 3
    } until: {
      $0.discarded == 1 || !scene.stops.isEmpty
    }
    #expect(scene.stops.isEmpty)
    #expect(try await scene.store.devices(after: nil, atMost: 9).allSatisfy { $0.quarantinedAt != nil })
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
    while scene.apns.pushes.isEmpty { await Task.yield() }
    #expect(scene.apns.pushes[0].messageID == urgent.messageID.derived(for: identity))
    run.cancel()
    try await run.value
  }

  @Test("devices that APNs refuses between others stay in quarantine, and their route goes on")
  func refusedBetweenOthers() async throws {
    let scene = try await Scene()
    for (number, isRefused) in [true, false, true].enumerated() {
      let phone = try await scene.phone(of: "person \(number)", named: "phone \(number)")
      if isRefused { scene.apns.inject(.refusal(.badDeviceToken), to: .all, of: phone.phone.token) }
      try await scene.enqueue("At noon?", to: "person \(number)")
    }
    try await scene.work({ configuration in
      (configuration.badDevicesInARow, configuration.firstDelay) = (2, .seconds(3600))
      configuration.pushesAtATime = 1
    }) { $0.retried == 2 && $0.acknowledged == 1 }
    let devices = try await scene.store.devices(after: nil, atMost: 10)
    #expect(devices.map { $0.quarantinedAt != nil } == [true, false, true])
    #expect(scene.stops.isEmpty)
  }

  @Test("no more jobs are leased than may be open at a time")
  func openJobs() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    for _ in 0..<20 { try await scene.enqueue("At noon?") }
    scene.apns.inject(.latency(.milliseconds(10)), to: .next(1))
    let worker = scene.worker { ($0.openJobs, $0.batchSize) = (5, 3) }
    let run = Task { try await worker.run() }
    while worker.metrics.open < 5 { await Task.yield() }
    var most = 0
    await scene.letAnswer {
      most = max(most, worker.metrics.open)
      return worker.metrics.acknowledged == 20
    }
    worker.stop()
    try await run.value
    #expect(most == 5)
  }

  @Test("the wait before another attempt doubles up to the longest, and is up to a half shorter")
  func delays() async throws {
    let time = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: time))
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable), to: .all)
    try await scene.enqueue("At noon?")
    let worker = scene.worker { $0.firstDelay = .seconds(10) }
    let run = Task { try await worker.run() }
    let longest = [10, 20, 40, 80, 160, 320, 640, 900, 900, 900].map { Duration.seconds($0) }
    for count in 1...longest.count {
      while worker.metrics.retried < count { await Task.yield() }
      time.advance(by: .seconds(900))
    }
    run.cancel()
    try? await run.value
    for (delay, longest) in zip(scene.delays, longest) { #expect((longest / 2...longest).contains(delay)) }
  }

  @Test("what APNs asks to be left alone for a while is not tried before")
  func retryAfter() async throws {
    let time = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: time))
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.serviceUnavailable, retryAfter: 600), to: .next(1))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.retried == 1 }
    #expect(scene.delays == [.seconds(600)])
    time.advance(by: .seconds(600))
    try await scene.work { $0.acknowledged == 1 }
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

  @Test("a row that is no job goes to the dead letters, and harms no other")
  func wrongRow() async throws {
    let store = MemoryStore()
    let scene = try await Scene(store: store)
    let phone = try await scene.phone()
    _ = await store.insert(
      JobRow(columns: [
        .messageID: Array(MessageID.random().text.utf8), .person: Array("ada".utf8),
        .payload: Array("[]".utf8), .createdAt: Array("\(UnixTime.now.seconds)".utf8),
      ]))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 && $0.discarded == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
    let dead = await store.deadLetters(after: nil, atMost: 2)
    #expect(dead.count == 1 && dead[0].reason.contains("payload"))
  }

  @Test("what cannot be sealed goes to the dead letters")
  func tooLarge() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    try await scene.enqueue(String(repeating: "x", count: 5000))
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    #expect(try await scene.store.statistics().dead == 1)
  }

  @Test("a message whose lifetime is over is not sent")
  func expired() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let before = UnixTime.now.advanced(by: -7200)
    try await scene.store.enqueue([
      Job(Scene.payload("At noon?"), to: "ada", lifetime: Lifetime(seconds: 3600), at: before)
    ])
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    let dead = try await scene.store.deadLetters(after: nil, atMost: 9)
    #expect(dead.map(\.reason) == ["its lifetime is over"] && scene.apns.pushes.isEmpty)
  }

  @Test("what a job says of its delivery, its push says to APNs")
  func headers() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    let now = UnixTime.now
    try await scene.store.enqueue([
      Job(
        Scene.payload("At noon?"), to: "ada", expiresAt: now.advanced(by: 60), apnsPriority: .considerate,
        collapseID: "lunch", at: now),
      Job(
        Scene.payload("At noon?"), to: "ada", expiresAt: now.advanced(by: 3600),
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

  @Test("a message that APNs refuses for good goes to the dead letters")
  func refusedForGood() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.badPriority), to: .all)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    #expect(try await scene.store.deadLetters(after: nil, atMost: 2).map(\.reason) == ["APNs: BadPriority"])
  }

  @Test(
    "a message that one device has got is done, although another's was refused for good", arguments: [0, 1])
  func partlyRefused(attempts: Int) async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    // At once, or when the other one has had it for a while.
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(attempts), of: phones[0].phone.token)
    scene.apns.inject(.refusal(.badPriority), to: .all, of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    #expect(try await scene.store.statistics().dead == 0 && scene.apns.accepted.count == 1)
  }

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
    while worker.metrics.acknowledged < 2 { await Task.yield() }
    // The route is held, and Ada's second message with it.
    scene.apns.inject(.refusal(.forbidden), to: .next(1))
    try await scene.enqueue("At one?", to: "bob")
    while worker.metrics.retried < 1 { await Task.yield() }
    try await scene.enqueue("At two?")
    let before = worker.metrics.retried
    while worker.metrics.retried < before + 4 { await Task.yield() }
    time.advance(by: WorkerConfiguration().routePause)
    while worker.metrics.waited < 1, worker.metrics.acknowledged < 4 { await Task.yield() }
    worker.stop()
    try await run.value
    #expect(worker.metrics.waited == 1)
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
    while scene.reported.count(where: { if case .routeStopped = $0 { true } else { false } }) == 0 {
      await Task.yield()
    }
    while worker.metrics.open > 0 { await Task.yield() }
    let leased = worker.metrics.leased
    try await scene.enqueue("At one?")
    // Another worker with nothing to do would have looked ten times by then.
    _ = try await MemoryStore().jobsArrived(within: .milliseconds(200))
    #expect(worker.metrics.leased == leased)
    time.advance(by: WorkerConfiguration().routePause)
    while worker.metrics.acknowledged < 2 { await Task.yield() }
    worker.stop()
    try await run.value
    #expect(scene.apns.accepted.count == 2)
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

extension LoggedPush {
  /// A header's value; nil if it is missing.
  fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
