public import PushEnvelope

/// What a receiver opens, from its own configuration.
///
/// Nothing is negotiated.
public struct Acceptance: Sendable {
  /// The suites.
  public var suites: Set<Suite>

  /// Whether messages that nobody signed are shown.
  public var anonymous: Bool

  /// The envelopes of other systems, for notifications alone.
  ///
  /// They are looked at in this order, and only where a push has no envelope of this package's, which they never stand
  /// in for: a message that does not open is not tried again as something else.
  public var formats: [AcceptedFormat]

  /// Signed messages in every suite.
  public static let signed = Acceptance()

  /// Makes an acceptance.
  public init(
    suites: Set<Suite> = Set(Suite.allCases), anonymous: Bool = false,
    formats: [AcceptedFormat] = []
  ) {
    self.suites = suites
    self.anonymous = anonymous
    self.formats = formats
  }
}
