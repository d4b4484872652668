import SealedPush
import PushKeys
import PushCore
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// What cannot be opened is shown as the placeholder, and never as the original.
@Suite(.hangGuard)
struct DegradeTests {
  private struct Failure: Error {}

  private let phone = Phone()
  private let screen = Screen()

  private func expectPlaceholder(_ content: UNNotificationContent, title: String = "outer") {
    #expect(content.title == title)
    #expect(content.body == "(Encrypted)")
    #expect(content.sound == .default)
    content.expectBare()
  }

  @Test("keys that cannot be read give the placeholder, and the envelope stays for the app")
  func locked() async throws {
    let request = try phone.request().dressedUp()
    let service = TestService { [phone] _ in phone.receiver(keys: LockedKeyStore()) }
    let content = await screen.wait(for: service, request)
    expectPlaceholder(content)
    #expect(Set(content.userInfo.keys) == ["ENCRYPTED_DATA"])
    let envelope = content.userInfo["ENCRYPTED_DATA"] as? String
    #expect(envelope != nil)
    #expect(envelope == request.content.userInfo["ENCRYPTED_DATA"] as? String)
  }

  @Test("a service that has no receiver hears why")
  func noReceiver() async throws {
    let service = FailingService()
    let content = await screen.wait(for: service, try phone.request())
    #expect(content.body == "(Encrypted)")
    #expect(service.errors.count == 1)
    #expect(service.errors.first is FailingService.NoGroup)
  }

  @Test(
    "without an envelope there is the placeholder, and nothing for the app",
    arguments: [
      #"{"aps":{"alert":{"title":"t","body":"b"},"mutable-content":1}}"#,
      #"{"aps":{"alert":{"title":"t","body":"b"}},"ENCRYPTED_DATA":42}"#,
      #"{"aps":{"alert":{"title":"t","body":"b"}},"ENCRYPTED_DATA":null}"#,
      #"{"aps":{"alert":{"title":"t","body":"b"}},"ENCRYPTED_DATA":{"v":1}}"#,
    ])
  func noEnvelope(json: String) async throws {
    let request = UNNotificationRequest.pushed(try JSONObject(parsing: Array(json.utf8).span))
    let service = TestService { [phone] _ in phone.receiver() }
    let content = await screen.wait(for: service, try request.dressedUp())
    expectPlaceholder(content)
    #expect(content.userInfo.isEmpty)
  }

  @Test("a title of the app's choice replaces the visible one")
  func fixedTitle() async throws {
    let service = TestService { [phone] _ in
      phone.receiver(keys: LockedKeyStore(), bestAttempt: .fixed(title: "Chat"))
    }
    expectPlaceholder(await screen.wait(for: service, try phone.request().dressedUp()), title: "Chat")
  }

  @Test("if the receiver cannot be made the placeholder is shown, and the envelope stays for the app")
  func makeReceiverThrows() async throws {
    let request = try phone.request().dressedUp()
    let content = await screen.wait(for: TestService { _ in throw Failure() }, request)
    expectPlaceholder(content)
    #expect(Set(content.userInfo.keys) == ["ENCRYPTED_DATA"])
  }

  @Test("a service that overrides nothing shows the placeholder")
  func nothingOverridden() async throws {
    let service = SealedNotificationService()
    #expect(throws: ServiceError.noReceiver) { try service.makeReceiver() }
    expectPlaceholder(await screen.wait(for: service, try phone.request().dressedUp()))
  }

  @Test("one request without a receiver does not spoil the next")
  func recovers() async throws {
    var isFirst = true
    let service = TestService { [phone] _ in
      defer { isFirst = false }
      if isFirst { throw KeyStoreError.locked }
      return phone.receiver()
    }
    expectPlaceholder(await screen.wait(for: service, try phone.request().dressedUp()))
    let opened = await screen.wait(for: service, try phone.request())
    #expect(opened.body == "Lunch?")
  }
}

/// An extension whose app group is missing.
private final class FailingService: SealedNotificationService {
  struct NoGroup: Error {}

  private(set) var errors: [any Error] = []

  override func makeReceiver() throws -> Receiver { throw NoGroup() }

  override func didFailToMakeReceiver(_ error: any Error) { errors.append(error) }
}
