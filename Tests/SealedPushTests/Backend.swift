import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

/// A backend, which seals to an enrolment.
struct Backend {
  private let keys: KeySet
  private let topic: Topic

  init() throws {
    keys = KeySet(generating: .sender, at: .now)
    topic = try Topic("com.example.app")
  }

  /// The senders that a receiver trusts.
  var senders: PublicKeySet { get throws { try keys.publicKeys } }

  /// The payload of a push with this text.
  func push(_ text: String, to enrolment: [UInt8]) throws -> [UInt8] {
    let recipient = try Enrolment(parsing: enrolment.span, for: topic).keys.recipient()
    let sealer = Sealer(topic: topic, signingKey: try keys.signingKey())
    let push: SealedPush = try sealer.seal(RemoteNotification(title: "Ada", body: text), to: recipient)
    return push.payload
  }
}
