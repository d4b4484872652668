import PushEnrolment
import PushSealer
import Testing

/// A backend, which seals to an enrolment.
struct Backend {
  private let keys: KeySet
  private let topic: Topic

  /// Its own name, which the app has built in.
  let audience: Audience

  init() throws {
    audience = try Audience("https://push.example.com")
    keys = KeySet(generating: .sender, at: .now)
    topic = try Topic("com.example.app")
  }

  /// The senders that a receiver trusts.
  var senders: PublicKeySet { get throws { try keys.publicKeys } }

  /// Takes a device's first enrolment.
  func register(_ enrolment: [UInt8]) throws -> Registration {
    try Registration(
      name: "ada", enrolment: Enrolment(parsing: enrolment.span, for: topic, audience: audience))
  }

  /// Takes the answer to a request.
  func update(_ registration: inout Registration, with answer: [UInt8]) throws -> Registrations.Change {
    try registration.update(with: Enrolment(parsing: answer.span, for: topic, audience: audience))
  }

  /// The payload of a push that asks a device to prove its key and token.
  func request(of registration: Registration) throws -> [UInt8] {
    let pending = try #require(registration.pending)
    return try sealer.seal(pending.request, to: pending.recipient).payload
  }

  /// The payload of a push with this text.
  func push(_ text: String, to registration: Registration) throws -> [UInt8] {
    let recipient = try #require(try registration.proven?.keys.recipient())
    return try push(text, to: recipient)
  }

  /// The payload of a push with this text, to a key.
  func push(_ text: String, to recipient: Recipient) throws -> [UInt8] {
    let push: SealedNotification = try sealer.seal(
      RemoteNotification(title: "Ada", body: text), to: recipient)
    return push.payload
  }

  private var sealer: Sealer { get throws { Sealer(topic: topic, signingKey: try keys.signingKey()) } }
}
