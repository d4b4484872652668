// The state of a Live Activity, sealed by a backend and opened by the widget.

import PushReceiver
import PushSealer

/// The backend: what stays visible is the event and its times.
func update(
  _ score: [Int], at time: UnixTime, topic: Topic, signingKey: SigningKey, to recipient: Recipient
) throws -> SealedPush {
  let policy = SealingPolicy(pushType: .liveActivity)
  let state: JSONObject = ["score": .array(score.map { .number(JSONNumber($0)) })]
  var push = RemoteNotification()
  push.liveActivity = LiveActivity(.update, timestamp: time, contentState: state)
  return try Sealer(topic: topic, signingKey: signingKey, policy: policy).seal(push, to: recipient, at: time)
}

/// The widget: the app's `ContentState` has the envelope alone.
struct ContentState: Codable, Hashable, Sendable {
  let ENCRYPTED_DATA: String

  /// What the backend sealed; a widget shows a placeholder when this throws.
  func score(with receiver: Receiver) throws -> [Int] {
    let message = try receiver.openData(.text(ENCRYPTED_DATA), as: .liveActivity)
    let score = message.notification.liveActivity?.contentState?["score"]?.array ?? []
    return score.compactMap { $0.number?.integer.map(Int.init) }
  }
}
