import PushCrypto
import PushEnvelope
import PushKeys
import PushPayload
import PushReceiver
import PushTesting

/// Makes messages with the format's parts, without a sealer, so that a test can put one fault in.
struct Forge: Sendable {
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

  /// A receiver that opens what this forge makes, unless a part is replaced.
  func receiver(
    keys: (any DeviceKeyStore)? = nil, senders: (any SenderKeyStore)? = nil, accepts: Acceptance = .signed,
    replay: any ReplayStore = InMemoryReplayStore(), duplicates: DuplicateRule = .quietly,
    bestAttempt: BestAttempt = .outerTitle, at now: UnixTime = now, clock: (any ReceiverClock)? = nil
  ) -> Receiver {
    Receiver(
      topic: Self.topic, keys: keys ?? device, senders: senders ?? (try? backend.publicKeys)!,
      accepts: accepts,
      replay: replay, duplicates: duplicates, bestAttempt: bestAttempt, clock: clock ?? ManualClock(now))
  }

  func content(_ draft: Draft) throws -> SealedContent {
    let claims = Claims(messageID: draft.messageID, issuedAt: draft.issuedAt, lifetime: draft.lifetime)
    let content = SealedContent(type: draft.type, claims: claims, content: Array(draft.json.utf8))
    guard draft.isSigned else { return content }
    return try sign(content, by: draft.signer ?? backend, for: draft.signedFor ?? binding())
  }

  func sign(_ content: SealedContent, by backend: KeySet, for binding: MessageBinding) throws -> SealedContent
  {
    let key = try backend.signingKey()
    let keyID = key.publicKey.thumbprint.keyID
    let input = content.signatureInput(for: binding, signer: keyID)
    return content.signed(by: SealedContent.Signature(keyID: keyID, bytes: key.sign(input.span))!)
  }

  /// Any plaintext, encrypted to the device.
  func envelope(plaintext: [UInt8], topic: Topic = topic) throws -> Envelope {
    try recipient.seal(plaintext.span, for: topic, random: SystemRandom())
  }

  func envelope(_ draft: Draft = Draft(), topic: Topic = topic) throws -> Envelope {
    let content = try content(draft)
    return try envelope(plaintext: content.encoded(paddedTo: content.minimumSize), topic: topic)
  }

  func push(_ draft: Draft = Draft()) throws -> IncomingPush { .carrying(try envelope(draft).text) }

  func push(plaintext: [UInt8]) throws -> IncomingPush { .carrying(try envelope(plaintext: plaintext).text) }
}

/// A message that is right unless a test changes it.
struct Draft: Sendable {
  static let json = #"{"aps":{"alert":{"title":"Inner","body":"secret"},"sound":"inner.caf"},"inner":1}"#

  var json = Draft.json
  var type = ContentType.notification
  var messageID = MessageID.random()
  var issuedAt = Forge.now
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

func base64URL(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span) }
