import PushEnrolment
import PushTesting
import SealedPushExtension
import TestSupport
import Testing
import UserNotifications

/// What an extension does, with one import of the package.
@Suite struct ExtensionTests {
  @Test func anExtensionShowsAPush() async throws {
    let folder = try TemporaryFolder()
    let (backend, topic) = (try Backend(), try Topic("com.example.app"))
    let keys = KeyFolder(path: folder.path)
    let token = try DeviceToken("00ff")
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: token)
    let enrolment = try keys.enrol(address: address, for: backend.audience)
    var receiver = Receiver(
      topic: topic, keys: keys, senders: try backend.senders, replay: InMemoryReplayStore())
    receiver.steps = [.attachments(into: folder.path(of: "attachments"))]
    receiver.observers = [DiagnosticsLog(path: folder.path(of: "log.json"))]

    let host = ExtensionHost(clock: ManualClock(.now)) { [receiver] in Service(receiver) }
    let shown = try await host.deliver(try backend.push("Lunch at noon?", to: enrolment.keys.recipient()))
    #expect(shown.body == "Lunch at noon?")
    #expect(shown.title == "Ada, signed")
  }
}

/// An app's extension, with a receiver of the test's.
private final class Service: SealedNotificationService {
  private let receiver: Receiver

  init(_ receiver: Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { receiver }

  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    if opened.sender != nil { content.title += ", signed" }
    return content
  }
}
