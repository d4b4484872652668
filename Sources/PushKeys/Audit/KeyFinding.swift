public import PushEnvelope

/// Something about a set that its owner should know.
public struct KeyFinding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Sendable, CaseIterable {
    /// Pushes are lost or not signed, or a key that should be gone is in use.
    case error
    /// Something is overdue.
    case warning
    /// Something will be due.
    case note
  }

  /// What was found; the raw value is for machines, and stays.
  public enum Code: String, Sendable, CaseIterable {
    /// The active key's end has passed: nothing is sealed to it or signed with it.
    case activeEnded = "active-ended"
    /// The active key's `nbf` has not come: what it signed would not be taken.
    case activeNotBegun = "active-not-begun"
    /// An accepted key's end has passed, and it is still there.
    case acceptedEnded = "accepted-ended"
    /// An accepted key has no end.
    case acceptedWithoutEnd = "accepted-without-end"
    /// The active key is older than 30 days, or 90, which is a warning.
    case oldActiveKey = "old-active-key"
    /// The active key was made after the moment that is said to be now.
    case madeInFuture = "made-in-future"
    /// Others do not have a key of the set, or do not seal to it.
    case notHandedOut = "not-handed-out"
    /// Others use a key that is not in the set, or has ended there; of senders a warning, since a copy may have several
    /// senders' keys.
    case goneKeyInUse = "gone-key-in-use"
  }

  /// How much it matters.
  public let severity: Severity

  /// What was found.
  public let code: Code

  /// The key.
  public let key: Thumbprint

  /// Puts a finding together.
  init(_ severity: Severity, _ code: Code, _ key: Thumbprint) {
    self.severity = severity
    self.code = code
    self.key = key
  }
}
