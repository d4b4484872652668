import PushCrypto
import PushCore
import PushEnrolment
import PushKeys

/// Values and functions that the tests of signed sets share.
enum Signed {
  static let topic = (try? Topic("com.example.app"))!
  static let otherTopic = (try? Topic("com.example.other"))!
  static let token = DeviceToken([UInt8](repeating: 0x0f, count: 32))!
  static let otherToken = DeviceToken([UInt8](repeating: 0xa0, count: 32))!
  static let address = address()
  static let audience = (try? Audience("https://push.example.com"))!

  /// A device's address.
  static func address(
    topic: Topic = topic, _ environment: APNsEnvironment = .production, token: DeviceToken = token
  ) -> DeviceAddress { DeviceAddress(topic: topic, environment: environment, token: token) }

  /// A compact JWS of any header and payload, signed by a root or an identity.
  static func jws(header: String, payload: String, by signer: KeySet) -> String {
    let input = [header, payload].map { Base64URL.encode(Array($0.utf8).span) }.joined(separator: ".")
    let bytes = Array(input.utf8)
    let secret = (try? Base64URL.decode(text(signer).member("d"))) ?? []
    let point = signer.records[0].publicKey?.bytes ?? []
    let signature = (try? Ed25519.sign(bytes.span, privateKey: secret.span, publicKey: point.span)) ?? []
    return "\(input).\(Base64URL.encode(signature.span))"
  }

  /// A JSON object's text with changes: members are replaced or added or, with nil, removed.
  static func object(
    _ members: KeyValuePairs<String, String>, changing changes: [String: String?] = [:]
  ) -> String {
    var rest = changes
    var all = members.compactMap { name, value -> String? in
      guard let change = rest.removeValue(forKey: name) else { return "\(quoted(name)):\(value)" }
      return change.map { "\(quoted(name)):\($0)" }
    }
    all += rest.sorted { $0.key < $1.key }.compactMap { name, value in value.map { "\(quoted(name)):\($0)" } }
    return "{\(all.joined(separator: ","))}"
  }
}

extension SenderKeySet {
  /// Reads a text.
  init(_ text: String, roots: PublicKeySet, topic: Topic = Signed.topic) throws(SignedSetError) {
    try self.init(parsing: Array(text.utf8).span, roots: roots, topic: topic)
  }
}

extension Enrolment {
  /// Reads a text.
  init(
    _ text: String, for topic: Topic? = nil, audience: Audience = Signed.audience, challenge: Challenge? = nil
  ) throws(SignedSetError) {
    try self.init(parsing: Array(text.utf8).span, for: topic, audience: audience, challenge: challenge)
  }

  /// The JSON as a text.
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}

extension Registration {
  /// The registration of a device after its first enrolment and the answer that proves it.
  static func proven(_ name: String, _ keys: inout DeviceKeys, at address: DeviceAddress = Signed.address)
    throws
    -> Registration
  {
    var registration = try Registration(
      name: name, enrolment: try keys.enrol(address: address, for: Signed.audience, at: start))
    try registration.prove(with: &keys)
    return registration
  }

  /// Accepts the device's answer to the pending request.
  @discardableResult
  mutating func prove(with keys: inout DeviceKeys) throws -> Registrations.Change {
    try update(with: try keys.answer(to: pending))
  }
}

extension DeviceKeys {
  /// The answer to a request that was opened with its own key.
  mutating func answer(to pending: PendingProof?) throws -> Enrolment {
    guard let pending else { throw NothingPending() }
    return try answer(
      pending.request, openedBy: pending.recipient.thumbprint, address: pending.address, for: Signed.audience,
      at: start
    ).get()
  }

  struct NothingPending: Error {}
}

extension Registrations {
  /// Accepts an enrolment, and the answers that prove it, for the registration with this name.
  @discardableResult
  mutating func prove(
    _ keys: inout DeviceKeys, as name: String, at address: DeviceAddress = Signed.address
  ) throws -> Enrolment {
    var change = try accept(keys.enrol(address: address, for: Signed.audience, at: start), as: name)
    while change == .pending { change = try accept(keys.answer(to: self[name]?.pending), as: name) }
    return self[name]!.enrolment
  }
}

extension Registration {
  /// Reads a line.
  init(line: String) throws(SignedSetError) { try self.init(parsing: Array(line.utf8).span) }

  /// The JSON as a text.
  var text: String { String(decoding: encoded(), as: UTF8.self) }
}
