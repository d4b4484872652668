import Intents
import SealedPushExtension
import UserNotifications

/// Opens each push before it is shown.
///
/// `Info.plist` names this class.
final class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    let shared = try Shared()
    var receiver = shared.receiver
    receiver.steps = [.attachments(into: shared.folder.path(of: "attachments"))]
    receiver.observers = [Shared.systemLog, shared.log, shared.tally, shared.kept]
    return receiver
  }

  override func didFailToMakeReceiver(_ error: any Error) { Shared.systemLog.observe(noReceiver: error) }

  /// Makes a communication notification of a message whose sealed payload has the member `sender`.
  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    guard let sender = content.userInfo["sender"] as? String else { return content }
    let intent = Self.intent(sender, named: content.title, in: content.threadIdentifier)
    let interaction = INInteraction(intent: intent, response: nil)
    interaction.direction = .incoming
    try? await interaction.donate()
    return (try? content.updating(from: intent)) ?? content
  }

  /// Says what to do about a message that does not open before the phone is first unlocked.
  override func finish(
    _ content: UNMutableNotificationContent, degraded reason: DegradeReason
  ) async -> UNNotificationContent {
    if reason == .keyLocked { content.body = AppBundleStrings().text(forKey: "UNLOCK", arguments: []) }
    return content
  }

  /// The system keeps what it is given here, so the text is not in it.
  private static func intent(_ sender: String, named name: String, in chat: String) -> INSendMessageIntent {
    let person = INPerson(
      personHandle: INPersonHandle(value: sender, type: .unknown), nameComponents: nil, displayName: name,
      image: nil, contactIdentifier: nil, customIdentifier: sender)
    return INSendMessageIntent(
      recipients: nil, outgoingMessageType: .outgoingMessageText, content: nil, speakableGroupName: nil,
      conversationIdentifier: chat, serviceName: nil, sender: person, attachments: nil)
  }
}
