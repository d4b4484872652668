public import PushCore
public import PushKeys

/// The tokens that a device has besides its device token, signed by its identity: FORMAT.md, [11.34] to [11.37].
///
/// They are all that it has: a token that is missing has ended, as that of a Live Activity does with the activity. An app
/// signs and hands them in again whenever one changes. It needs no login, because the identity is registered.
///
/// ```swift
/// let tokens = try store.sign([.voip: token, .activity(named: "order 42"): other], at: address, for: audience)
/// ```
public struct DeviceTokens: Hashable, Sendable {
  /// The maximum size, in bytes: 32 KiB.
  public static let maximumSize = IdentityStatement.maximumSize

  /// How many tokens there may be.
  public static let maximumCount = 32

  /// The app.
  public let topic: Topic

  /// The environment that the tokens are for.
  public let environment: APNsEnvironment

  /// The backend that they are for.
  public let audience: Audience

  /// The public key of the device's identity, which signed them.
  public let identity: PublicKey

  /// The serial, from 1 to 2^53 - 1: later tokens have a greater one.
  public let serial: Int64

  /// When they were signed, by the device's clock.
  public let issuedAt: UnixTime

  /// The tokens.
  public let all: [TokenUse: DeviceToken]

  /// The compact JWS that signs the claims.
  public let signed: String

  /// Parses a device's tokens and verifies their signature.
  ///
  /// They must be for `audience`, the backend's own name, and for `topic`, if one is given.
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing json: Span<UInt8>, for topic: Topic? = nil, audience: Audience) throws(SignedSetError) {
    try self.init(IdentityStatement(verifying: json, as: .tokens))
    guard topic ?? self.topic == self.topic else { throw .otherTopic }
    guard self.audience == audience else { throw .otherAudience }
  }

  /// Verifies the signature of a stored JWS.
  ///
  /// - Throws: ``SignedSetError``.
  package init(signed text: String) throws(SignedSetError) {
    try self.init(IdentityStatement(signed: text, as: .tokens))
  }

  private init(_ statement: IdentityStatement) throws(SignedSetError) {
    guard let claims = Claims(statement) else { throw .malformedClaims }
    self.init(claims, identity: statement.identity, signed: statement.signed)
  }

  private init(_ claims: Claims, identity: PublicKey, signed: String) {
    (topic, environment, audience) = (claims.topic, claims.environment, claims.audience)
    (serial, issuedAt, all) = (claims.serial, claims.issuedAt, claims.tokens)
    (self.identity, self.signed) = (identity, signed)
  }

  /// Signs tokens with the identity's key and the serial that was spent for it.
  fileprivate init(_ claims: Claims, key: SigningKey) {
    self.init(
      claims, identity: key.publicKey, signed: IdentityStatement.sign(claims.members, as: .tokens, with: key))
  }

  /// The tokens as one line of JSON, without a line feed.
  public func encoded() -> [UInt8] { IdentityStatement.encode(signed, as: .tokens) }

  /// Whether a JSON text looks like a device's tokens, and not like an enrolment.
  package static func areTokens(_ json: Span<UInt8>) -> Bool {
    json.count <= maximumSize && (try? JSONObject(parsing: json))?["tokens"] != nil
  }

  /// What is signed.
  fileprivate struct Claims {
    let topic: Topic
    let environment: APNsEnvironment
    let audience: Audience
    let serial: Int64
    let issuedAt: UnixTime
    let tokens: [TokenUse: DeviceToken]

    init(
      topic: Topic, environment: APNsEnvironment, audience: Audience, serial: Int64, issuedAt: UnixTime,
      tokens: [TokenUse: DeviceToken]
    ) {
      (self.topic, self.environment, self.audience) = (topic, environment, audience)
      (self.serial, self.issuedAt, self.tokens) = (serial, issuedAt, tokens)
    }

    init?(_ statement: IdentityStatement) {
      let object = statement.claims
      guard let environment = object["environment"]?.string.flatMap(APNsEnvironment.init),
        let serial = object["serial"]?.number?.integer, (1...KeySetRules.maximumSerial).contains(serial),
        let values = object["tokens"]?.array, values.count <= maximumCount
      else { return nil }
      var tokens: [TokenUse: DeviceToken] = [:]
      for value in values {
        guard let members = value.object, let word = members["use"]?.string,
          let text = members["token"]?.string, let token = try? DeviceToken(text), token.text == text,
          case let name = members["name"]?.string, name != nil || members["name"] == nil
        else { return nil }
        guard name != "", let use = TokenUse(word: word, name: name ?? "") else {
          // Later versions may know other uses.
          if TokenUse.words.contains(word) { return nil }
          continue
        }
        guard tokens.updateValue(token, forKey: use) == nil else { return nil }
      }
      // A channel knows a token by itself: it would be for two things.
      let places = tokens.map { [$0.key.pushType.rawValue, $0.value.text] }
      guard Set(places).count == places.count else { return nil }
      self.init(
        topic: statement.topic, environment: environment, audience: statement.audience, serial: serial,
        issuedAt: statement.issuedAt, tokens: tokens)
    }

    var members: JSONObject {
      let sorted = tokens.map { (texts: $0.key.texts, token: $0.value) }.sorted {
        ($0.texts.word, $0.texts.name) < ($1.texts.word, $1.texts.name)
      }
      let values = sorted.map { entry -> JSONValue in
        var object: JSONObject = ["use": .string(entry.texts.word)]
        if !entry.texts.name.isEmpty { object["name"] = .string(entry.texts.name) }
        object["token"] = .string(entry.token.text)
        return .object(object)
      }
      return [
        "v": 1, "topic": .string(topic.text), "environment": .string(environment.rawValue),
        "serial": .number(JSONNumber(serial)), "iat": .number(JSONNumber(issuedAt.seconds)),
        "audience": .string(audience.text), "tokens": .array(values),
      ]
    }
  }
}

extension TokenUse {
  /// The words of all uses.
  fileprivate static let words: Set = ["voip", "complication", "pushtotalk", "start", "activity"]
}

extension KeySetEditor {
  /// Signs a device's tokens for the backend named `audience`, with the device's identity.
  ///
  /// The serial is the greater of the last serial plus 1 and the Unix time. Names that ``TokenUse/isName(_:)`` refuses, and more
  /// tokens than ``DeviceTokens/maximumCount``, are the caller's mistakes: the backend refuses them.
  ///
  /// - Throws: `KeySetError.wrongRole` unless the set is an identity's, `KeySetError.serialNotGreater`.
  public mutating func sign(
    _ tokens: [TokenUse: DeviceToken], of topic: Topic, in environment: APNsEnvironment,
    for audience: Audience, at now: UnixTime = .now
  ) throws(KeySetError) -> DeviceTokens {
    let (serial, key) = try spendSerial(nil, as: .identity, at: now)
    let claims = DeviceTokens.Claims(
      topic: topic, environment: environment, audience: audience, serial: serial, issuedAt: now,
      tokens: tokens)
    return DeviceTokens(claims, key: key)
  }
}

extension DeviceKeys {
  /// Signs the tokens that the device has besides its device token.
  ///
  /// - Throws: `KeySetError.serialNotGreater` if no serial is left.
  public mutating func sign(
    _ tokens: [TokenUse: DeviceToken], of topic: Topic, in environment: APNsEnvironment,
    for audience: Audience, at now: UnixTime = .now
  ) throws(KeySetError) -> DeviceTokens {
    try editIdentity { (editor) throws(KeySetError) in
      try editor.sign(tokens, of: topic, in: environment, for: audience, at: now)
    }
  }
}

extension EnrolmentStore {
  /// Signs the tokens that the device has besides its device token; nil without keys.
  ///
  /// Send the ``DeviceTokens/encoded()`` bytes to the backend whenever one of the tokens changes or ends.
  public func sign(
    _ tokens: [TokenUse: DeviceToken], of topic: Topic, in environment: APNsEnvironment,
    for audience: Audience, at now: UnixTime = .now
  ) throws(Failure) -> DeviceTokens? {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.sign(tokens, of: topic, in: environment, for: audience, at: now)
    }
  }
}

/// Keeps the tokens out of logs.
extension DeviceTokens: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint, the serial, and how many tokens there are.
  public var description: String {
    "\(all.count) tokens of identity \(identity.thumbprint), serial \(serial)"
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
