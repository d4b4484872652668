internal import PushEnvelope
internal import PushPayload

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
