#if !canImport(Darwin)
  import Foundation
  import Locks
  import PushCore
  import PushEnrolment
  import PushHost
  import PushKeys
  import PushReceiver
  import PushTesting
  import SealedPush
  import TestSupport
  import Testing
  import UserNotifications

  /// A reply from the notification, which the app seals to its backend's key.
  @Suite("Answers from a notification", .hangGuard)
  struct ReplyTests {
    private let chat = Chat()
    private let backend = KeySet(generating: .device, at: Phone.now)

    /// What the backend reads of a reaction.
    private func read(_ reaction: Reaction) async throws -> JSONObject {
      let app = Messenger(backend: try backend.publicKeys)
      chat.host.center.delegate = app
      chat.host.setNotificationCategories([.chat])
      var message = RemoteNotification(title: "Ada", body: "Lunch?")
      message.category = "CHAT"
      message.custom["chat"] = "lunch"
      let shown = try await chat.deliver(message)
      try await chat.host.react(reaction, to: shown).handled()
      let body = try #require(app.sent.withLock { $0 }.first)
      #expect(!String(decoding: body, as: UTF8.self).contains("noon"))
      let receiver = Receiver(
        topic: Phone.topic, keys: backend, senders: try chat.phone.backend.publicKeys,
        accepts: AcceptedEnvelopes(anonymous: true), replay: InMemoryReplayStore())
      return try receiver.openData(EnvelopeField(data: JSONObject(parsing: body.span)), as: .background)
        .payload
    }

    @Test("a reply reaches the backend sealed, with the chat that the message named")
    func reply() async throws {
      let answer = try await read(.reply("REPLY", text: "At noon"))
      #expect(answer["chat"] == "lunch" && answer["text"] == "At noon")
    }

    @Test("so does that the message was read")
    func markAsRead() async throws {
      #expect(try await read(.press("READ"))["read"] == true)
    }
  }

  extension UNNotificationCategory {
    fileprivate static var chat: UNNotificationCategory {
      UNNotificationCategory(
        identifier: "CHAT",
        actions: [
          UNTextInputNotificationAction(
            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
            textInputPlaceholder: "Message"),
          UNNotificationAction(identifier: "READ", title: "Mark as read", options: []),
        ], intentIdentifiers: [], options: [])
    }
  }

  /// An app that seals its answers to its backend, as Snippets/Replying.swift does.
  private final class Messenger: NSObject, UNUserNotificationCenterDelegate {
    let sent = Mutex<[[UInt8]]>([])
    private let backend: PublicKeySet

    init(backend: PublicKeySet) { self.backend = backend }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
      if let body = try? sealed(response) { sent.withLock { $0.append(body) } }
      completionHandler()
    }

    private func sealed(_ response: UNNotificationResponse) throws -> [UInt8] {
      var answer: JSONObject = [
        "chat": .string(response.notification.request.content.userInfo["chat"] as? String ?? "")
      ]
      if let reply = response as? UNTextInputNotificationResponse { answer["text"] = .string(reply.userText) }
      if response.actionIdentifier == "READ" { answer["read"] = true }
      let sealer = Sealer.anonymous(topic: Phone.topic, policy: SealingPolicy(pushType: .background))
      let notification = RemoteNotification(otherAPS: ["content-available": 1], custom: answer)
      return try sealer.seal(notification, to: backend.recipient(), at: .now).payload
    }
  }
#endif
