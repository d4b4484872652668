import Foundation
import PushAttachments
import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// The app's last word on an opened notification.
@Suite(.hangGuard)
struct FinishTests {
  private let phone = Phone()
  private let screen = Screen()

  private func shown(
    _ request: UNNotificationRequest? = nil, keys: (any DeviceKeyStore)? = nil,
    finish: @escaping (UNMutableNotificationContent, Opened) async -> UNNotificationContent
  ) async throws -> UNNotificationContent {
    let service = FinishingService(phone.receiver(keys: keys), finish)
    return await screen.wait(for: service, try request ?? phone.request())
  }

  @Test("a changed content is shown")
  func changed() async throws {
    let content = try await shown { content, _ in
      content.body += " (edited)"
      return content
    }
    #expect(content.body == "Lunch? (edited)")
  }

  @Test("a new content is shown")
  func new() async throws {
    let content = try await shown { content, opened in
      let new = UNMutableNotificationContent()
      new.title = "from \(opened.sender == nil ? "nobody" : "somebody")"
      return new
    }
    #expect(content.title == "from somebody")
    #expect(content.body.isEmpty)
  }

  @Test("it comes after the steps")
  func afterSteps() async throws {
    var receiver = phone.receiver()
    receiver.steps = [EnrichmentStep("name") { content, _ in content.body += " 1" }]
    let service = FinishingService(receiver) { content, _ in
      content.body += " 2"
      return content
    }
    #expect(await screen.wait(for: service, try phone.request()).body == "Lunch? 1 2")
  }

  @Test(
    "it is not asked about a duplicate that is hidden", arguments: [DuplicateRule.suppress, .placeholder])
  func hiddenDuplicate(rule: DuplicateRule) async throws {
    let service = FinishingService(phone.receiver(duplicates: rule)) { content, _ in
      content.body = "finished"
      return content
    }
    let request = try phone.request()
    #expect(await screen.wait(for: service, request).body == "finished")
    #expect(await screen.wait(for: service, request).body == (rule == .suppress ? "" : "(Encrypted)"))
  }

  @Test("it is not asked about what did not open")
  func degraded() async throws {
    let content = try await shown(keys: LockedKeyStore()) { _, _ in
      Issue.record("nothing was opened")
      return UNNotificationContent()
    }
    #expect(content.body == "(Encrypted)")
  }

  @Test("when the time is over first, the opened text is shown without it, and it is cancelled")
  func tooLate() async throws {
    let (begun, cancelled) = (Signal(), Signal())
    let service = FinishingService(phone.receiver()) { content, _ in
      content.body = "too late"
      begun.fire()
      let never = Signal()
      await withTaskCancellationHandler {
        await never.wait()
      } onCancel: {
        cancelled.fire()
      }
      return content
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    await begun.wait()
    service.serviceExtensionTimeWillExpire()
    await cancelled.wait()
    #expect(screen.contents.map(\.body) == ["Lunch?"])
  }

  @Test("an attachment that it leaves out is removed, and one that it keeps is not")
  func attachments() async throws {
    for isKept in [true, false] {
      let path = NSTemporaryDirectory() + "/finish-\(UUID().uuidString).jpg"
      #expect(FileManager.default.createFile(atPath: path, contents: Data([1])))
      var receiver = phone.receiver()
      receiver.steps = [
        EnrichmentStep("picture") { content, _ in
          content.attachments = [ShownAttachment(identifier: "a", type: .jpeg, path: path)]
        }
      ]
      let service = FinishingService(receiver) { content, _ in
        if !isKept { content.attachments = [] }
        return content
      }
      let content = await Screen().wait(
        for: service, try phone.request(RemoteNotification(body: UUID().uuidString)))
      #expect(content.attachments.count == (isKept ? 1 : 0))
      try await expectFile(at: path, exists: isKept)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("an attachment whose path the system spells in another way is not removed")
  func attachmentUnderAnotherPath() async throws {
    let files = FileManager.default
    let name = UUID().uuidString
    let (folder, alias) = (
      NSTemporaryDirectory() + "/finish-\(name)", NSTemporaryDirectory() + "/alias-\(name)"
    )
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: alias, withDestinationPath: folder)
    defer { for path in [alias, folder] { try? files.removeItem(atPath: path) } }
    #expect(files.createFile(atPath: "\(folder)/a.jpg", contents: Data([1])))
    var receiver = phone.receiver()
    receiver.steps = [
      EnrichmentStep("picture") { content, _ in
        content.attachments = [ShownAttachment(identifier: "a", type: .jpeg, path: "\(folder)/a.jpg")]
      }
    ]
    let service = FinishingService(receiver) { content, _ in
      let url = URL(fileURLWithPath: "\(alias)/a.jpg")
      content.attachments = (try? UNNotificationAttachment(identifier: "a", url: url)).map { [$0] } ?? []
      return content
    }
    let content = await Screen().wait(
      for: service, try phone.request(RemoteNotification(body: UUID().uuidString)))
    #expect(content.attachments.count == 1)
    #expect(files.fileExists(atPath: "\(folder)/a.jpg"))
  }

  /// Waits until a file that goes has gone.
  private func expectFile(at path: String, exists: Bool) async throws {
    try await HangGuard.wait(while: !exists && FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.fileExists(atPath: path) == exists)
  }

  @Test("the receiver's deadline ends it, too")
  func deadline() async throws {
    let begun = Signal()
    let service = FinishingService(phone.receiver()) { content, _ in
      begun.fire()
      await Signal().wait()
      return content
    }
    service.didReceive(try phone.request(), withContentHandler: screen.show)
    await begun.wait()
    phone.clock.advance(by: Receiver.softDeadline)
    #expect(await screen.next().body == "Lunch?")
  }
}

/// An extension that finishes as the test says.
private final class FinishingService: SealedNotificationService {
  private let receiver: Receiver
  private let body: (UNMutableNotificationContent, Opened) async -> UNNotificationContent

  init(
    _ receiver: Receiver,
    _ body: @escaping (UNMutableNotificationContent, Opened) async -> UNNotificationContent
  ) {
    self.receiver = receiver
    self.body = body
  }

  override func makeReceiver() throws -> Receiver { receiver }

  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    await body(content, opened)
  }
}
