// A reply and "mark as read" from the notification: the app seals the answer to its backend's key.

import PushSealer
import SealedPush
import UserNotifications

/// The buttons of a message, which the app registers at its launch.
func chatCategory() -> UNNotificationCategory {
  UNNotificationCategory(
    identifier: "CHAT",
    actions: [
      UNTextInputNotificationAction(
        identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
        textInputPlaceholder: "Message"),
      UNNotificationAction(identifier: "READ", title: "Mark as read", options: []),
    ], intentIdentifiers: [], options: [])
}

/// Seals what a person answers to the app's backend, so that no proxy on the way can read it.
///
/// It is anonymous: that it comes from this person, the session says with which the app sends it.
struct Answers: Sendable {
  /// The app's bundle ID.
  let topic: Topic

  /// The backend's public keys, a set of role `device`, which is built into the app.
  let backend: PublicKeySet

  /// The body of the app's request; nil for a reaction that is no answer.
  func sealed(_ response: UNNotificationResponse) throws -> [UInt8]? {
    let content = response.notification.request.content
    guard let chat = content.userInfo["chat"] as? String else { return nil }
    var answer: JSONObject = ["chat": .string(chat)]
    switch response {
    case let reply as UNTextInputNotificationResponse: answer["text"] = .string(reply.userText)
    case _ where response.actionIdentifier == "READ": answer["read"] = .boolean(true)
    default: return nil
    }
    let sealer = Sealer.anonymous(topic: topic, policy: SealingPolicy(pushType: .background))
    let notification = RemoteNotification(otherAPS: ["content-available": 1], custom: answer)
    return try sealer.seal(notification, to: backend.recipient()).payload
  }
}

/// The backend opens it with its private keys; nil for an answer that came before, whoever has sent it again.
///
/// All its processes share the replay store.
func answer(
  in body: [UInt8], topic: Topic, keys: any DeviceKeyStore, senders: PublicKeySet, replay: any ReplayStore
) throws -> JSONObject? {
  let receiver = Receiver(
    topic: topic, keys: keys, senders: senders, accepts: AcceptedEnvelopes(anonymous: true), replay: replay)
  let message = try receiver.openData(EnvelopeField(data: JSONObject(parsing: body)), as: .background)
  return message.opened.isDuplicate ? nil : message.payload
}
