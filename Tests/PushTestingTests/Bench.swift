import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting

/// A backend and a phone that know each other.
struct Bench: Sendable {
  static let topic = (try? Topic("com.example.app"))!
  static let now = UnixTime(seconds: 1_700_000_000)!

  let device = KeySet(generating: .device, at: now)
  let backend = KeySet(generating: .sender, at: now)

  func receiver(keys: (any DeviceKeyStore)? = nil, clock: any PushClock = ManualClock(now)) -> Receiver {
    Receiver(topic: Self.topic, keys: keys ?? device, senders: (try? backend.publicKeys)!, clock: clock)
  }

  func sealed(_ notification: RemoteNotification = RemoteNotification(title: "Ada", body: "Lunch?")) throws
    -> JSONObject
  {
    let sealer = Sealer(topic: Self.topic, signingKey: try backend.signingKey())
    let push = try sealer.seal(notification, to: device.publicKeys.recipient(), at: Self.now)
    return try JSONObject(parsing: push.payload.span)
  }

  /// A sealed payload whose `aps` was changed on the way.
  func sealed(changing change: (inout JSONObject) -> Void) throws -> JSONObject {
    var payload = try sealed()
    var aps = payload["aps"]?.object ?? [:]
    change(&aps)
    payload["aps"] = .object(aps)
    return payload
  }
}
