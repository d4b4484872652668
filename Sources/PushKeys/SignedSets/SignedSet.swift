internal import PushEnvelope
internal import PushPayload

/// The header of a signed key set: who is said to have signed it.
enum SignedSetHeader {
  private static let type = "sealed-push-keys+jws"
  private static let algorithm = "EdDSA"

  /// What names the signer: `kid`, of a root that the reader has; or `jwk`, of an identity.
  enum Signer: String {
    case root = "kid"
    case identity = "jwk"
  }

  /// The header of a root's or of an identity's signature.
  static func make(_ signer: Signer, _ key: PublicKey) -> JSONObject {
    var header: JSONObject = ["alg": .string(algorithm), "typ": .string(type)]
    switch signer {
    case .root: header["kid"] = .string(key.thumbprint.text)
    case .identity: header["jwk"] = .object(jwk(key))
    }
    return header
  }

  /// The member that names the signer, of a header by [11.3].
  ///
  /// - Throws: ``SignedSetError/unsupportedAlgorithm``, ``SignedSetError/wrongType``, ``SignedSetError/malformedHeader``.
  static func member(_ signer: Signer, of header: JSONObject) throws(SignedSetError) -> JSONValue {
    guard header["alg"] == .string(algorithm) else { throw .unsupportedAlgorithm }
    guard header["typ"] == .string(type) else { throw .wrongType }
    guard header.count == 3, let value = header[signer.rawValue] else { throw .malformedHeader }
    return value
  }

  /// The identity's public key, of a `jwk` by [11.4].
  ///
  /// - Throws: ``SignedSetError/malformedHeader``.
  static func identity(_ jwk: JSONValue) throws(SignedSetError) -> PublicKey {
    guard let object = jwk.object, object.count == 3, object["kty"] == .string(form.type),
      object["crv"] == form.curve.map(JSONValue.string), let x = object["x"]?.string,
      let bytes = try? Base64URL.decode(x), let key = try? PublicKey(.ed25519, bytes: bytes)
    else { throw .malformedHeader }
    return key
  }

  private static func jwk(_ key: PublicKey) -> JSONObject {
    var object = JSONObject()
    for (name, value) in form.requiredMembers(of: key.bytes) { object[name] = .string(value) }
    return object
  }

  private static let form = KeyAlgorithm.ed25519.jwk
}

/// What is signed of a key set: FORMAT.md, section 11, the claims.
struct SignedSetClaims {
  /// What is signed of a device alone.
  struct Device {
    let environment: APNsEnvironment
    let token: DeviceToken
    let challenge: Challenge?
  }

  let topic: Topic
  let serial: Int64
  let issuedAt: UnixTime
  /// What a device's set says besides.
  let device: Device?
  let keys: PublicKeySet

  /// Puts together what was checked.
  init(
    topic: Topic, serial: Int64, issuedAt: UnixTime,
    device: Device? = nil, keys: PublicKeySet
  ) {
    self.topic = topic
    self.serial = serial
    self.issuedAt = issuedAt
    self.device = device
    self.keys = keys
  }

  /// Reads the payload of a set of `role`, a device's or a sender's: [11.6] and [11.7].
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
    device = role == .device ? try Self.device(object) : nil
    self.keys = try Self.keys(keys)
    guard self.keys.role != .device || self.keys.records.contains(where: { $0.life.status == .active }) else {
      throw .invalidKeys(.noActiveKey)
    }
    guard self.keys.role == role else { throw .wrongKeys }
  }

  private static func device(_ object: JSONObject) throws(SignedSetError) -> Device {
    guard let environment = object["environment"]?.string.flatMap(APNsEnvironment.init(rawValue:)),
      let text = object["token"]?.string, let token = DeviceToken(text: text), token.text == text
    else { throw .malformedClaims }
    var challenge: Challenge?
    if let value = object["challenge"] {
      challenge = value.string.flatMap(Challenge.init)
      guard challenge != nil else { throw .malformedClaims }
    }
    return Device(environment: environment, token: token, challenge: challenge)
  }

  private static func keys(_ object: JSONObject) throws(SignedSetError) -> PublicKeySet {
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
    if let device {
      object["environment"] = .string(device.environment.rawValue)
      object["token"] = .string(device.token.text)
      if let challenge = device.challenge { object["challenge"] = .string(challenge.text) }
    }
    let keys = self.keys.encoded()
    guard let set = try? JSONObject(parsing: keys.span) else { preconditionFailure("a key set is JSON") }
    object["keys"] = .object(set)
    return object
  }
}

/// Why a signed key set, an enrolment or a registration is refused: FORMAT.md, section 11.
public enum SignedSetError: Error, Equatable, Sendable {
  /// It has more than 64 KiB, or, as an enrolment, more than 32.
  case tooLarge
  /// It is not three parts of base64url with periods between them.
  case malformedJWS
  /// Its header is no JSON object, or has other members than it must have.
  case malformedHeader
  /// Its algorithm is not Ed25519.
  case unsupportedAlgorithm
  /// It is signed, but as something else than a key set.
  case wrongType
  /// It names a signer that is none of the pinned roots.
  case unknownSigner
  /// The signature is not the signer's.
  case badSignature
  /// What is signed is not JSON, or a claim is missing or wrong.
  case malformedClaims
  /// Its `v` is not 1: a newer program wrote it.
  case unsupportedVersion
  /// The key set in it is at fault.
  case invalidKeys(KeySetError)
  /// It has a device's keys where a sender's are wanted, or the reverse, or another's.
  case wrongKeys
  /// It is for another app.
  case otherTopic
  /// Its serial is lower than the last one, which is given.
  case olderSerial(last: Int64)
  /// It has the last serial, and is not the same.
  case sameSerial
  /// The enrolment is no JSON object, or a member is missing, wrong or not known.
  case malformedEnrolment
  /// The enrolment's keys are not signed.
  case unsigned
  /// A member of the enrolment is not what is signed.
  case mismatch(member: String)
  /// It has not the challenge that the backend gave for it.
  case wrongChallenge
  /// It is signed by another identity than the registration's: another phone's, or somebody else's.
  case otherIdentity
  /// There is no registration of that name.
  case notRegistered
  /// Another registration, whose name is given, has the same identity.
  case identityInUse(registration: String)
  /// Another registration, whose name is given, has the same device token.
  case tokenInUse(registration: String)
  /// Another registration, whose name is given, has a key of the same key id.
  case keyInUse(registration: String)

  /// The reason as FORMAT.md writes it.
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
    case .unsigned: "unsigned"
    case .mismatch: "mismatch"
    case .wrongChallenge: "wrong-challenge"
    case .otherIdentity: "other-identity"
    case .notRegistered: "not-registered"
    case .identityInUse: "identity-in-use"
    case .tokenInUse: "token-in-use"
    case .keyInUse: "key-in-use"
    }
  }
}
