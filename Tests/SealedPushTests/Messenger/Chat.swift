import Locks
import PushEnrolment
import PushHost
import PushTesting
import SealedPush
import TestSupport
import UserNotifications

/// A messenger on one phone: its extension in a host, and a backend that seals to the phone as to one of several devices.
struct Chat {
  let phone: Phone
  let host: ExtensionHost

  /// What the extension of a test does.
  struct ServiceParts: Sendable {
    var steps: [EnrichmentStep] = []
    var appIsInFront = false
    var conversation: (@Sendable (UNNotificationContent) -> Conversation?)?
    /// Whether a message that removes others is not shown.
    var hidesRemovals = false
  }

  /// The parts, for the extension's instances.
  final class Parts: Sendable {
    let parts = Mutex(ServiceParts())
  }

  let parts: Parts

  init(phone: Phone = Phone(), mayFilter: Bool = false, keys: (any DeviceKeyStore)? = nil) {
    self.phone = phone
    var settings = PushHost.Phone()
    settings.mayFilter = mayFilter
    let parts = Parts()
    self.parts = parts
    host = ExtensionHost(clock: phone.clock, phone: settings) {
      ChatService(phone.receiver(keys: keys), parts.parts.withLock { $0 })
    }
  }

  func with(_ change: (inout ServiceParts) -> Void) -> Chat {
    parts.parts.withLock { change(&$0) }
    return self
  }

  /// Seals a notification to the phone as one of a person's devices.
  func sealed(
    _ notification: RemoteNotification, id: MessageID = .random(), to keys: KeySet? = nil
  ) throws -> SealedNotification {
    let address = DeviceAddress(topic: Phone.topic, environment: .sandbox, token: try DeviceToken("00ff"))
    let device = EnrolledDevice(address: address, keys: try (keys ?? phone.device).publicKeys)
    let sealer = Sealer(topic: Phone.topic, signingKey: try phone.backend.signingKey())
    let pushes = sealer.seal(notification, to: [device], messageID: id, at: phone.clock.now)
    return try pushes[0].addressedPush.push
  }

  @discardableResult
  func deliver(_ notification: RemoteNotification, id: MessageID = .random()) async throws
    -> ShownNotification
  {
    try await host.deliver(sealed(notification, id: id))
  }

  #if !canImport(Darwin)
    /// What is in the list of delivered notifications.
    var bodies: [String] {
      get async { await host.center.deliveredNotifications().map(\.request.content.body) }
    }
  #endif
}

/// The messenger's extension.
private final class ChatService: SealedNotificationService {
  private let receiver: Receiver
  private let parts: Chat.ServiceParts

  init(_ receiver: Receiver, _ parts: Chat.ServiceParts) {
    var receiver = receiver
    receiver.steps = parts.steps
    receiver.appIsInFront = { [isInFront = parts.appIsInFront] in isInFront }
    self.receiver = receiver
    self.parts = parts
  }

  override func makeReceiver() throws -> Receiver { receiver }

  override func conversation(of content: UNNotificationContent, opened: Opened) async -> Conversation? {
    parts.conversation?(content)
  }

  override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    parts.hidesRemovals && !opened.changes.removes.isEmpty ? UNNotificationContent() : content
  }
}
