import PushCore
import PushEnrolment
import PushKeys
import PushSealer

/// A backend with the keys that sign, its registrations, and the set that devices fetch.
struct Backend {
  private(set) var registrations = Registrations()
  private(set) var published: SenderKeySet
  private(set) var signing: KeySetEditor
  /// Every set that was ever published, oldest first.
  private(set) var history: [SenderKeySet]

  init(at now: UnixTime, _ office: inout Office) throws {
    signing = KeySetEditor(KeySet(generating: .sender, at: now))
    office.handIn(try signing.keySet.publicKeys, due: now)
    published = try office.work(at: now)[0]
    history = [published]
  }

  /// Every night: rotate what is 45 days old, destroy what has ended.
  mutating func night(at now: UnixTime) throws -> PublicKeySet? {
    signing.prune(at: now)
    return try signing.rotate(ifOlderThan: .seconds(45 * oneDay), at: now).isEmpty
      ? nil : signing.keySet.publicKeys
  }

  /// Destroys the key that signs, as if it was stolen: what the thief has, and what is to be signed.
  mutating func revoke(at now: UnixTime) throws -> (stolen: SigningKey, keys: PublicKeySet) {
    let stolen = try signing.keySet.signingKey(at: now)
    try signing.revoke(stolen.publicKey.thumbprint, at: now)
    return (stolen, try signing.keySet.publicKeys)
  }

  mutating func publish(_ set: SenderKeySet) {
    published = set
    history.append(set)
  }

  mutating func take(_ enrolment: [UInt8], from name: String) throws(SignedSetError) -> Registrations.Change {
    try registrations.accept(try Enrolment(parsing: enrolment.span, for: app, audience: home), as: name)
  }

  /// The request for what is pending under a name, as a background push.
  func request(to name: String, at now: UnixTime) throws -> JSONObject? {
    guard let pending = registrations[name]?.pending else { return nil }
    let sealer = Sealer(topic: app, signingKey: try signing.keySet.signingKey(at: now))
    let push = try sealer.seal(pending.request, to: pending.recipient, at: now)
    return try JSONObject(parsing: push.payload.span)
  }

  /// Seals to the device that is registered so, if one is.
  func seal(to name: String, at now: UnixTime, with key: SigningKey? = nil) throws -> JSONObject? {
    guard let keys = registrations[name]?.proven?.keys else { return nil }
    let sealer = Sealer(topic: app, signingKey: try key ?? signing.keySet.signingKey(at: now))
    let content: JSONObject = [
      "aps": ["alert": ["title": .string(name), "body": "a"]], "senders": .string(published.text),
    ]
    let push = try sealer.seal(payload: content, to: keys.recipient(at: now), at: now)
    return try JSONObject(parsing: push.payload.span)
  }
}
