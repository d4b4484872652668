public import PushKeys
internal import PushCore
internal import PushFiles

/// The header of a signed key set, or of what an identity states, which names the signer (FORMAT.md, section 11).
enum SignedSetHeader {
  /// The `typ` of a signed key set.
  static let setType = "sealed-push-keys+jws"

  private static let algorithm = "EdDSA"

  /// The member that names the signer: `kid` for a pinned root, `jwk` for an identity.
  enum Signer: String {
    case root = "kid"
    case identity = "jwk"
  }

  /// The header for a signature by a root or an identity.
  static func make(_ signer: Signer, with key: PublicKey, type: String = setType) -> JSONObject {
    var header: JSONObject = ["alg": .string(algorithm), "typ": .string(type)]
    switch signer {
    case .root: header["kid"] = .string(key.thumbprint.text)
    case .identity: header["jwk"] = .object(jwk(of: key))
    }
    return header
  }

  /// Checks a header by [11.3], and returns the member that names the signer.
  ///
  /// - Throws: ``SignedSetError/unsupportedAlgorithm``, ``SignedSetError/wrongType``, ``SignedSetError/malformedHeader``.
  static func member(
    _ signer: Signer, of header: JSONObject, type: String = setType
  ) throws(SignedSetError) -> JSONValue {
    guard header["alg"] == .string(algorithm) else { throw .unsupportedAlgorithm }
    guard header["typ"] == .string(type) else { throw .wrongType }
    guard header.count == 3, let value = header[signer.rawValue] else { throw .malformedHeader }
    return value
  }

  /// Reads the identity's public key from `jwk`: [11.4].
  ///
  /// - Throws: ``SignedSetError/malformedHeader``.
  static func identity(from jwk: JSONValue) throws(SignedSetError) -> PublicKey {
    guard let object = jwk.object, object.count == 3, object["kty"] == .string(form.type),
      object["crv"] == form.curve.map(JSONValue.string), let x = object["x"]?.string,
      let bytes = try? Base64URL.decode(x), let key = try? PublicKey(algorithm: .ed25519, bytes: bytes)
    else { throw .malformedHeader }
    return key
  }

  private static func jwk(of key: PublicKey) -> JSONObject {
    var object = JSONObject()
    for (member, value) in form.requiredMembers(of: key.bytes) { object[member.rawValue] = .string(value) }
    return object
  }

  private static let form = KeyAlgorithm.ed25519.jwk
}

/// The claims of a signed key set (FORMAT.md, section 11).
struct SignedSetClaims {
  /// The claims that only a device's set has.
  struct Device {
    let address: PushAddress
    /// The backend that the set is for.
    let audience: Audience?
    let challenge: Challenge?
    let proof: Proof?
    /// What the device says of itself; what is malformed in it counts as absent.
    let report: DeviceReport?
  }

  let topic: Topic
  let serial: Int64
  let issuedAt: UnixTime
  /// When a set of senders ends; nil in a device's.
  let expiresAt: UnixTime?
  /// The device's claims; nil in a set of senders.
  let device: Device?
  let keys: PublicKeySet

  /// Makes a value from checked parts.
  init(
    topic: Topic, serial: Int64, issuedAt: UnixTime, expiresAt: UnixTime? = nil,
    device: Device? = nil, keys: PublicKeySet
  ) {
    self.topic = topic
    self.serial = serial
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.device = device
    self.keys = keys
  }

  /// Parses the payload of a set of `role`, device or sender: [11.6] and [11.7].
  ///
  /// - Throws: ``SignedSetError``.
  init(parsing payload: [UInt8], role: KeyRole) throws(SignedSetError) {
    guard let object = try? JSONObject(parsing: payload.span) else { throw .malformedClaims }
    guard object["v"]?.number?.integer == 1 else { throw .unsupportedVersion }
    guard let topic = object["topic"]?.string.flatMap({ try? Topic($0) }),
      let serial = object["serial"]?.number?.integer, (1...KeySetRules.maximumSerial).contains(serial),
      let issuedAt = object["iat"]?.number?.integer.flatMap(UnixTime.init(seconds:)),
      let keys = object["keys"]?.object
    else { throw .malformedClaims }
    self.topic = topic
    self.serial = serial
    self.issuedAt = issuedAt
    expiresAt = role == .sender ? try Self.end(in: object) : nil
    device = role == .device ? try Self.device(in: object, of: topic) : nil
    self.keys = try Self.keys(in: keys)
    guard self.keys.role != .device || self.keys.records.contains(where: { $0.life.status == .active }) else {
      throw .invalidKeys(.noActiveKey)
    }
    guard self.keys.role == role else { throw .wrongKeys }
  }

  private static func end(in object: JSONObject) throws(SignedSetError) -> UnixTime {
    guard let end = object["exp"]?.number?.integer.flatMap(UnixTime.init(seconds:)) else {
      throw .malformedClaims
    }
    return end
  }

  private static func device(in object: JSONObject, of topic: Topic) throws(SignedSetError) -> Device {
    guard let address = PushAddress(members: object, of: topic) else { throw .malformedClaims }
    return Device(
      address: address,
      audience: try optional(object["audience"]) { try? Audience($0) },
      challenge: try optional(object["challenge"]) { try? Challenge($0) },
      proof: try optional(object["proof"]) { try? Proof($0) },
      report: DeviceReport(members: object))
  }

  /// Reads an optional text; a wrong one throws ``SignedSetError/malformedClaims``.
  private static func optional<Text>(
    _ value: JSONValue?, as read: (String) -> Text?
  ) throws(SignedSetError) -> Text? {
    guard let value else { return nil }
    guard let text = value.string.flatMap(read) else { throw .malformedClaims }
    return text
  }

  private static func keys(in object: JSONObject) throws(SignedSetError) -> PublicKeySet {
    let text = object.encoded()
    do throws(KeySetError) {
      return try PublicKeySet(parsing: text.span)
    } catch {
      throw .invalidKeys(error)
    }
  }

  /// The payload.
  var encoded: JSONObject {
    var object: JSONObject = [
      "v": 1, "topic": .string(topic.text), "serial": .number(JSONNumber(serial)),
      "iat": .number(JSONNumber(issuedAt.seconds)),
    ]
    if let expiresAt { object["exp"] = .number(JSONNumber(expiresAt.seconds)) }
    if let device {
      for (name, value) in device.address.members where name != "topic" { object[name] = .string(value) }
      if let audience = device.audience { object["audience"] = .string(audience.text) }
      if let challenge = device.challenge { object["challenge"] = .string(challenge.text) }
      if let proof = device.proof { object["proof"] = .string(proof.text) }
      for (name, value) in device.report?.members ?? [:] { object[name] = value }
    }
    let keys = self.keys.encoded()
    guard let set = try? JSONObject(parsing: keys.span) else { preconditionFailure("a key set is JSON") }
    object["keys"] = .object(set)
    return object
  }
}

/// Why a signed key set, an enrolment, a leave, a receipt, or a registration is rejected: FORMAT.md, section 11.
public enum SignedSetError: Error, Equatable, Sendable {
  /// It exceeds 64 KiB, or 32 KiB for an enrolment.
  case tooLarge
  /// It is not three base64url parts separated by periods.
  case malformedJWS
  /// Its header is not a JSON object, or does not have exactly the required members.
  case malformedHeader
  /// Its algorithm is not Ed25519.
  case unsupportedAlgorithm
  /// Its `typ` is not the one that is wanted: that of a signed key set, of a leave, or of a receipt.
  case wrongType
  /// Its signer is not one of the pinned roots.
  case unknownSigner
  /// The signature is invalid.
  case badSignature
  /// The payload is not a JSON object, or a claim is missing or invalid.
  case malformedClaims
  /// Its `v` is not 1: newer software wrote it.
  case unsupportedVersion
  /// The key set in it is invalid.
  case invalidKeys(KeySetError)
  /// Its keys have the wrong role, such as a device's keys where a sender's are expected.
  case wrongKeys
  /// It is for another app.
  case otherTopic
  /// Its serial is lower than `last`, the serial of the last one.
  case olderSerial(last: Int64)
  /// It has the last serial, but different contents.
  case sameSerial
  /// The enrolment is not a JSON object, or a member is missing, invalid, or unknown.
  case malformedEnrolment
  /// The leave is not a JSON object, or a member is missing, invalid, or unknown.
  case malformedLeave
  /// The device's tokens are not a JSON object, or a member is missing, invalid, or unknown.
  case malformedTokens
  /// The receipt is not a JSON object, or a member is missing, invalid, or unknown.
  case malformedReceipt
  /// The enrolment's keys are not signed.
  case unsigned
  /// Its device's messages are carried by a service through which the reader delivers nothing.
  case unsupportedService
  /// A member of the enrolment differs from the signed claim.
  case mismatch(member: String)
  /// It is for another backend, or names none.
  case otherAudience
  /// It does not have the backend's challenge.
  case wrongChallenge
  /// It is signed by an identity other than the registration's, such as another phone's.
  case otherIdentity
  /// There is no registration with this name.
  case notRegistered
  /// The device would belong to more persons than ``Registration/maximumPersons``.
  case tooManyPersons
  /// Another registration, with the given name, has the same identity.
  case identityInUse(registration: String)
  /// Another registration, with the given name, has the same device token.
  case tokenInUse(registration: String)
  /// Another registration, with the given name, has a key with the same key ID.
  case keyInUse(registration: String)
  /// Two devices have its identity, which is suspended.
  case suspended

  /// The error's code in FORMAT.md.
  public var code: String {
    switch self {
    case .tooLarge: "too-large"
    case .malformedJWS: "malformed-jws"
    case .malformedHeader: "malformed-header"
    case .unsupportedAlgorithm: "unsupported-algorithm"
    case .wrongType: "wrong-type"
    case .unknownSigner: "unknown-signer"
    case .badSignature: "bad-signature"
    case .malformedClaims: "malformed-claims"
    case .unsupportedVersion: "unsupported-version"
    case .invalidKeys: "invalid-keys"
    case .wrongKeys: "wrong-keys"
    case .otherTopic: "other-topic"
    case .olderSerial: "older-serial"
    case .sameSerial: "same-serial"
    case .malformedEnrolment: "malformed-enrolment"
    case .malformedLeave: "malformed-leave"
    case .malformedTokens: "malformed-tokens"
    case .malformedReceipt: "malformed-receipt"
    case .unsigned: "unsigned"
    case .unsupportedService: "unsupported-service"
    case .mismatch: "mismatch"
    case .otherAudience: "other-audience"
    case .wrongChallenge: "wrong-challenge"
    case .otherIdentity: "other-identity"
    case .notRegistered: "not-registered"
    case .tooManyPersons: "too-many-persons"
    case .identityInUse: "identity-in-use"
    case .tokenInUse: "token-in-use"
    case .keyInUse: "key-in-use"
    case .suspended: "suspended"
    }
  }
}

extension SignedSetError: CustomStringConvertible {
  /// The code in FORMAT.md, and what is wrong.
  public var description: String { "rejected: \(code): \(reason)" }

  /// What is wrong, to follow the name of the rejected set, enrolment or registration.
  package var reason: String {
    switch self {
    case .tooLarge: "it is longer than any valid one"
    case .malformedJWS: "it is not a signed set"
    case .malformedHeader: "its header is malformed"
    case .unsupportedAlgorithm: "it is not signed with Ed25519"
    case .wrongType: "it is signed, but has the wrong type"
    case .unknownSigner: "it is not signed by a pinned root"
    case .badSignature: "its signature is invalid"
    case .malformedClaims: "its signed content is malformed"
    case .unsupportedVersion: "it was written by a newer version"
    case .invalidKeys(let error): "its keys: \(error.reason)"
    case .wrongKeys: "its keys have the wrong role"
    case .otherTopic: "it is for another app"
    case .olderSerial(let last): "its serial is lower than the last one, \(last)"
    case .sameSerial: "its serial was used before"
    case .malformedEnrolment: "it is malformed"
    case .malformedLeave, .malformedReceipt, .malformedTokens: "it is malformed"
    case .unsigned: "its keys are not signed"
    case .unsupportedService: "it is for a service, such as FCM, that is not accepted here"
    case .mismatch(let member): "'\(PrintableText.escaped(member))' does not match the signed value"
    case .otherAudience: "it is for another backend"
    case .wrongChallenge: "the challenge is wrong"
    case .otherIdentity: "it is signed by another identity"
    case .notRegistered: "there is no registration with that name"
    case .tooManyPersons: "the device belongs to \(Registration.maximumPersons) persons"
    case .identityInUse(let name): "registration \(PrintableText.escaped(name)) has that identity"
    case .tokenInUse(let name): "registration \(PrintableText.escaped(name)) has that device token"
    case .keyInUse(let name): "registration \(PrintableText.escaped(name)) has a key with that key ID"
    case .suspended: "two devices have its identity"
    }
  }
}
