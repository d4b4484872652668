// Written as for a phone: every line of this file compiles there too.

import Foundation
import UserNotifications

/// A service extension as Apple's template has it, with an attachment and a sender.
class NotificationService: UNNotificationServiceExtension {
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttemptContent: UNMutableNotificationContent?
  var picture: URL?
  var intent: (any UNNotificationContentProviding)?

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
    guard let bestAttemptContent, request.trigger is UNPushNotificationTrigger else { return }

    bestAttemptContent.title = NSString.localizedUserNotificationString(
      forKey: "FROM %@", arguments: ["Anna"])
    bestAttemptContent.subtitle = levelName(bestAttemptContent.interruptionLevel)
    bestAttemptContent.badge = 3
    bestAttemptContent.sound = UNNotificationSound(named: UNNotificationSoundName("ping.caf"))
    bestAttemptContent.categoryIdentifier = "MESSAGE"
    bestAttemptContent.threadIdentifier = "anna"
    bestAttemptContent.launchImageName = "Launch"
    bestAttemptContent.filterCriteria = "work"
    bestAttemptContent.relevanceScore = 0.5
    bestAttemptContent.userInfo["opened"] = true
    if let picture {
      do {
        let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsThumbnailHiddenKey: false]
        bestAttemptContent.attachments = [
          try UNNotificationAttachment(identifier: "picture", url: picture, options: options)
        ]
      } catch let error as UNError where error.code == .attachmentInvalidURL {
        bestAttemptContent.body += " (no picture)"
      } catch UNError.attachmentUnrecognizedType {
        bestAttemptContent.body += " (unknown picture)"
      } catch {
        bestAttemptContent.body += " (\(error.localizedDescription))"
      }
    }
    guard let intent, let updated = try? bestAttemptContent.updating(from: intent) else {
      contentHandler(bestAttemptContent)
      return
    }
    contentHandler(updated)
  }

  override func serviceExtensionTimeWillExpire() {
    if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
  }

  private func levelName(_ level: UNNotificationInterruptionLevel) -> String {
    switch level {
    case .passive: "passive"
    case .active: "active"
    case .timeSensitive: "time-sensitive"
    case .critical: "critical"
    @unknown default: "other"
    }
  }
}

/// A handler of responses, with Apple's handlers.
final class ResponseHandler: NSObject, UNUserNotificationCenterDelegate {
  var heard: [String] = []

  func register(with center: UNUserNotificationCenter) {
    let reply = UNTextInputNotificationAction(
      identifier: "REPLY", title: "Reply", options: [.authenticationRequired], textInputButtonTitle: "Send",
      textInputPlaceholder: "Message")
    let delete = UNNotificationAction(
      identifier: "DELETE", title: "Delete", options: [.destructive, .foreground],
      icon: UNNotificationActionIcon(systemImageName: "trash"))
    let category = UNNotificationCategory(
      identifier: "MESSAGE", actions: [reply, delete], intentIdentifiers: [],
      hiddenPreviewsBodyPlaceholder: "Message", options: .customDismissAction)
    center.setNotificationCategories([category])
    center.delegate = self
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let title = response.notification.request.content.title
    switch response.actionIdentifier {
    case UNNotificationDefaultActionIdentifier: heard.append("open \(title)")
    case UNNotificationDismissActionIdentifier: heard.append("dismiss \(title)")
    case "REPLY":
      if let text = (response as? UNTextInputNotificationResponse)?.userText {
        heard.append("reply \(text)")
      }
    default: heard.append(response.actionIdentifier)
    }
    completionHandler()
  }
}

/// A handler that is asynchronous.
final class AsynchronousHandler: NSObject, UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    notification.request.content.categoryIdentifier == "MESSAGE" ? [.banner, .list, .sound] : [.badge]
  }
}

/// A handler on the main actor, whose methods are not.
@MainActor
final class MainActorHandler: NSObject, UNUserNotificationCenterDelegate {
  var opened = 0

  nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    await open()
  }

  private func open() { opened += 1 }
}

/// What an app may do with an error.
func advice(_ error: any Error) -> String {
  guard let error = error as? UNError else { return "not ours" }
  switch error.code {
  case .notificationsNotAllowed: return "ask"
  case .attachmentInvalidURL, .attachmentNotInDataStore: return "download again"
  default: return "leave it out"
  }
}
