public import PushEnvelope

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
