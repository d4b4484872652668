// The state of a Live Activity, sealed by a backend and opened by the widget.

import PushReceiver
import PushSealer

/// The app's own type, which is sealed.
struct Game: Codable {
  let score: [Int]
}

/// The backend: what stays visible is the event and its times.
func update(
  _ score: [Int], at time: UnixTime, topic: Topic, signingKey: SigningKey, to recipient: Recipient
) throws -> SealedNotification {
  let policy = SealingPolicy(pushType: .liveActivity)
  let activity = try LiveActivity(.update, timestamp: time, encoding: Game(score: score))
  let sealer = Sealer(topic: topic, signingKey: signingKey, policy: policy)
  return try sealer.seal(RemoteNotification(liveActivity: activity), to: recipient, at: time)
}

/// The widget: the app's `ContentState` has the envelope alone.
struct ContentState: Codable, Hashable, Sendable {
  let ENCRYPTED_DATA: String

  /// What the backend sealed; a widget shows a placeholder when this throws.
  func score(with receiver: Receiver) throws -> [Int] {
    let message = try receiver.openData(.text(ENCRYPTED_DATA), as: .liveActivity)
    return try message.notification.liveActivity?.contentState?.decode(as: Game.self).score ?? []
  }
}
