public import PushEnvelope

/// The headers of a request to APNs ("Sending notification requests to APNs").
public struct APNsHeaders: Hashable, Sendable {
  /// The kind of push.
  public let pushType: PushType

  /// The app.
  public let topic: Topic

  /// How soon it is delivered.
  public let priority: Priority

  /// The message's identity (`apns-id`).
  public let messageID: MessageID

  /// What replaces what (`apns-collapse-id`); null: the message id, so that a retried job replaces instead of doubling.
  public let collapseID: String?

  /// When APNs gives up, in Unix seconds; 0: now or never.
  public let expiration: Int64

  /// Names and values, in a fixed order.
  public var fields: [(name: String, value: String)] {
    [
      ("apns-push-type", pushType.rawValue),
      ("apns-topic", topic.text + pushType.topicSuffix),
      ("apns-priority", String(priority.rawValue)),
      ("apns-id", messageID.text),
      ("apns-collapse-id", collapseID ?? messageID.text),
      ("apns-expiration", String(expiration)),
    ]
  }

  /// Works the headers of a message out.
  init(
    pushType: PushType, topic: Topic, claims: Claims, options: HeaderOptions
  ) throws(HeaderError) {
    self.pushType = pushType
    self.topic = topic
    messageID = claims.messageID
    priority = try pushType.checked(options.priority)
    collapseID = try Self.checked(options.collapseID)
    expiration = try pushType.checked(options.expiration, claims)
  }

  /// The most bytes that APNs takes.
  private static let maximumCollapseIDSize = 64

  private static func checked(_ collapseID: String?) throws(HeaderError) -> String? {
    guard let collapseID else { return nil }
    let isVisible = { (byte: UInt8) in (0x21...0x7e).contains(byte) }
    guard (1...maximumCollapseIDSize).contains(collapseID.utf8.count), collapseID.utf8.allSatisfy(isVisible)
    else { throw .collapseID }
    return collapseID
  }
}

extension PushType {
  /// The priority that is asked for, or this type's own.
  fileprivate func checked(_ priority: Priority?) throws(HeaderError) -> Priority {
    guard let priority else { return priorities[0] }
    guard priorities.contains(priority) else { throw .priority(priority, self) }
    return priority
  }

  /// The expiration that is asked for, or the message's end.
  fileprivate func checked(_ expiration: UnixTime?, _ claims: Claims) throws(HeaderError) -> Int64 {
    let isNever = isNowOrNever || claims.lifetime == .zero
    guard let seconds = expiration?.seconds else { return isNever ? 0 : claims.expiresAt.seconds }
    guard seconds != 0 else { return 0 }
    guard !isNowOrNever else { throw .mustBeNowOrNever(self) }
    guard (claims.issuedAt.seconds...claims.expiresAt.seconds).contains(seconds) else {
      throw .expirationOutsideLifetime
    }
    return seconds
  }
}

/// What a message asks of APNs, where it is not what follows from its push type and its claims.
///
/// All of it can be read on the way.
public struct HeaderOptions: Hashable, Sendable {
  /// `apns-priority`; null: the push type's own, which is 10, and 5 for `background`.
  public var priority: Priority?

  /// `apns-collapse-id`, 1 to 64 bytes of visible ASCII; null: the message id.
  ///
  /// A push replaces another of the same value on the device. Two devices that get the same one are linked by it.
  public var collapseID: String?

  /// `apns-expiration`: when APNs gives up, within the message's lifetime; second 0: now or never; null: the
  /// lifetime's end.
  public var expiration: UnixTime?

  /// Makes options; without arguments everything follows from the push type and the claims.
  public init(priority: Priority? = nil, collapseID: String? = nil, expiration: UnixTime? = nil) {
    self.priority = priority
    self.collapseID = collapseID
    self.expiration = expiration
  }
}

/// How much a push may cost the phone (`apns-priority`).
public enum Priority: Int, Sendable, CaseIterable {
  /// 10: at once.
  case immediate = 10
  /// 5: when it suits the phone's power.
  case considerate = 5
  /// 1: power comes first, and the push does not wake the phone.
  case low = 1
}

/// Why APNs would refuse a request, or not do what it asks.
public enum HeaderError: Error, Hashable, Sendable {
  /// The push type does not have this priority: `background` has 5 alone, `pushtotalk` 10 alone, and
  /// `liveactivity` 10 and 5.
  case priority(Priority, PushType)
  /// The collapse id has not 1 to 64 bytes, or another character than the visible ones of ASCII.
  case collapseID
  /// The expiration is before the message was issued or after its end.
  case expirationOutsideLifetime
  /// The push type cannot be kept: its expiration is 0.
  case mustBeNowOrNever(PushType)
}
