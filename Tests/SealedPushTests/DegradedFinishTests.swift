import Foundation
import PushCore
import PushHost
import PushKeys
import PushReceiver
import PushTesting
import SealedPush
import TestSupport
import Testing
import UserNotifications

/// The app's last word on a notification that did not open.
@Suite(.hangGuard)
struct DegradedFinishTests {
  private let phone = Phone()
  private let screen = Screen()

  private func service(
    keys: any DeviceKeyStore = LockedKeyStore(),
    finish: @escaping @Sendable (UNMutableNotificationContent, DegradeReason) async -> UNNotificationContent
  ) -> PlaceholderService {
    let receiver = phone.receiver(keys: keys)
    return PlaceholderService({ receiver }, finish)
  }

  @Test("it gets the placeholder and the reason, and its content is shown")
  func changed() async throws {
    let service = service { content, reason in
      content.body += " \(reason.rawValue)"
      content.badge = 3
      return content
    }
    let content = await screen.wait(for: service, try phone.request())
    #expect(content.body == "(Encrypted) key-locked")
    #expect(content.badge == 3)
  }

  @Test("it sees nothing of the visible notification but what the best attempt keeps")
  func nothingFromOutside() async throws {
    let visible = UNMutableNotificationContent()
    (visible.title, visible.subtitle, visible.body) = ("Outer", "a subtitle", "a body")
    (visible.threadIdentifier, visible.categoryIdentifier, visible.badge) = ("a thread", "a category", 7)
    visible.userInfo = ["ENCRYPTED_DATA": "AQ", "more": "a canary"]
    let service = service { content, _ in content }
    let request = UNNotificationRequest(identifier: "1", content: visible, trigger: nil)
    let content = await screen.wait(for: service, request)
    #expect([content.title, content.subtitle, content.body] == ["Outer", "", "(Encrypted)"])
    #expect([content.threadIdentifier, content.categoryIdentifier] == ["", ""])
    #expect(content.badge == nil)
    #expect(content.userInfo as? [String: String] == ["ENCRYPTED_DATA": "AQ"])
  }

  @Test("with Apple's entitlement an empty content shows nothing", arguments: [true, false])
  func nothing(mayFilter: Bool) async throws {
    var device = PushHost.Phone()
    device.mayFilter = mayFilter
    let receiver = phone.receiver(keys: LockedKeyStore())
    let host = ExtensionHost(clock: phone.clock, phone: device) {
      PlaceholderService({ receiver }) { _, _ in UNNotificationContent() }
    }
    let shown = try await host.push(phone.sealed(payload: ["aps": ["alert": "Lunch?"]])).shown(
      admitsPlaceholder: true)
    #expect(shown.isVisible == !mayFilter)
  }

  @Test("it is not asked about what opened")
  func opened() async throws {
    let service = service(keys: phone.device) { content, _ in
      Issue.record("the message opened")
      return content
    }
    #expect(await screen.wait(for: service, try phone.request()).body == "Lunch?")
  }

  @Test("at the deadline it has the last word, too")
  func deadline() async throws {
    let stalled = StalledKeyStore(phone.device)
    let service = service(keys: stalled) { content, reason in
      content.subtitle = reason.rawValue
      return content
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    await phone.clock.waitForSleepers()
    phone.clock.advance(by: Receiver.softDeadline)
    #expect(await screen.next().subtitle == "deadline")
    stalled.release()
  }

  @Test("if it does not end within half a second of the deadline, the placeholder is shown unchanged")
  func deadlineWithoutEnd() async throws {
    let (stalled, begun) = (StalledKeyStore(phone.device), Signal())
    let service = service(keys: stalled) { content, _ in
      content.subtitle = "changed"
      begun.fire()
      await Signal().wait()
      return content
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    await phone.clock.waitForSleepers()
    phone.clock.advance(by: Receiver.softDeadline)
    await begun.wait()
    #expect(screen.contents.isEmpty)
    await phone.clock.waitForSleepers()
    phone.clock.advance(by: .milliseconds(500))
    #expect(await screen.next().subtitle == "(Encrypted)")
    stalled.release()
  }

  @Test("when the system says that time is up first, the placeholder is shown without it")
  func expiry() async throws {
    let begun = Signal()
    let service = service { content, _ in
      content.body = "too late"
      begun.fire()
      await Signal().wait()
      return content
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    await begun.wait()
    service.serviceExtensionTimeWillExpire()
    #expect(screen.contents.map(\.body) == ["(Encrypted)"])
  }

  @Test("without a receiver it gets the placeholder, and its content is shown")
  func withoutReceiver() async throws {
    let service = PlaceholderService({ throw ServiceError.noReceiver }) { content, reason in
      content.body = "Open the app (\(reason.rawValue))"
      return content
    }
    let content = await screen.wait(for: service, try phone.request())
    #expect(content.body == "Open the app (key-locked)")
  }
}

/// An extension that finishes placeholders as the test says.
private final class PlaceholderService: SealedNotificationService {
  private let receiver: () throws -> Receiver
  private let body: @Sendable (UNMutableNotificationContent, DegradeReason) async -> UNNotificationContent

  init(
    _ receiver: @escaping () throws -> Receiver,
    _ body:
      @escaping @Sendable (UNMutableNotificationContent, DegradeReason) async -> UNNotificationContent
  ) {
    self.receiver = receiver
    self.body = body
  }

  override func makeReceiver() throws -> Receiver { try receiver() }

  override func finish(
    _ content: UNMutableNotificationContent, degraded reason: DegradeReason
  ) async -> UNNotificationContent {
    await body(content, reason)
  }
}
