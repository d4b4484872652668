/// A message's own statements about itself: its ID, when it was issued, and how long it is valid.
public struct Claims: Hashable, Sendable {
  /// The allowed clock skew between a device and a backend.
  public static let skew = Duration.seconds(300)

  /// The message's ID, which every retry repeats.
  public let messageID: MessageID

  /// When the message was issued.
  public let issuedAt: UnixTime

  /// How long the message is valid after it was issued.
  public let lifetime: Lifetime

  /// Makes claims from their parts.
  public init(messageID: MessageID, issuedAt: UnixTime, lifetime: Lifetime) {
    self.messageID = messageID
    self.issuedAt = issuedAt
    self.lifetime = lifetime
  }

  /// When the message expires, without the clock skew.
  public var expiresAt: UnixTime { issuedAt.advanced(by: .seconds(lifetime.seconds)) }

  /// Whether the message has expired at `now`, with the clock skew allowed for.
  public func isExpired(at now: UnixTime = .now) -> Bool { now > expiresAt.advanced(by: Self.skew) }

  /// Whether the message was issued in the future at `now`, with the clock skew allowed for.
  public func isNotYetValid(at now: UnixTime = .now) -> Bool { issuedAt > now.advanced(by: Self.skew) }
}

/// How long a message is valid after it was issued: from 0 seconds to 30 days, in whole seconds.
///
/// APNs stores a notification for an unreachable device for at most 30 days. Zero means that it is delivered now or
/// never.
public struct Lifetime: Hashable, Sendable {
  /// 30 days: 2,592,000 seconds.
  public static let maximum = Lifetime(unchecked: 2_592_000)

  /// 0 seconds: deliver now or never.
  public static let zero = Lifetime(unchecked: 0)

  /// The default lifetime of a message of this type (FORMAT.md, section 9).
  ///
  /// A message that is held back on its way can be delivered as long as it is valid, so the default is what its type
  /// needs:
  ///
  /// - notifications and data for the app: 30 days, as long as APNs stores them;
  /// - calls: one minute;
  /// - a Live Activity's state: 12 hours, as long as an activity can last;
  /// - push-to-talk: zero, now or never.
  public static func standard(for type: ContentType) -> Lifetime {
    switch type {
    case .notification, .background, .complication, .proofRequest: .maximum
    case .voip: Lifetime(unchecked: 60)
    case .liveActivity: Lifetime(unchecked: 12 * 3600)
    case .pushToTalk: .zero
    }
  }

  /// The default lifetime of a message that `service` carries, of a type that it carries.
  ///
  /// Of FCM's messages it is 28 days, the longest that FCM keeps one.
  public static func standard(for type: ContentType, over service: PushService) -> Lifetime {
    switch service {
    case .apns: standard(for: type)
    case .fcm: Lifetime(unchecked: UInt32(FCMDelivery.maximumTimeToLive))
    }
  }

  /// The number of seconds.
  public let seconds: UInt32

  /// Takes a number of seconds; nil below 0 or above 2,592,000.
  public init?(seconds: Int64) {
    guard (0...Int64(Self.maximum.seconds)).contains(seconds) else { return nil }
    self.seconds = UInt32(seconds)
  }

  private init(unchecked seconds: UInt32) { self.seconds = seconds }
}
