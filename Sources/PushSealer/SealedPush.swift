public import PushEnvelope

/// A sealed notification, ready for an APNs client.
public struct SealedPush: Hashable, Sendable {
  /// The body of the request: JSON of at most 4096 bytes, 5120 for `voip`.
  public let payload: [UInt8]

  /// The headers of the request.
  public let headers: APNsHeaders

  /// How the bytes are spent.
  public let budget: Budget
}

/// The headers of a request to APNs ("Sending notification requests to APNs").
public struct APNsHeaders: Hashable, Sendable {
  /// The kind of push.
  public let pushType: PushType

  /// The app.
  public let topic: Topic

  /// The message's identity, for `apns-id` and `apns-collapse-id`: a retried job replaces instead of doubling.
  public let messageID: MessageID

  /// When APNs gives up, in Unix seconds; 0: now or never.
  public let expiration: Int64

  /// Names and values, in a fixed order.
  public var fields: [(name: String, value: String)] {
    [
      ("apns-push-type", pushType.rawValue),
      ("apns-topic", topic.text + pushType.topicSuffix),
      ("apns-priority", String(pushType.priority)),
      ("apns-id", messageID.text),
      ("apns-collapse-id", messageID.text),
      ("apns-expiration", String(expiration)),
    ]
  }

  init(pushType: PushType, topic: Topic, claims: Claims) {
    self.pushType = pushType
    self.topic = topic
    messageID = claims.messageID
    expiration = claims.lifetime == .zero ? 0 : claims.expiresAt.seconds
  }
}
