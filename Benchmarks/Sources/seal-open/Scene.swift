import PushEnvelope
import PushKeys
import PushPayload
import PushReceiver
import PushSealer

/// A backend and a device with keys of one suite, and the notification that goes from one to the other.
struct Scene {
  /// The lengths of the notification's JSON, in bytes: a short message, and about the longest that fits.
  static let contentSizes = [300, 2500]

  let suite: Suite
  let isSigned: Bool
  let contentSize: Int
  let topic: Topic
  let notification: RemoteNotification

  private let sealer: Sealer
  private let recipient: Recipient
  private let deviceKeys: KeySet
  private let senders: PublicKeySet

  init(suite: Suite, isSigned: Bool, contentSize: Int) throws {
    self.suite = suite
    self.isSigned = isSigned
    self.contentSize = contentSize
    topic = try Topic("com.example.app")
    notification = try Self.notification(ofSize: contentSize)
    deviceKeys = KeySet(generating: .device, suite: suite, at: .now)
    recipient = try deviceKeys.publicKeys.recipient(suite: suite)
    let senderKeys = KeySet(generating: .sender, at: .now)
    senders = senderKeys.publicKeys
    sealer =
      isSigned
      ? Sealer(topic: topic, signingKey: try senderKeys.signingKey()) : Sealer.anonymous(topic: topic)
  }

  /// Every length, every suite, signed and anonymous.
  static func all() throws -> [Scene] {
    try contentSizes.flatMap { size in
      try Suite.allCases.flatMap { suite in
        try [true, false].map { try Scene(suite: suite, isSigned: $0, contentSize: size) }
      }
    }
  }

  var label: String { "\(contentSize) \(suite.name), \(isSigned ? "signed" : "anonymous")" }

  /// The notification as a sealed payload, a new message each time.
  func seal() throws -> [UInt8] { try sealer.seal(notification, to: recipient).payload }

  /// A receiver that has seen no message yet.
  func receiver() -> Receiver {
    Receiver(
      topic: topic, keys: deviceKeys, senders: senders, accepts: Acceptance(anonymous: !isSigned),
      replay: InMemoryReplayStore())
  }

  /// The length of the plaintext, its padding included, in bytes.
  func plaintextSize() throws -> Int {
    let size = SealedContent.overhead(isSigned: isSigned) + contentSize
    let capacity = try sealer.budget(for: notification, suite: suite).capacity
    guard let padded = Padding.buckets.paddedSize(of: size, capacity: capacity) else {
      throw BenchmarkError.doesNotFit
    }
    return padded
  }

  /// A chat message as an app sends it, its body as long as it takes.
  private static func notification(ofSize size: Int) throws -> RemoteNotification {
    var notification = RemoteNotification(title: "Ada Lovelace", subtitle: "Lunch", body: "")
    notification.sound = .default
    notification.badge = 3
    notification.threadID = "chat-42"
    notification.category = "message"
    notification.custom = ["chat": 42, "message": "1f0c8a52", "mentions": ["ada", "grace"], "muted": false]
    let text = "Shall we meet at noon, at the café by the river? I bring the drawings of the engine. "
    let rest = size - (try notification.payload().encoded().count)
    // ASCII counts one byte a character, "é" two.
    var body = ""
    for character in String(repeating: text, count: size / text.utf8.count + 1) {
      guard body.utf8.count + character.utf8.count <= rest else { break }
      body.append(character)
    }
    body += String(repeating: ".", count: max(0, rest - body.utf8.count))
    notification.alert?.body = body
    guard try notification.payload().encoded().count == size else { throw BenchmarkError.doesNotFit }
    return notification
  }
}

/// Why the figures would not be what the table says they are.
enum BenchmarkError: Error {
  /// The notification cannot be made as long as it should be.
  case doesNotFit
  /// A message was not opened, or not for the first time.
  case notOpened
  /// A primitive of the system's libraries reports an error.
  case primitiveFailed
}
