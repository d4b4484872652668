/// What is shown of a message that was opened before: the system delivers twice, and jobs are tried again.
public enum DuplicateRule: Hashable, Sendable {
  /// The message, without sound. The default.
  case quietly

  /// The placeholder, without sound.
  case placeholder

  /// Nothing, which works only with Apple's filtering entitlement; without it the system shows the original.
  case suppress
}
