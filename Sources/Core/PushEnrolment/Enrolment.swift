public import PushKeys
public import PushCore

/// The message by which an app tells its backend its address and public keys, signed by its identity.
public struct Enrolment: Hashable, Sendable {
  /// The maximum size of an enrolment, in bytes: 32 KiB.
  public static let maximumSize = 1 << 15

  /// The app's address on the device.
  public let address: PushAddress

  /// The public key of the device's identity, which signed the enrolment.
  public let identity: PublicKey

  /// The serial, from 1 to 2^53 - 1.
  ///
  /// A newer enrolment has a greater one.
  public let serial: Int64

  /// When the enrolment was signed, by the device's clock.
  public let issuedAt: UnixTime

  /// The backend that the enrolment is for; nil only in a registration that was stored before audiences existed.
  public let audience: Audience?

  /// The backend's challenge, if there was one.
  public let challenge: Challenge?

  /// The proof from a proof request, if this enrolment answers one.
  public let proof: Proof?

  /// What the device says of itself; nil if it says nothing.
  ///
  /// It has no influence on whether the enrolment is accepted.
  public let report: DeviceReport?

  /// The device's active public keys, to seal to.
  public let keys: PublicKeySet

  /// The compact JWS that signs the keys and the other claims.
  public let signedKeys: String

  /// Parses an enrolment and verifies its signature: FORMAT.md, [11.10] to [11.13].
  ///
  /// The enrolment must be for `audience`, the backend's own name. If `topic` or `challenge` is given, the enrolment
  /// must have the same. `services` are those through which the backend delivers: [11.38]. A challenge is
  /// valid for one registration: forget it with the first enrolment that has it.
  ///
  /// ``Registration`` checks that the enrolment is from the same device and is the newest, and which of its keys and
  /// tokens the device must still prove.
  ///
  /// - Throws: ``SignedSetError``.
  public init(
    parsing json: Span<UInt8>, for topic: Topic? = nil, audience: Audience, challenge: Challenge? = nil,
    services: Set<PushService> = [.apns]
  ) throws(SignedSetError) {
    try self.init(verifying: json, for: topic, services: services)
    guard self.audience == audience else { throw .otherAudience }
    guard challenge == nil || challenge == self.challenge else { throw .wrongChallenge }
  }

  /// Parses an enrolment for any backend, and verifies its signature: [11.10] to [11.12].
  ///
  /// - Throws: ``SignedSetError``.
  package init(
    verifying json: Span<UInt8>, for topic: Topic? = nil, services: Set<PushService> = [.apns]
  ) throws(SignedSetError) {
    guard json.count <= Self.maximumSize else { throw .tooLarge }
    guard let object = try? JSONObject(parsing: json) else { throw .malformedEnrolment }
    try self.init(verifying: object, for: topic, services: services)
  }

  /// Reads an enrolment, or a registration's line, which must also have the strings `others` and may have `optional`
  /// members.
  init(
    verifying object: JSONObject, and others: Set<String> = [], optional: Set<String> = [],
    for topic: Topic? = nil, services: Set<PushService>
  ) throws(SignedSetError) {
    guard object["v"]?.number?.integer == 1 else { throw .unsupportedVersion }
    if let service = object["service"]?.string {
      guard service == PushService.fcm.rawValue, services.contains(.fcm) else { throw .unsupportedService }
    } else if object["service"] == nil {
      guard services.contains(.apns) else { throw .unsupportedService }
    }
    guard object["keys"]?.object == nil else { throw .unsigned }
    let place = object["service"] == nil ? "environment" : "service"
    let strings = others.union(["topic", place, "token", "keys"])
    guard strings.allSatisfy({ object[$0]?.string != nil }),
      object.keys.allSatisfy({ $0 == "v" || strings.contains($0) || optional.contains($0) }),
      let text = object["keys"]?.string
    else { throw .malformedEnrolment }
    try self.init(signedKeys: text, for: topic)
    let claimed = Dictionary(uniqueKeysWithValues: address.members)
    for name in PushAddress.memberNames where object[name] != claimed[name].map(JSONValue.string) {
      throw .mismatch(member: name)
    }
  }

  /// Verifies the device's JWS: [11.1] to [11.8].
  init(signedKeys text: String, for topic: Topic?) throws(SignedSetError) {
    let bytes = Array(text.utf8)
    let jws = try CompactJWS(parsing: bytes.span)
    let identity = try SignedSetHeader.identity(from: try SignedSetHeader.member(.identity, of: jws.header))
    guard jws.isSigned(by: identity) else { throw .badSignature }
    let claims = try SignedSetClaims(parsing: jws.payload, role: .device)
    guard let device = claims.device else { throw .malformedClaims }
    guard topic ?? claims.topic == claims.topic else { throw .otherTopic }
    self.init(claims: claims, at: device.address, identity: identity, signedKeys: text)
  }

  /// Takes claims that an identity has signed.
  init(claims: SignedSetClaims, at address: PushAddress, identity: PublicKey, signedKeys: String) {
    self.address = address
    self.identity = identity
    serial = claims.serial
    issuedAt = claims.issuedAt
    audience = claims.device?.audience
    challenge = claims.device?.challenge
    proof = claims.device?.proof
    report = claims.device?.report
    keys = claims.keys
    self.signedKeys = signedKeys
  }

  /// Checks that this enrolment may replace an older one of the same device: FORMAT.md, [11.14] and [11.15].
  ///
  /// - Throws: ``SignedSetError``.
  func check(follows old: Enrolment) throws(SignedSetError) {
    guard identity == old.identity else { throw .otherIdentity }
    guard address.topic == old.address.topic else { throw .otherTopic }
    guard serial >= old.serial else { throw .olderSerial(last: old.serial) }
    guard serial > old.serial || signedKeys == old.signedKeys else { throw .sameSerial }
  }

  /// The active keys, to which others seal, in the order of preferred suites.
  var activeKeys: [KeyRecord] {
    Suite.byPreference.flatMap { suite in
      keys.records.filter { $0.algorithm.suite == suite && $0.life.status == .active }
    }
  }

  /// The active keys whose suites this system's libraries have; nothing can be sealed to the other keys here.
  var usableKeys: [KeyRecord] { activeKeys.filter(\.algorithm.isAvailable) }

  /// Whether both have the same address and the same active keys, which are what a proof proves.
  func isAlike(_ other: Enrolment) -> Bool {
    address == other.address && activeKeys.map(\.id) == other.activeKeys.map(\.id)
  }

  /// The enrolment as one line of JSON, without a line feed.
  public func encoded() -> [UInt8] { members.encoded() }

  /// The members of the JSON object.
  var members: JSONObject {
    var object: JSONObject = ["v": 1]
    for (name, value) in address.members { object[name] = .string(value) }
    object["keys"] = .string(signedKeys)
    return object
  }
}

extension KeySetEditor {
  /// Signs a device's public keys and the app's address for a backend, with the device's identity.
  ///
  /// The signature also covers the backend's challenge, if there is one, the proof, if this answers a request, and the
  /// report, if the device makes one. The serial is the greater of the last serial plus 1 and the Unix time.
  ///
  /// - Throws: `KeySetError.wrongRole` unless the set is an identity's and `keys` a device's,
  ///   `KeySetError.serialNotGreater`, `KeySetError.tooManyKeys`.
  public mutating func enrol(
    _ keys: PublicKeySet, address: some PushDestination, for audience: Audience, challenge: Challenge? = nil,
    proof: Proof? = nil, report: DeviceReport? = nil, at now: UnixTime = .now
  ) throws(KeySetError) -> Enrolment {
    guard keys.role == .device else { throw .wrongRole }
    let address = address.pushAddress
    var changed = self
    let (serial, identity) = try changed.spendSerial(nil, as: .identity, at: now)
    let claims = SignedSetClaims(
      topic: address.topic, serial: serial, issuedAt: now,
      device: SignedSetClaims.Device(
        address: address, audience: audience, challenge: challenge, proof: proof, report: report),
      keys: keys)
    let header = SignedSetHeader.make(.identity, with: identity.publicKey)
    let text = CompactJWS.sign(claims.encoded, header: header, with: identity)
    let enrolment = Enrolment(claims: claims, at: address, identity: identity.publicKey, signedKeys: text)
    guard enrolment.encoded().count <= Enrolment.maximumSize else { throw .tooManyKeys }
    self = changed
    return enrolment
  }
}

/// A random text that a backend generates for one login and asks the device to sign with its enrolment.
///
/// The signed challenge proves that the enrolment is fresh and was made for that login.
public struct Challenge: Hashable, Sendable {
  /// The maximum size of a challenge, in bytes.
  public static let maximumSize = 255

  /// The text.
  public let text: String

  /// Takes a text of 1 to 255 bytes of UTF-8.
  ///
  /// - Throws: `ValueError`.
  public init(_ text: String) throws(ValueError) {
    guard (1...Self.maximumSize).contains(text.utf8.count) else {
      throw ValueError("challenge", is: "1 to \(Self.maximumSize) bytes")
    }
    self.text = text
  }

  /// Makes a challenge of 16 bytes from the system's random number generator, as 22 characters of base64url.
  public static func random() -> Challenge {
    guard let challenge = try? Challenge(Proof.random().text) else {
      preconditionFailure("a proof is short enough for a challenge")
    }
    return challenge
  }

  /// Whether both are the same bytes of UTF-8.
  public static func == (left: Challenge, right: Challenge) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

/// Keeps the token, which the signed claims contain, out of logs.
extension Enrolment: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint, and the serial.
  public var description: String { "enrolment of identity \(identity.thumbprint), serial \(serial)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
