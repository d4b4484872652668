import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import Synchronization
import TestSupport
import Testing
import UserNotifications

/// A push that is sent again, because nobody knows whether APNs had it, is shown once.
@Suite(.hangGuard) struct RepeatTests {
  private let clock = ManualClock(.now)
  private let store: MemoryStore
  private let scene: Scene
  private let phone: EnrolledPhone

  init() async throws {
    store = MemoryStore(clock: clock)
    scene = try await Scene(store: store)
    phone = try await scene.phone()
    // APNs takes the push, and the worker never learns that.
    scene.apns.inject(.transport(.reset(.beforeAnswer)), to: .next(1))
    try await scene.enqueue("At noon?")
    try await scene.work({ $0.firstDelay = .seconds(3600) }) { $0.retried == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
    #expect(phone.phone.screen.map { $0.content.sound != nil } == [true])
  }

  /// Lets another worker try again, and asserts that the phone shows no second notification.
  private func expectQuietRepeat(signing keys: Senders? = nil) async throws {
    clock.advance(by: .seconds(3600))
    try await scene.work(signing: keys) { $0.acknowledged == 1 }
    _ = try await phone.phone.shown
    #expect(scene.apns.pushes.map(\.deliveries) == [1, 1])
    #expect(Set(scene.apns.pushes.map(\.messageID)).count == 1)
    #expect(phone.phone.screen.count == 1)
    #expect(phone.phone.screen.allSatisfy { $0.degraded == nil && $0.body == "At noon?" })
    #expect(phone.phone.screen.map { $0.content.sound != nil } == [false])
  }

  @Test("by another worker")
  func again() async throws { try await expectQuietRepeat() }

  @Test("although the device's key was rotated meanwhile")
  func deviceRotated() async throws {
    let before = try await store.devices(of: ["ada"])
    #expect(try phone.keys.rotate(ifOlderThan: .zero))
    try await phone.enrol(as: "ada-1", of: "ada")
    #expect(try await store.devices(of: ["ada"]) != before)
    try await expectQuietRepeat()
  }

  @Test("although the sender's key was rotated meanwhile")
  func senderRotated() async throws {
    var editor = KeySetEditor(scene.senders)
    try editor.rotate(again: true, at: .now)
    let rotated = editor.keySet
    #expect(try rotated.signingKey().publicKey != scene.senders.signingKey().publicKey)
    try await expectQuietRepeat(signing: Senders(rotated))
  }
}

/// Messages that change others, through the queue.
@Suite(.hangGuard) struct ChangedMessageTests {
  private let clock = ManualClock(.now)
  private let scene: Scene
  private let phone: EnrolledPhone
  private let first = MessageID.random()

  init() async throws {
    scene = try await Scene(store: MemoryStore(clock: clock))
    phone = try await scene.phone()
    try await deliver(RemoteNotification(title: "Ada", body: "Lunch?"), id: first)
  }

  private func deliver(_ notification: RemoteNotification, id: MessageID = .random()) async throws {
    try await scene.store.enqueue([Job(notification.payload(), to: "ada", messageID: id, at: clock.now)])
    try await scene.work { $0.acknowledged == 1 }
    _ = try await phone.phone.shown
  }

  @Test("an edited text takes the place of the one before")
  func replaces() async throws {
    try await deliver(RemoteNotification(title: "Ada", body: "Dinner?").replacing(first))
    #expect(phone.phone.screen.map(\.body) == ["Dinner?"])
  }

  @Test("so it does after the device's keys were rotated")
  func replacesAfterRotation() async throws {
    #expect(try phone.keys.rotate(ifOlderThan: .zero))
    try await phone.enrol(as: "ada-1", of: "ada")
    try await deliver(RemoteNotification(title: "Ada", body: "Dinner?").replacing(first))
    #expect(phone.phone.screen.map(\.body) == ["Dinner?"])
  }

  @Test("a row whose reserved member is not a caller's is not sealed without it")
  func reserved() async throws {
    let payload: JSONObject = [
      "aps": ["alert": "Lunch?"], "sealed-push": ["v": 1, "account": "AQEBAQEBAQEBAQEBAQEBAQ"],
    ]
    let job = try Job(stored: payload, to: "ada", messageID: .random(), at: clock.now)
    _ = try await scene.store.enqueue([job])
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    let dead = try await scene.store.deadLetters(after: nil, atMost: 1)
    #expect(dead.first?.reason.contains("reserved") == true && phone.phone.screen.count == 1)
  }

  @Test("what was deleted is taken from the screen")
  func removes() async throws {
    try await deliver(RemoteNotification(title: "Ada", body: "deleted").removing([first]))
    #expect(phone.phone.screen.map(\.body) == ["deleted"])
  }
}

/// A clock that is set while a worker is at its work.
@Suite(.hangGuard) struct ClockTests {
  @Test("a store's clock that jumps an hour ahead lets another worker repeat what is on its way, quietly")
  func ahead() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    // Until then, APNs takes one push at a time.
    try await scene.enqueue("Hello")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "Hello")
    scene.apns.inject(.latency(.seconds(10)), to: .next(1))
    try await scene.enqueue("At noon?")
    // It leases no second time what it has.
    let slow = scene.worker { $0.openJobs = 1 }
    let run = Task { try await slow.run() }
    try await HangGuard.wait(while: scene.apns.pushes.count < 2)
    clock.advance(by: .seconds(3600))
    try await scene.work { $0.acknowledged == 1 }
    // Before APNs' time goes on, of which an extension has half a minute.
    for _ in 0..<2 { _ = try await phone.phone.shown }
    slow.stop()
    try await scene.letAnswer { slow.metrics.acknowledged > 0 }
    try await run.value
    #expect(scene.apns.accepted.count == 2 && scene.apns.pushes.count == 3)
    #expect(phone.phone.screen.map(\.body) == ["Hello", "At noon?"])
    let left = try await scene.store.statistics()
    #expect(left.ready + left.delayed + left.leased + left.dead == 0)
  }

  @Test(
    "a worker's own clock that is wrong does not end jobs: their times are by the store's",
    arguments: [-3600, 3600])
  func workers(difference: Int64) async throws {
    let scene = try await Scene(store: MemoryStore(clock: ManualClock(.now)))
    let phone = try await scene.phone()
    let job = try Job(Scene.payload("At noon?"), to: "ada", lifetime: Lifetime(seconds: 30))
    try await scene.store.enqueue([job])
    let clock = ManualClock(UnixTime.now.advanced(by: .seconds(difference)))
    let worker = scene.worker(clock: clock)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: worker.metrics.acknowledged + worker.metrics.discarded == 0)
    worker.stop()
    try await run.value
    #expect(worker.metrics.acknowledged == 1)
    #expect(try await phone.phone.shown.body == "At noon?")
  }
}
