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

  /// What the backend sealed, or a newer score that was shown before; a widget shows a placeholder when this throws.
  ///
  /// `activity` is `context.activityID`, and `states` a file in the folder that the app shares with its widget.
  func score(of activity: String, in states: ActivityStates, with receiver: Receiver) throws -> [Int] {
    let message = try states.open(ENCRYPTED_DATA, of: activity, with: receiver)
    return try message.notification.liveActivity?.contentState?.decode(as: Game.self).score ?? []
  }
}
