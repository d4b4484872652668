import SealedPushExtension
import UserNotifications

/// Opens each push before it is shown.
///
/// `Info.plist` names this class.
final class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    let shared = try SharedPush.lunch()
    var receiver = shared.receiver
    receiver.steps = [.attachments(into: shared.attachments)]
    receiver.observers = shared.observers + [SharedPush.systemLog]
    receiver.appIsInFront = { SharedPush.presence.appIsInFront }
    return receiver
  }

  override func didFailToMakeReceiver(_ error: any Error) { SharedPush.systemLog.observe(noReceiver: error) }

  /// Makes a communication notification of a message whose sealed payload has the member `sender`; its first attachment is the
  /// sender's picture if it has the member `avatar`, too.
  override func conversation(of content: UNNotificationContent, opened: Opened) async -> Conversation? {
    guard let sender = content.userInfo["sender"] as? String else { return nil }
    return Conversation(
      id: content.threadIdentifier, senderID: sender, senderName: content.title,
      avatar: content.userInfo["avatar"] == nil ? nil : .attachment(0))
  }

  #if DEBUG
    /// Shows which keys the extension has, if the sealed payload has the member `probe`.
    override func finish(
      _ content: UNMutableNotificationContent, opened: Opened
    ) async -> UNNotificationContent {
      if content.userInfo["probe"] != nil { content.body = Probe.text }
      return content
    }
  #endif

  /// Says once what to do about messages that do not open before the phone is first unlocked.
  override func finish(
    _ content: UNMutableNotificationContent, degraded reason: DegradeReason
  ) async -> UNNotificationContent {
    if reason == .keyLocked, let shared = try? SharedPush.lunch(),
      shared.missed.isFirst(since: BootSession.current)
    {
      content.body = AppBundleStrings().text(forKey: "UNLOCK", arguments: [])
    }
    return content
  }
}
