/// What a message says of itself beside its content.
public struct Claims: Hashable, Sendable {
  /// How far a device's clock and a backend's may differ, in seconds.
  public static let skew: Int64 = 300

  /// The message's identity, the same in every attempt to send it.
  public let messageID: MessageID

  /// When it was issued.
  public let issuedAt: UnixTime

  /// How long it is good for from then on.
  public let lifetime: Lifetime

  /// Puts the claims together.
  public init(messageID: MessageID, issuedAt: UnixTime, lifetime: Lifetime) {
    self.messageID = messageID
    self.issuedAt = issuedAt
    self.lifetime = lifetime
  }

  /// When the message ends, without the skew.
  public var expiresAt: UnixTime { issuedAt.advanced(by: Int64(lifetime.seconds)) }

  /// Whether `now` is after the message's end and the skew.
  public func isExpired(at now: UnixTime) -> Bool { now > expiresAt.advanced(by: Self.skew) }

  /// Whether the message was issued after `now` and the skew.
  public func isNotYetValid(at now: UnixTime) -> Bool { issuedAt > now.advanced(by: Self.skew) }
}

/// How long a message is good for after it was issued, in whole seconds, from 0 to 30 days.
///
/// APNs keeps a notification for an unreachable device at most 30 days. Zero means: now or never.
public struct Lifetime: Hashable, Sendable {
  /// 30 days: 2,592,000 seconds.
  public static let maximum = Lifetime(unchecked: 2_592_000)

  /// Now or never.
  public static let zero = Lifetime(unchecked: 0)

  /// The number of seconds.
  public let seconds: UInt32

  /// Takes a number of seconds; null below 0 and above 2,592,000.
  public init?(seconds: Int64) {
    guard (0...Int64(Self.maximum.seconds)).contains(seconds) else { return nil }
    self.seconds = UInt32(seconds)
  }

  private init(unchecked seconds: UInt32) { self.seconds = seconds }
}
