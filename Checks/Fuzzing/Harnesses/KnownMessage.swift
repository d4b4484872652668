import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting

/// A message that was sealed before; unless the harness seals an input, only these messages open.
struct KnownMessage: Sendable {
  /// The envelope's bytes.
  let envelope: [UInt8]
  let isData: Bool
  let isSigned: Bool
  /// The content, as JSON.
  let content: [UInt8]

  /// The envelope's text.
  var text: String { Base64URL.encode(envelope.span) }

  /// A message of every suite, as notification and as data, signed and anonymous.
  static let all: [KnownMessage] = Keys.recipients.flatMap { recipient in
    [false, true].flatMap { isData in
      [false, true].map { KnownMessage(to: recipient, isData: isData, isSigned: $0) }
    }
  }

  private init(to recipient: Recipient, isData: Bool, isSigned: Bool) {
    let label = "\(recipient.suite.name) \(isData) \(isSigned)"
    let content: JSONObject = ["aps": ["alert": ["title": "Ada", "body": .string(label)]], "chat": 42]
    let policy = SealingPolicy(playsSound: !isData, padding: .none, pushType: isData ? .voip : .alert)
    let sealer = Sealer(
      topic: Keys.topic, signer: isSigned ? Keys.signingKey : nil, policy: policy,
      random: Keys.randomness(label))
    guard
      let id = MessageID(Array(Keys.bytes(label + " id").prefix(MessageID.size))),
      let push = try? sealer.seal(payload: content, to: recipient, messageID: id, at: Keys.now),
      let payload = try? JSONObject(parsing: push.payload.span),
      let text = EnvelopeKey.default.value(in: payload)?.string, let envelope = try? Base64URL.decode(text)
    else { preconditionFailure("a notification is sealed") }
    self.envelope = envelope
    self.isData = isData
    self.isSigned = isSigned
    self.content = content.encoded()
  }

  /// A receiver of all messages in every suite.
  static func receiver(anonymous: Bool) -> Receiver {
    Receiver(
      topic: Keys.topic, keys: Keys.store, senders: Keys.senders,
      accepts: AcceptedEnvelopes(anonymous: anonymous),
      replay: InMemoryReplayStore(), clock: ManualClock(Keys.now))
  }
}
