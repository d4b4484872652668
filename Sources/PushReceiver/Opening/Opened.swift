public import PushEnvelope

/// What is known of a message that was opened.
public struct Opened: Hashable, Sendable {
  /// The sender's key, whose signature was checked; null for an anonymous message.
  public let sender: Thumbprint?

  /// The device's or shared key that opened it.
  public let recipient: Thumbprint

  /// Its identity and times.
  public let claims: Claims

  /// Whether it was seen before.
  public let repetition: Repetition

  /// Whether the same message was opened before.
  public var isDuplicate: Bool { repetition == .duplicate }
}

/// What the replay store said of a message.
public enum Repetition: Hashable, Sendable {
  /// It is new.
  case first
  /// The same message was opened before.
  case duplicate
  /// The store could not say.
  case notChecked
}

/// What came of a push.
public enum Outcome: Hashable, Sendable {
  /// It was opened.
  case opened(Opened)
  /// The envelope of another system was opened: its format's name.
  ///
  /// It is nobody's message for certain, and nothing is known of it.
  case openedOther(format: String)
  /// It was not, and a placeholder is shown.
  case degraded(DegradeReason)
}

/// What to show of a push, always, and what came of it.
public struct Reception: Equatable, Sendable {
  /// What to show.
  public let content: ShownContent

  /// What came of it.
  public let outcome: Outcome
}
