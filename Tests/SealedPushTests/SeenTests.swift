import PushCore
import PushHost
import PushReceiver
import PushSealer
import PushTesting
import SealedPush
import TestSupport
import Testing
import UserNotifications

/// A message that the app has shown by itself, because it came by the app's own connection.
@Suite(.hangGuard)
struct SeenTests {
  private let phone = Phone()
  private let id = MessageID.random()

  private func shown(
    _ duplicates: DuplicateRule = .quietly, mayFilter: Bool = false
  ) async throws -> ShownNotification {
    let receiver = phone.receiver(duplicates: duplicates)
    var device = PushHost.Phone()
    device.mayFilter = mayFilter
    let host = ExtensionHost(clock: phone.clock, phone: device) { TestService { _ in receiver } }
    var notification = RemoteNotification(title: "Ada", body: "Lunch?")
    notification.sound = .default
    let sealer = Sealer(topic: Phone.topic, signingKey: try phone.backend.signingKey())
    let push = try sealer.seal(
      notification, to: phone.device.publicKeys.recipient(), messageID: id, at: Phone.now)
    return try await host.deliver(push.payload)
  }

  @Test("its push makes no sound")
  func quietly() async throws {
    try phone.replay.markSeen(id, at: Phone.now)
    let shown = try await shown()
    #expect(shown.body == "Lunch?")
    #expect(shown.content.sound == nil)
  }

  @Test("with Apple's entitlement its push is not shown")
  func suppressed() async throws {
    try phone.replay.markSeen(id, at: Phone.now)
    #expect(try await !shown(.suppress, mayFilter: true).isVisible)
  }

  @Test("another message's push is shown as ever")
  func another() async throws {
    try phone.replay.markSeen(.random(), at: Phone.now)
    #expect(try await shown(.suppress, mayFilter: true).content.sound == .default)
  }
}
