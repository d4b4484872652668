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
  /// They are looked at in this order, and only where a push has no envelope of this package's: a text under its key
  /// that is base64url and begins with its version, 1, is one, good or not, and is never tried as something else. So a
  /// format of one's own belongs under another key.
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
