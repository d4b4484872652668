public import PushCore

/// Which envelopes a receiver opens.
///
/// This is the receiver's own configuration; nothing is negotiated.
public struct AcceptedEnvelopes: Sendable {
  /// The suites that open.
  public var suites: Set<Suite>

  /// Whether anonymous messages, which nobody signed, open.
  public var anonymous: Bool

  /// The formats of other systems' envelopes that open, for notifications only.
  ///
  /// They are tried in this order, and only if the push has none of this package's envelopes. A text under the
  /// envelope's key that is base64url and begins with the version, 1, counts as one, valid or not, and is never tried as
  /// another format. A format of your own therefore needs another key.
  public var formats: [AcceptedFormat]

  /// Signed messages in every suite.
  public static let signed = AcceptedEnvelopes()

  /// Makes a configuration.
  public init(
    suites: Set<Suite> = Set(Suite.allCases), anonymous: Bool = false,
    formats: [AcceptedFormat] = []
  ) {
    self.suites = suites
    self.anonymous = anonymous
    self.formats = formats
  }
}
