import PushDelivery
import PushEnvelope
import PushKeys
import PushPayload
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
    // APNs says since when, in its own time, and the app enrolled before that.
    scene.apns.advance(by: .seconds(2))
    phone.phone.deleteApp()
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 && $0.removed == 1 }
    #expect(try await scene.store.registration(named: "ada-1") == nil)
  }

  @Test("a device that APNs refuses goes into quarantine")
  func quarantined() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await scene.store.devices(after: nil, atMost: 1).first?.quarantinedAt != nil)
  }

  @Test("when APNs refuses device after device, none stays in quarantine, and no job is lost")
  func misconfigured() async throws {
    let scene = try await Scene()
    for number in 0..<5 {
      _ = try await scene.phone(of: "person \(number)", named: "phone \(number)")
      try await scene.enqueue("At noon?", to: "person \(number)")
    }
    scene.apns.inject(.refusal(.badDeviceToken), to: .all)
    try await scene.work({ ($0.badDevicesInARow, $0.firstDelay) = (5, .seconds(3600)) }) {
      $0.retried == 5 && !scene.reported.isEmpty
    }
    let devices = try await scene.store.devices(after: nil, atMost: 10)
    #expect(devices.count == 5 && devices.allSatisfy { $0.quarantinedAt == nil })
    let statistics = try await scene.store.statistics()
    #expect(statistics.ready + statistics.delayed == 5)
  }

  @Test("a row that is no job goes to the dead letters, and harms no other")
  func wrongRow() async throws {
    let store = MemoryStore()
    let scene = try await Scene(store: store)
    let phone = try await scene.phone()
    _ = await store.insert(
      JobRow([
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
    try await scene.work { $0.discarded == 1 }
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
    try await scene.work { $0.discarded == 1 }
    #expect(scene.apns.pushes.isEmpty)
  }

  @Test("a job on which worker after worker dies goes to the dead letters, and others are sent meanwhile")
  func poison() async throws {
    let clock = TestTime()
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    try await scene.enqueue("Poison")
    try await scene.enqueue("Claimed with it")
    for number in 1...3 {
      // The others' leases are not over when this one's are.
      _ = try await scene.store.claim(atMost: 2, for: .seconds(60), sender: nil)
      try await scene.enqueue("\(number)")
      try await scene.work { $0.acknowledged == 1 }
      #expect(try await phone.phone.shown.body == "\(number)")
      clock.advance(by: .seconds(60))
    }
    try await scene.work({ $0.maximumAttempts = 3 }) { $0.discarded == 2 }
    #expect(phone.phone.screen.count == 3)
    let dead = try await scene.store.deadLetters(after: nil, atMost: 9)
    #expect(dead.map(\.reason) == Array(repeating: "it was claimed 3 times, and never ended", count: 2))
    // Whoever looks at them finds which one it was, and sends the rest.
    try await scene.store.resend([dead[1].id])
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "Claimed with it")
  }

  @Test("a person with a thousand devices gets a job on each, once, and the job is one")
  func manyDevices() async throws {
    let scene = try await Scene()
    // More than are sealed together.
    var phones: [EnrolledPhone] = []
    for number in 0..<1001 { phones.append(try await scene.phone(named: "phone \(number)")) }
    scene.apns.inject(.refusal(.serviceUnavailable), to: .each(7))
    let id = try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    let identities = try await scene.store.devices(of: ["ada"])[0].map(\.identity)
    #expect(identities.count == 1001 && scene.apns.accepted.count == 1001)
    #expect(identities.allSatisfy { scene.apns.accepted[id.derived(for: $0)] == 1 })
    for phone in phones { #expect(try await phone.phone.shown.body == "At noon?") }
  }

  @Test("a person gets no more than the limit, and the rest later")
  func personLimit() async throws {
    let clock = TestTime()
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    _ = try await scene.phone(of: "bob", named: "bob-1")
    for _ in 0..<3 { try await scene.enqueue("At noon?") }
    try await scene.enqueue("At one?", to: "bob")
    try await scene.work({ $0.personLimit = PersonLimit(2, within: .seconds(3600)) }) {
      $0.acknowledged == 3 && $0.retried == 1
    }
    #expect(scene.apns.pushes.count { $0.token == phone.phone.token.text } == 2)
    clock.advance(by: .seconds(3600))
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.apns.accepted.count == 4)
  }
}
