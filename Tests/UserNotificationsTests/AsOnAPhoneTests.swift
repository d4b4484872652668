import Foundation
import TestSupport
import Testing
import UserNotifications

@Suite("one source for both", .hangGuard)
struct AsOnAPhoneTests {
  private final class Intent: NSObject, UNNotificationContentProviding {}

  private func push(category: String = "") -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = "Hi"
    content.body = "Text"
    content.categoryIdentifier = category
    content.interruptionLevel = .timeSensitive
    return UNNotificationRequest(identifier: "1", content: content, trigger: UNPushNotificationTrigger())
  }

  private func notification(category: String = "") -> UNNotification {
    UNNotification(date: Date(timeIntervalSince1970: 1), request: push(category: category))
  }

  private func handedOver(by service: NotificationService) -> UNNotificationContent? {
    var handed: UNNotificationContent?
    service.didReceive(push()) { handed = $0 }
    return handed
  }

  @Test("an extension hands over what it made")
  func service() {
    let content = handedOver(by: NotificationService())
    #expect(content?.subtitle == "time-sensitive")
    #expect(content?.userInfo["opened"] as? Bool == true)
    #expect(content is UNMutableNotificationContent)
    let title = LocalizedUserNotificationString.resolve(content?.title ?? "") { "\($0): \($1)" }
    #expect(title == #"FROM %@: ["Anna"]"#)
  }

  @Test("an extension that updates from an intent hands over a content that cannot be changed")
  func updating() throws {
    let service = NotificationService()
    service.intent = Intent()
    let content = try #require(handedOver(by: service))
    #expect(!(content is UNMutableNotificationContent))
    #expect(content == service.bestAttemptContent)
  }

  @Test("an attachment that is not there is caught by its code")
  func missingPicture() {
    let service = NotificationService()
    service.picture = URL(fileURLWithPath: "/nowhere/a.png")
    #expect(handedOver(by: service)?.body == "Text (no picture)")
    #expect(service.bestAttemptContent?.attachments.isEmpty == true)
  }

  @Test("an attachment of no known type is caught by its case")
  func unknownPicture() throws {
    let folder = try TemporaryFolder()
    let service = NotificationService()
    service.picture = try folder.file("a.bin")
    #expect(handedOver(by: service)?.body == "Text (unknown picture)")
  }

  @Test("time is up: the best attempt is handed over")
  func expiry() {
    let service = NotificationService()
    var handed: [UNNotificationContent] = []
    let request = UNNotificationRequest(identifier: "1", content: UNNotificationContent(), trigger: nil)
    service.didReceive(request) { handed.append($0) }
    #expect(handed.isEmpty)
    service.serviceExtensionTimeWillExpire()
    #expect(handed == [UNNotificationContent()])
  }

  @Test("an extension that overrides nothing hands back the original")
  func template() {
    var handed: UNNotificationContent?
    let request = push()
    UNNotificationServiceExtension().didReceive(request) { handed = $0 }
    #expect(handed === request.content)
  }

  @Test("a handler hears the action and the text")
  func responses() {
    let handler = ResponseHandler()
    let center = UNUserNotificationCenter(categories: [])
    handler.register(with: center)
    let notification = notification()
    let responses = [
      UNNotificationResponse(
        notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier),
      UNNotificationResponse(
        notification: notification, actionIdentifier: UNNotificationDismissActionIdentifier),
      UNNotificationResponse(notification: notification, actionIdentifier: "DELETE"),
      UNTextInputNotificationResponse(
        notification: notification, actionIdentifier: "REPLY", userText: "Yes"),
    ]
    for response in responses {
      center.delegate?.userNotificationCenter(center, didReceive: response, withCompletionHandler: {})
    }
    #expect(handler.heard == ["open Hi", "dismiss Hi", "DELETE", "reply Yes"])
  }

  @Test(
    "the form with a handler asks an asynchronous delegate",
    arguments: ["MESSAGE": [.banner, .list, .sound], "": UNNotificationPresentationOptions.badge])
  func presentation(category: String, expected: UNNotificationPresentationOptions) async {
    #expect(await presented(category, to: AsynchronousHandler()) == expected)
  }

  @Test("a delegate that says nothing lets nothing appear")
  func silentDelegate() async {
    #expect(await presented("MESSAGE", to: MainActorHandler()) == [])
  }

  private func presented(
    _ category: String, to delegate: any UNUserNotificationCenterDelegate
  ) async -> UNNotificationPresentationOptions {
    await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        UNUserNotificationCenter(categories: []), willPresent: notification(category: category),
        withCompletionHandler: { continuation.resume(returning: $0) })
    }
  }

  @Test("the handler of a response is called after an asynchronous delegate is done")
  @MainActor
  func asynchronousResponse() async {
    let handler = MainActorHandler()
    await withCheckedContinuation { continuation in
      let response = UNNotificationResponse(notification: notification(), actionIdentifier: "A")
      handler.userNotificationCenter(
        UNUserNotificationCenter(categories: []), didReceive: response,
        withCompletionHandler: { continuation.resume() })
    }
    #expect(handler.opened == 1)
  }

  @Test("the handler of a response is called if the delegate does not care")
  func silentResponse() async {
    let delegate: any UNUserNotificationCenterDelegate = AsynchronousHandler()
    await withCheckedContinuation { continuation in
      delegate.userNotificationCenter(
        UNUserNotificationCenter(categories: []),
        didReceive: UNNotificationResponse(notification: notification(), actionIdentifier: "A"),
        withCompletionHandler: { continuation.resume() })
    }
  }

  @Test("an app tells errors apart")
  func errors() {
    #expect(advice(UNError(.notificationsNotAllowed)) == "ask")
    #expect(advice(UNError(.attachmentInvalidURL)) == "download again")
    #expect(advice(UNError(.attachmentCorrupt)) == "leave it out")
    #expect(advice(CancellationError()) == "not ours")
  }
}
