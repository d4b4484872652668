import PushAttachments
import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// A backend, a device that it knows, and the extension on it.
struct Stage: Sendable {
  static let topic = (try? Topic("com.example.app"))!
  static let start = UnixTime(seconds: 1_700_000_000)!

  /// The sealed text, unless a test says another.
  static let secret = "Lunch at noon?"

  /// A sealed title, with a space, which no envelope has by chance.
  static let title = "Ada Lovelace"

  let device = KeySet(generating: .device, at: start)
  let backend = KeySet(generating: .sender, at: start)
  let clock = ManualClock(start)
  let folder = (try? TemporaryFolder())!

  /// The extension's log, which tells why something was not opened.
  var log: DiagnosticsLog { DiagnosticsLog(path: folder.path(of: "log")) }

  /// Why pushes were not opened, in the order of the log.
  var reasons: [DegradeReason] { (try? log.read())?.entries.compactMap(\.degradeReason) ?? [] }

  func receiver(
    keys: (any DeviceKeyStore)? = nil, senders: (any SenderKeyStore)? = nil,
    replay: any ReplayStore = InMemoryReplayStore(), duplicates: DuplicateRule = .quietly,
    steps: [EnrichmentStep] = []
  ) -> Receiver {
    var receiver = Receiver(
      topic: Self.topic, keys: keys ?? device, senders: senders ?? (try? backend.publicKeys)!, replay: replay,
      duplicates: duplicates, clock: clock)
    receiver.steps = steps
    receiver.observers = [log]
    return receiver
  }

  /// A phone whose time is the receiver's.
  func host(_ receiver: Receiver, phone: Phone = Phone()) -> ExtensionHost {
    ExtensionHost(clock: clock, phone: phone) { StagedService { receiver } }
  }

  /// What the backend gives to APNs: a title, a text and a sound, sealed.
  func sealed(
    _ body: String = secret, attachments: [AttachmentDescriptor] = [], custom: JSONObject = [:],
    messageID: MessageID = .random()
  ) throws -> [UInt8] {
    var notification = RemoteNotification(title: Self.title, body: body)
    notification.sound = .named("bell.caf")
    notification.custom = custom
    return try Sealer(topic: Self.topic, signingKey: backend.signingKey()).seal(
      notification, attachments: attachments, to: try device.publicKeys.recipient(), messageID: messageID,
      at: clock.now
    ).payload
  }

  /// Moves the time, for a host and all that it has, by days.
  func advance(days: Int) { clock.advance(by: .seconds(days * 86_400)) }
}

/// An extension with a receiver of the test's choice.
final class StagedService: SealedNotificationService {
  private let receiver: () throws -> Receiver

  init(_ receiver: @escaping () throws -> Receiver) { self.receiver = receiver }

  override func makeReceiver() throws -> Receiver { try receiver() }
}

/// Something that begins and never ends, whoever cancels it.
struct Endlessness: Sendable {
  private let begun = Signal()

  /// A step that gets no further.
  var step: EnrichmentStep {
    EnrichmentStep("avatar") { content, _ in
      content.body = "what it has so far"
      await begin()
    }
  }

  func begin() async {
    begun.fire()
    await Task.detached { await Signal().wait() }.value
  }

  /// Returns when it has begun.
  func wait() async { await begun.wait() }
}

/// A key store that tells when it is asked, and when nobody has it any more.
final class WatchedKeys: DeviceKeyStore {
  private let keys: any DeviceKeyStore
  private let asked: Signal
  private let released: Signal

  init(_ keys: any DeviceKeyStore, asked: Signal, released: Signal) {
    self.keys = keys
    self.asked = asked
    self.released = released
  }

  deinit { released.fire() }

  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    asked.fire()
    return try keys.deviceKey(for: id, at: now)
  }
}

extension ShownNotification {
  /// Expects the placeholder, from the extension, in place of what did not open.
  func expectPlaceholder(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(source == .serviceExtension, sourceLocation: sourceLocation)
    #expect(title == "New notification", sourceLocation: sourceLocation)
    #expect(body == "(Encrypted)", sourceLocation: sourceLocation)
  }
}

/// What a payload says.
func json(_ payload: [UInt8]) throws -> JSONObject { try JSONObject(parsing: payload.span) }

/// The envelope in a payload.
func envelope(in payload: [UInt8]) throws -> String {
  try #require(try json(payload)["ENCRYPTED_DATA"]?.string)
}
