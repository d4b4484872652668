import Foundation
import Locks
import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import SealedPush
import UserNotifications

/// A phone, and a backend that knows it.
struct Phone: Sendable {
  static let topic = (try? Topic("com.example.app"))!
  static let now = UnixTime(seconds: 1_700_000_000)!

  let device = KeySet(generating: .device, at: now)
  let backend = KeySet(generating: .sender, at: now)
  let clock = ManualClock(now)
  let replay = InMemoryReplayStore()

  func receiver(
    keys: (any DeviceKeyStore)? = nil, bestAttempt: BestAttempt = .outerTitle,
    envelopeKey: EnvelopeKey = .default, accepts: AcceptedEnvelopes = .signed,
    duplicates: DuplicateRule = .quietly
  ) -> Receiver {
    Receiver(
      topic: Self.topic, keys: keys ?? device, senders: (try? backend.publicKeys)!, accepts: accepts,
      replay: replay, duplicates: duplicates, bestAttempt: bestAttempt, envelopeKey: envelopeKey, clock: clock
    )
  }

  /// The bytes that APNs gets of a sealed payload.
  func sealed(payload: JSONObject) throws -> [UInt8] {
    let sealer = Sealer(topic: Self.topic, signingKey: try backend.signingKey())
    return try sealer.seal(payload: payload, to: device.publicKeys.recipient(), at: Self.now).payload
  }

  /// What the system hands the extension of a sealed notification.
  func request(
    _ notification: RemoteNotification = RemoteNotification(title: "Ada", body: "Lunch?"),
    policy: SealingPolicy = SealingPolicy()
  ) throws -> UNNotificationRequest {
    let sealer = Sealer(topic: Self.topic, signingKey: try backend.signingKey(), policy: policy)
    let push = try sealer.seal(notification, to: device.publicKeys.recipient(), at: Self.now)
    return .pushed(try JSONObject(parsing: push.payload.span))
  }
}

extension UNNotificationRequest {
  /// A request as the system makes it of a payload, with `change` made to what it hands over.
  static func pushed(
    _ payload: JSONObject, _ change: (inout [AnyHashable: Any]) -> Void = { _ in }
  ) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    let object = try? JSONSerialization.jsonObject(with: Data(payload.encoded()))
    content.userInfo = object as? [AnyHashable: Any] ?? [:]
    change(&content.userInfo)
    let alert = payload["aps"]?.object?["alert"]?.object
    content.title = alert?["title"]?.string ?? ""
    content.body = alert?["body"]?.string ?? ""
    content.sound = payload["aps"]?.object?["sound"].map { _ in .default }
    return UNNotificationRequest(identifier: "a request", content: content, trigger: nil)
  }
}

/// An extension with a receiver of the test's choice.
final class TestService: SealedNotificationService {
  private let receiver: (TestService) throws -> Receiver

  init(_ receiver: @escaping (TestService) throws -> Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { try receiver(self) }
}

/// Keeps what the handlers were given, on whatever thread.
final class Screen: Sendable {
  /// Nobody changes a content that was handed over.
  private struct Shown: @unchecked Sendable {
    let content: UNNotificationContent
  }

  private let shown = Mutex<[Shown]>([])
  private let signal = Signal()

  var contents: [UNNotificationContent] { shown.withLock { $0 }.map(\.content) }

  func show(_ content: UNNotificationContent) {
    let content = Shown(content: content)
    shown.withLock { $0.append(content) }
    signal.fire()
  }

  /// Lets `service` handle `request`, and waits for what it hands over.
  func wait(
    for service: SealedNotificationService, _ request: UNNotificationRequest
  ) async -> UNNotificationContent {
    service.didReceive(request, withContentHandler: show)
    return await next()
  }

  /// Waits for one more content.
  func next() async -> UNNotificationContent {
    await signal.wait()
    return contents[contents.count - 1]
  }
}

/// A key store that tells when the last one who might use it has let it go.
final class Canary: DeviceKeyStore {
  private let keys: any DeviceKeyStore
  private let released: Signal

  init(_ keys: any DeviceKeyStore, released: Signal) {
    self.keys = keys
    self.released = released
  }

  deinit { released.fire() }

  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    try keys.deviceKey(for: id, at: now)
  }
}
