public import PushEnvelope

/// What a receiver opens, from its own configuration.
///
/// Nothing is negotiated.
public struct Acceptance: Hashable, Sendable {
  /// The suites.
  public var suites: Set<Suite>

  /// Whether messages that nobody signed are shown.
  public var anonymous: Bool

  /// Signed messages in every suite.
  public static let signed = Acceptance()

  /// Makes an acceptance.
  public init(suites: Set<Suite> = Set(Suite.allCases), anonymous: Bool = false) {
    self.suites = suites
    self.anonymous = anonymous
  }
}
