import PushEnvelope
import PushKeys
import PushPayload
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
  private let clock = TestTime()
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
  }

  /// Lets another worker try again, and asserts that the phone shows no second notification.
  private func expectQuietRepeat(signing keys: KeySet? = nil) async throws {
    clock.advance(by: .seconds(3600))
    try await scene.work(signing: keys) { $0.acknowledged == 1 }
    _ = try await phone.phone.shown
    #expect(scene.apns.pushes.map(\.deliveries) == [1, 1])
    #expect(Set(scene.apns.pushes.map(\.messageID)).count == 1)
    #expect(phone.phone.screen.count == 1)
    #expect(phone.phone.screen.allSatisfy { $0.degraded == nil && $0.body == "At noon?" })
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
    try editor.rotate(at: .now)
    let rotated = editor.keySet
    #expect(try rotated.signingKey().publicKey != scene.senders.signingKey().publicKey)
    try await expectQuietRepeat(signing: rotated)
    #expect(phone.phone.screen[0].content.sound == nil)
  }
}

/// A store's clock that stands still.
final class TestTime: StoreClock {
  private let time = Mutex(Duration.seconds(UnixTime.now.seconds))

  var now: Duration { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
