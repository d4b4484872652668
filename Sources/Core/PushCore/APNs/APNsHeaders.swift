/// The headers of a request to APNs ("Sending notification requests to APNs").
public struct APNsHeaders: Hashable, Sendable {
  /// The push type (`apns-push-type`).
  public let pushType: PushType

  /// The app; `apns-topic` is its bundle ID with the push type's suffix.
  public let topic: Topic

  /// The priority of delivery (`apns-priority`).
  public let priority: Priority

  /// The message's ID (`apns-id`).
  public let messageID: MessageID

  /// The collapse ID (`apns-collapse-id`) that the caller has chosen.
  ///
  /// If nil, it is the message ID, so a retry replaces the first push, or the ID of the message that this one replaces.
  public let collapseID: String?

  /// The message that this one replaces, by its ID on the device.
  private let replaced: MessageID?

  /// The identifier that the notification has on the phone: the value of `apns-collapse-id`.
  public var identifier: String { collapseID ?? (replaced ?? messageID).text }

  /// When APNs stops trying to deliver (`apns-expiration`); second 0 for a single attempt.
  public let expiration: UnixTime

  /// The names and values, in a fixed order.
  public var fields: [(name: String, value: String)] { kindFields + messageFields }

  /// The names and values that many messages have.
  package var kindFields: [(name: String, value: String)] {
    [
      ("apns-push-type", pushType.rawValue),
      ("apns-topic", apnsTopic),
      ("apns-priority", String(priority.rawValue)),
    ]
  }

  /// The names and values that differ from message to message.
  package var messageFields: [(name: String, value: String)] {
    let id = messageID.text
    return [
      ("apns-id", id),
      ("apns-collapse-id", collapseID ?? replaced?.text ?? id),
      ("apns-expiration", String(expiration.seconds)),
    ]
  }

  /// The topic with the push type's suffix (`apns-topic`).
  package var apnsTopic: String { pushType.apnsTopic(of: topic) }

  /// Makes the headers of a message.
  ///
  /// - Throws: ``HeaderError``.
  package init(
    pushType: PushType, topic: Topic, claims: Claims, options: HeaderOptions
  ) throws(HeaderError) {
    self.pushType = pushType
    self.topic = topic
    messageID = claims.messageID
    priority = try pushType.checked(priority: options.priority)
    collapseID = try HeaderOptions.checked(collapseID: options.collapseID)
    replaced = options.replaced
    expiration = try pushType.checked(expiration: options.expiration, claims: claims)
  }
}

/// The names and values, to be iterated: `for (name, value) in push.headers`.
extension APNsHeaders: Sequence {
  /// Iterates over ``fields``.
  public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { fields.makeIterator() }
}

extension PushType {
  /// The requested priority, or this type's default.
  func checked(priority: Priority?) throws(HeaderError) -> Priority {
    guard let priority else { return priorities[0] }
    guard priorities.contains(priority) else { throw .priority(priority, self) }
    return priority
  }

  /// The requested expiration, or the end of the message's lifetime.
  func checked(expiration: UnixTime?, claims: Claims) throws(HeaderError) -> UnixTime {
    let isNever = isNowOrNever || claims.lifetime == .zero
    let never = UnixTime(clamping: 0)
    guard let expiration else { return isNever ? never : claims.expiresAt }
    guard expiration != never else { return never }
    guard !isNowOrNever else { throw .mustBeNowOrNever(self) }
    guard (claims.issuedAt...claims.expiresAt).contains(expiration) else {
      throw .expirationOutsideLifetime
    }
    return expiration
  }
}

extension HeaderOptions {
  /// The longest collapse ID that APNs accepts, in bytes; collapse keys of FCM are no longer, either.
  private static let maximumCollapseIDSize = 64

  static func checked(collapseID: String?) throws(HeaderError) -> String? {
    guard let collapseID else { return nil }
    let isVisible = { (byte: UInt8) in (0x21...0x7e).contains(byte) }
    guard (1...maximumCollapseIDSize).contains(collapseID.utf8.count), collapseID.utf8.allSatisfy(isVisible)
    else { throw .collapseID }
    return collapseID
  }
}

/// Header values that replace the defaults, which follow from the push type and the claims.
///
/// Apple can read all of them. Where FCM carries a message, they say how FCM delivers it, and Google can read them.
public struct HeaderOptions: Hashable, Sendable {
  /// `apns-priority`; if nil, the push type's default: 5 for `background`, 10 for all others.
  ///
  /// FCM's `priority` is `HIGH` for 10, and otherwise `NORMAL`.
  public var priority: Priority?

  /// `apns-collapse-id`, 1 to 64 bytes of visible ASCII; if nil, the message ID, or that of the message that it replaces.
  ///
  /// A push replaces an earlier one with the same value on the device. The same value on two devices links them.
  /// FCM's `collapse_key` is absent if this is nil, because FCM keeps no more than four of them for a device.
  public var collapseID: String?

  /// `apns-expiration`: when APNs stops trying to deliver, within the message's lifetime.
  ///
  /// Second 0 means a single attempt. If nil, it is the end of the lifetime, or 0 for `pushtotalk` and for a lifetime
  /// of 0 seconds. FCM's `ttl` is the time until then, at most 28 days.
  public var expiration: UnixTime?

  /// The message that the content replaces, by its ID on the device; nil if the content's own ID is it, or if there is none.
  package var replaced: MessageID?

  /// Makes options; without arguments, every header has its default.
  public init(priority: Priority? = nil, collapseID: String? = nil, expiration: UnixTime? = nil) {
    self.priority = priority
    self.collapseID = collapseID
    self.expiration = expiration
  }
}

/// How urgently APNs delivers a push (`apns-priority`).
public enum Priority: Int, Sendable, CaseIterable {
  /// 10: immediately.
  case immediate = 10
  /// 5: when it suits the phone's power use.
  case considerate = 5
  /// 1: saving power comes first, and the push does not wake the phone.
  case low = 1
}

/// Why a message's header options are invalid.
public enum HeaderError: Error, Hashable, Sendable {
  /// The push type does not allow this priority: `background` allows only 5, `pushtotalk` only 10, and
  /// `liveactivity` only 10 and 5.
  case priority(Priority, PushType)
  /// The collapse ID is not 1 to 64 bytes of visible ASCII.
  case collapseID
  /// The expiration is before the message is issued, or after its lifetime ends.
  case expirationOutsideLifetime
  /// APNs cannot store a push of this type: its expiration must be 0.
  case mustBeNowOrNever(PushType)
}

extension HeaderError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .priority(let priority, let pushType):
      "a push of type \(pushType.rawValue) cannot have priority \(priority.rawValue)"
    case .collapseID: "the collapse ID must have 1 to 64 visible ASCII characters"
    case .expirationOutsideLifetime: "the expiration is not within the message's lifetime"
    case .mustBeNowOrNever(let pushType):
      "a push of type \(pushType.rawValue) cannot be stored: its expiration must be 0"
    }
  }
}
