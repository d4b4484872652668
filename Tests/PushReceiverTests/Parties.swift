import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport

/// A backend and a device, the messages between them, and the device's receiver.
struct Parties: Sendable {
  static let topic = (try? Topic("com.example.app"))!
  static let now = UnixTime(seconds: 1_700_000_000)!

  let suite: Suite
  let device: KeySet
  let backend = KeySet(generating: .sender, at: now)

  init(_ suite: Suite = .x25519ChaChaPoly) {
    self.suite = suite
    device = KeySet(opening: suite, at: Self.now)
  }

  var recipient: Recipient {
    get throws { try device.recipient(suite: suite, at: Self.now) }
  }

  func binding(topic: Topic = topic) throws -> MessageBinding {
    MessageBinding(topic: topic, suite: suite, recipient: try recipient.thumbprint)
  }

  /// A receiver that opens what this parties makes, unless a part is replaced.
  func receiver(
    keys: (any DeviceKeyStore)? = nil, senders: (any SenderKeyStore)? = nil,
    accepts: AcceptedEnvelopes = .signed,
    replay: any ReplayStore = InMemoryReplayStore(), duplicates: DuplicateRule = .quietly,
    bestAttempt: BestAttempt = .outerTitle, at now: UnixTime = now, clock: (any PushClock)? = nil
  ) -> Receiver {
    Receiver(
      topic: Self.topic, keys: keys ?? device, senders: senders ?? (try? backend.publicKeys)!,
      accepts: accepts,
      replay: replay, duplicates: duplicates, bestAttempt: bestAttempt, clock: clock ?? ManualClock(now))
  }

  /// The message of a draft, to which a test can still put a fault.
  func forge(_ draft: Draft = Draft(), topic: Topic = topic) throws -> Forge {
    let signer = draft.isSigned ? try (draft.signer ?? backend).signingKey() : nil
    var message = Forge(draft.messageID.text, to: try recipient, from: signer)
    message.topic = topic.text
    message.randomness = randomBytes(message.randomness.count)
    message.messageID = draft.messageID.bytes
    let signedFlag: UInt8 = signer == nil ? 0 : 1
    message.firstByte = draft.type.rawValue << 4 | signedFlag
    message.issuedAt = UInt64(draft.issuedAt.seconds)
    message.lifetime = UInt32(draft.lifetime.seconds)
    message.content = Array(draft.json.utf8)
    message.padding = [0x80]
    message.signedBinding = draft.signedFor
    return message
  }

  func content(_ draft: Draft) throws -> SealedContent {
    let plaintext = try forge(draft).plaintext()
    return try SealedContent(decoding: plaintext.span)
  }

  /// Any plaintext, encrypted to the device.
  func envelope(plaintext: [UInt8]) throws -> Envelope {
    var message = try forge()
    message.changePlaintext = { _ in plaintext }
    return try Envelope(decoding: message.text())
  }

  func envelope(_ draft: Draft = Draft(), topic: Topic = topic) throws -> Envelope {
    try Envelope(decoding: forge(draft, topic: topic).text())
  }

  func push(_ draft: Draft = Draft()) throws -> IncomingPush { .carrying(try forge(draft).text()) }

  func push(plaintext: [UInt8]) throws -> IncomingPush { .carrying(try envelope(plaintext: plaintext).text) }
}

/// A message that is right unless a test changes it.
struct Draft: Sendable {
  static let json = #"{"aps":{"alert":{"title":"Inner","body":"secret"},"sound":"inner.caf"},"inner":1}"#

  var json = Draft.json
  var type = ContentType.notification
  var messageID = MessageID.random()
  var issuedAt = Parties.now
  var lifetime = Lifetime.maximum
  var isSigned = true
  var signer: KeySet?
  var signedFor: MessageBinding?
}

extension IncomingPush {
  /// A push whose visible part says as much as it can.
  static func carrying(_ text: String) -> IncomingPush { outer(envelope: .string(text)) }

  static func outer(title: String = "Outer", envelope: JSONValue?, sound: JSONValue? = "outer.caf")
    -> IncomingPush
  {
    var aps: JSONObject = [
      "alert": [
        "title": .string(title), "subtitle": "outer-subtitle", "body": "outer-body",
        "launch-image": "outer-image",
      ], "badge": 99, "filter-criteria": "outer-filter",
      "category": "OUTER", "thread-id": "outer-thread", "target-content-id": "outer-window",
      "interruption-level": "critical", "relevance-score": 1.0, "mutable-content": 1,
    ]
    aps["sound"] = sound
    var payload: JSONObject = ["aps": .object(aps), "outer": "canary"]
    payload["ENCRYPTED_DATA"] = envelope
    return IncomingPush(payload: payload)
  }
}

extension ShownContent {
  /// The best attempt for ``IncomingPush/carrying(_:)``.
  static func bestAttempt(_ text: String?) -> ShownContent {
    var content = ShownContent()
    content.title = "Outer"
    content.body = "(Encrypted)"
    content.sound = .default
    if let text { content.userInfo = ["ENCRYPTED_DATA": .string(text)] }
    return content
  }
}

extension IncomingPush {
  /// The envelope's text.
  var text: String? {
    if case .text(let text) = envelope { text } else { nil }
  }
}

func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }

func base64URL(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span) }
