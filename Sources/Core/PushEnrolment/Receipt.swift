public import PushCore
public import PushKeys

/// What a device signs to tell its backend which messages it has opened, if the app wants receipts: FORMAT.md, [11.31] to
/// [11.33].
///
/// It needs no login, and may come again. It has the IDs that the messages have on the device, and no times but its own.
public struct Receipt: Hashable, Sendable {
  /// The maximum size of a receipt, in bytes: 32 KiB.
  public static let maximumSize = IdentityStatement.maximumSize

  /// The most messages in a receipt: 500.
  public static let maximumCount = 500

  /// The app that has opened the messages.
  public let topic: Topic

  /// The backend that the receipt is for.
  public let audience: Audience

  /// The public key of the device's identity, which signed the receipt.
  public let identity: PublicKey

  /// When the receipt was signed, by the device's clock.
  public let issuedAt: UnixTime

  /// The messages, by their IDs on the device: at least one, none twice.
  public let messages: [MessageID]

  /// The compact JWS that signs the claims.
  public let signed: String

  /// Parses a receipt and verifies its signature: FORMAT.md, [11.31] and [11.32].
  ///
  /// The receipt must be for `audience`, the backend's own name, and for `topic`, if one is given.
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing json: Span<UInt8>, for topic: Topic? = nil, audience: Audience) throws(SignedSetError) {
    let statement = try IdentityStatement(verifying: json, as: .receipt)
    guard let messages = Self.messages(in: statement.claims) else { throw .malformedClaims }
    guard topic ?? statement.topic == statement.topic else { throw .otherTopic }
    guard statement.audience == audience else { throw .otherAudience }
    self.init(
      topic: statement.topic, audience: audience, identity: statement.identity, issuedAt: statement.issuedAt,
      messages: messages, signed: statement.signed)
  }

  /// The claim `messages`; nil unless it is as [11.32] says.
  private static func messages(in claims: JSONObject) -> [MessageID]? {
    guard let values = claims["messages"]?.array, (1...maximumCount).contains(values.count) else {
      return nil
    }
    let messages = values.compactMap { value -> MessageID? in
      guard let text = value.string, let message = try? MessageID(text), message.text == text else {
        return nil
      }
      return message
    }
    return Set(messages).count == values.count ? messages : nil
  }

  fileprivate init(
    topic: Topic, audience: Audience, identity: PublicKey, issuedAt: UnixTime, messages: [MessageID],
    signed: String
  ) {
    self.topic = topic
    self.audience = audience
    self.identity = identity
    self.issuedAt = issuedAt
    self.messages = messages
    self.signed = signed
  }

  /// The receipt as one line of JSON, without a line feed.
  public func encoded() -> [UInt8] { IdentityStatement.encode(signed, as: .receipt) }
}

extension DeviceKeys {
  /// Signs that the device has opened messages; nil if there are none.
  ///
  /// The receipt has the first ``Receipt/maximumCount`` of them, each once. It spends no serial, because one that comes again
  /// says nothing else.
  ///
  /// - Throws: `KeySetError.wrongRole` without an active key.
  public func receipt(
    of messages: [MessageID], _ topic: Topic, for audience: Audience, at now: UnixTime = .now
  ) throws(KeySetError) -> Receipt? {
    var seen: Set<MessageID> = []
    let messages = Array(messages.filter { seen.insert($0).inserted }.prefix(Receipt.maximumCount))
    guard !messages.isEmpty else { return nil }
    let key = try identity.identityKey
    let claims: JSONObject = [
      "v": 1, "topic": .string(topic.text), "iat": .number(JSONNumber(now.seconds)),
      "audience": .string(audience.text), "messages": .array(messages.map { .string($0.text) }),
    ]
    return Receipt(
      topic: topic, audience: audience, identity: key.publicKey, issuedAt: now, messages: messages,
      signed: IdentityStatement.sign(claims, as: .receipt, with: key))
  }
}

extension EnrolmentStore {
  /// Signs that the device has opened messages, for the backend named `audience`; nil without keys, and without messages.
  ///
  /// The IDs are those that the messages have on the device, such as the notes of an extension have. Send the
  /// ``Receipt/encoded()`` bytes; they need no login.
  public func receipt(
    of messages: [MessageID], _ topic: Topic, for audience: Audience, at now: UnixTime = .now
  ) throws(Failure) -> Receipt? {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.receipt(of: messages, topic, for: audience, at: now)
    } ?? nil
  }
}

/// Keeps the signed text and the messages out of logs.
extension Receipt: CustomStringConvertible, CustomReflectable {
  /// The identity's thumbprint, and how many messages there are.
  public var description: String { "receipt of identity \(identity.thumbprint), \(messages.count) messages" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
