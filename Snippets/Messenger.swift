// What a messenger's backend and its extension do beyond showing a text.

import PushSealer
import SealedPushExtension
import UserNotifications

// snippet.hide
/// The messenger's own store, which app and extension share.
struct ChatStore: Sendable {
  struct Chat: Sendable {
    var isMuted = false
    var sound: Sound?
  }

  func chat(_ id: String) async throws -> Chat { Chat() }
  func unread() async throws -> Int { 0 }
  func decrypt(_ bytes: [UInt8], once id: MessageID) async throws -> (sender: String, text: String) {
    ("", "")
  }
}

/// The time of the day in minutes after midnight, where the person is.
@Sendable func minuteOfTheDay() -> Int { 0 }

// snippet.show
/// The extension of a messenger.
nonisolated final class MessengerService: SealedNotificationService {
  private let store = ChatStore()

  override func makeReceiver() throws -> Receiver {
    let shared = try Self.shared()
    var receiver = shared.receiver
    receiver.steps = [.text(from: store), .attachments(into: shared.attachments), .settings(in: store)]
    receiver.observers = shared.observers
    return receiver
  }

  nonisolated(nonsending) override func conversation(
    of content: UNNotificationContent, opened: Opened
  ) async -> Conversation? {
    guard let sender = content.userInfo["sender"] as? String else { return nil }
    return Conversation(
      id: content.threadIdentifier, senderID: sender, senderName: content.title,
      avatar: content.userInfo["avatar"] == nil ? nil : .attachment(0))
  }

  // Needs Apple's filtering entitlement; without it, leave this out, and give such a message a text to show.
  nonisolated(nonsending) override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    opened.changes.removes.isEmpty ? content : UNNotificationContent()
  }

  nonisolated(nonsending) override func finish(
    _ content: UNMutableNotificationContent, degraded reason: DegradeReason
  ) async -> UNNotificationContent {
    guard reason == .keyLocked, let missed = try? Self.shared().missed else { return content }
    content.body = Self.youMayHaveMessages
    // One notice for all that came before the first unlock; the others make no sound.
    if !missed.isFirst(since: BootSession.current) { content.sound = nil }
    return content
  }
}

nonisolated extension EnrichmentStep {
  /// The text of a message that the backend cannot read: the ciphertext of MLS or Signal, or a protobuf.
  static func text(from store: ChatStore) -> EnrichmentStep {
    .reading { bytes, message in
      let opened = try await store.decrypt(bytes, once: message.opened.claims.messageID)
      return RemoteNotification(
        title: opened.sender, body: opened.text, sound: .default,
        threadID: message.notification.threadID, custom: ["sender": .string(opened.sender)])
    }
  }

  /// What the person has set: muted chats, quiet hours, a chat's own sound, and the number of unread messages.
  static func settings(in store: ChatStore) -> EnrichmentStep {
    .rules(at: minuteOfTheDay) { message in
      let chat = try await store.chat(message.notification.threadID ?? "")
      var rules = NotificationRules()
      rules.isMuted = chat.isMuted
      rules.sound = chat.sound
      rules.badge = try await store.unread()
      rules.quietHours = QuietHours(from: 22 * 60, to: 7 * 60)
      return rules
    }
  }
}

/// The backend: an edited message takes the place of the first one.
func edited(_ text: String, of first: MessageID, by name: String) -> RemoteNotification {
  RemoteNotification(title: name, body: text, interruptionLevel: .passive).replacing(first)
}

/// The backend: messages that were read on another device, or deleted, as a background push.
func gone(_ messages: [MessageID]) -> RemoteNotification {
  RemoteNotification(otherAPS: ["content-available": 1]).removing(messages)
}

/// The backend: a message that it cannot read itself, with the text that shows where it cannot be read either.
func unread(_ ciphertext: [UInt8], in chat: String) -> RemoteNotification {
  RemoteNotification(title: "Chat", body: "New message", sound: .default, threadID: chat).carrying(ciphertext)
}

// snippet.hide
nonisolated extension MessengerService {
  static let youMayHaveMessages = "You may have new messages. Unlock your phone to read them."

  static func shared() throws -> SharedPush {
    let (topic, audience) = (try Topic("com.example.app"), try Audience("https://push.example.com"))
    #if canImport(Security)
      return try SharedPush(topic: topic, audience: audience, appGroup: "group.com.example.app")
    #else
      let roots = try PublicKeyFile(path: "roots.jwks").load()
      return SharedPush(
        topic: topic, audience: audience, folder: ".", keys: KeyFile(path: "device.jwks"), roots: roots)
    #endif
  }
}
