public import PushCore
public import PushKeys

/// What a device signs before its keys are destroyed, so that its backend removes it: FORMAT.md, [11.25] to [11.27].
///
/// It needs no login, and may arrive whenever there is a connection again.
public struct Leave: Hashable, Sendable {
  /// The maximum size of a leave, in bytes: 32 KiB.
  public static let maximumSize = IdentityStatement.maximumSize

  /// The app that the device leaves.
  public let topic: Topic

  /// The backend that the leave is for.
  public let audience: Audience

  /// The public key of the device's identity, which signed the leave.
  public let identity: PublicKey

  /// The serial, from 1 to 2^53 - 1.
  ///
  /// It is greater than those of the enrolments before.
  public let serial: Int64

  /// When the leave was signed, by the device's clock.
  public let issuedAt: UnixTime

  /// The compact JWS that signs the claims.
  public let signed: String

  /// Parses a leave and verifies its signature: FORMAT.md, [11.25] and [11.26].
  ///
  /// The leave must be for `audience`, the backend's own name, and for `topic`, if one is given.
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing json: Span<UInt8>, for topic: Topic? = nil, audience: Audience) throws(SignedSetError) {
    try self.init(verifying: json, for: topic)
    guard self.audience == audience else { throw .otherAudience }
  }

  /// Parses a leave for any backend, and verifies its signature.
  ///
  /// - Throws: ``SignedSetError``.
  package init(verifying json: Span<UInt8>, for topic: Topic? = nil) throws(SignedSetError) {
    let statement = try IdentityStatement(verifying: json, as: .leave)
    guard let serial = statement.claims["serial"]?.number?.integer,
      (1...KeySetRules.maximumSerial).contains(serial)
    else { throw .malformedClaims }
    guard topic ?? statement.topic == statement.topic else { throw .otherTopic }
    self.init(
      topic: statement.topic, audience: statement.audience, identity: statement.identity, serial: serial,
      issuedAt: statement.issuedAt, signed: statement.signed)
  }

  /// Whether a JSON text looks like a leave, and not like an enrolment.
  package static func isLeave(_ json: Span<UInt8>) -> Bool {
    json.count <= maximumSize && (try? JSONObject(parsing: json))?["leave"] != nil
  }

  private init(
    topic: Topic, audience: Audience, identity: PublicKey, serial: Int64, issuedAt: UnixTime, signed: String
  ) {
    self.topic = topic
    self.audience = audience
    self.identity = identity
    self.serial = serial
    self.issuedAt = issuedAt
    self.signed = signed
  }

  /// The leave as one line of JSON, without a line feed.
  public func encoded() -> [UInt8] { IdentityStatement.encode(signed, as: .leave) }

  /// Why it does not remove a registration that has its identity; nil if it does: [11.27].
  func refusal(by enrolment: Enrolment) -> SignedSetError? {
    guard enrolment.address.topic == topic else { return .otherTopic }
    return serial > enrolment.serial ? nil : .olderSerial(last: enrolment.serial)
  }

  /// Why it removes none of the registrations that have its identity; nil if it removes one, or if there is none.
  package func refusal(among registrations: [Registration]) -> SignedSetError? {
    let refusals = registrations.filter { $0.identity == identity.thumbprint }.map {
      refusal(by: $0.enrolment)
    }
    guard !refusals.contains(nil) else { return nil }
    return refusals.compactMap(\.self).first { $0 != .otherTopic } ?? (refusals.isEmpty ? nil : .otherTopic)
  }
}

extension Leave {
  /// Signs a leave with the identity's key and the serial that was spent for it.
  fileprivate init(topic: Topic, audience: Audience, serial: Int64, issuedAt: UnixTime, key: SigningKey) {
    let claims: JSONObject = [
      "v": 1, "topic": .string(topic.text), "serial": .number(JSONNumber(serial)),
      "iat": .number(JSONNumber(issuedAt.seconds)), "audience": .string(audience.text),
    ]
    self.init(
      topic: topic, audience: audience, identity: key.publicKey, serial: serial, issuedAt: issuedAt,
      signed: IdentityStatement.sign(claims, as: .leave, with: key))
  }
}

extension KeySetEditor {
  /// Signs a leave with a device's identity.
  ///
  /// The serial is the greater of the last serial plus 1 and the Unix time.
  ///
  /// - Throws: `KeySetError.wrongRole` unless the set is an identity's, `KeySetError.serialNotGreater`.
  public mutating func leave(
    _ topic: Topic, for audience: Audience, at now: UnixTime = .now
  ) throws(KeySetError) -> Leave {
    let (serial, key) = try spendSerial(nil, as: .identity, at: now)
    return Leave(topic: topic, audience: audience, serial: serial, issuedAt: now, key: key)
  }
}

extension DeviceKeys {
  /// Signs that the device leaves its backend.
  ///
  /// - Throws: `KeySetError.serialNotGreater` if no serial is left.
  public mutating func leave(
    _ topic: Topic, for audience: Audience, at now: UnixTime = .now
  ) throws(KeySetError) -> Leave {
    try editIdentity { (editor) throws(KeySetError) in try editor.leave(topic, for: audience, at: now) }
  }
}

extension EnrolmentStore {
  /// Signs that the device leaves the backend named `audience`; nil without keys.
  ///
  /// When the user signs out, perhaps without a connection: sign a leave for each backend, keep their
  /// ``Leave/encoded()`` bytes, and then ``remove()`` the keys. Send the bytes when there is a connection; they need no
  /// login. Keep them until the backend has answered.
  public func leave(
    _ topic: Topic, for audience: Audience, at now: UnixTime = .now
  ) throws(Failure) -> Leave? {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.leave(topic, for: audience, at: now)
    }
  }
}

extension Registrations {
  /// Removes the registrations of a device that leaves, and returns their names: FORMAT.md, [11.27].
  ///
  /// If no registration has the leave's identity, nothing happens, and the result is empty. Nothing is remembered of what
  /// was removed: only a challenge keeps an enrolment from coming back that was signed before.
  ///
  /// - Throws: ``SignedSetError/otherTopic``, ``SignedSetError/olderSerial(last:)``; nothing is changed then.
  @discardableResult
  public mutating func leave(_ leave: Leave) throws(SignedSetError) -> [String] {
    if let refusal = leave.refusal(among: all) { throw refusal }
    let identity = leave.identity.thumbprint
    let names = all.filter { $0.identity == identity && leave.refusal(by: $0.enrolment) == nil }.map(\.name)
    for name in names { remove(name) }
    return names
  }
}

extension RegistrationFile {
  /// Removes the registrations of a device that leaves, and returns their names; if the leave is refused, why.
  ///
  /// - Throws: ``RegistrationFileError``; one bad line is ``RegistrationFileError/line(_:_:path:)``, and nothing is changed.
  public func leave(
    _ leave: Leave
  ) throws(RegistrationFileError) -> Result<[String], SignedSetError> {
    do throws(RegistrationFileError) {
      return .success(try update { (all) throws(SignedSetError) in try all.leave(leave) })
    } catch .refused(let error, _) {
      return .failure(error)
    }
  }
}

/// Keeps the signed text, by which anybody can remove the device, out of logs.
extension Leave: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint, and the serial.
  public var description: String { "leave of identity \(identity.thumbprint), serial \(serial)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
