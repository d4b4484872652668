/// What is shown of a message that was opened before: the system delivers twice, and jobs are tried again.
///
/// A process that is killed after it has recorded a message, and before it has shown it, leaves a message that is known
/// and was not seen: only ``quietly`` shows it then.
public enum DuplicateRule: Hashable, Sendable {
  /// The message, without sound. The default.
  case quietly

  /// The placeholder, without sound.
  case placeholder

  /// Nothing, which works only with Apple's filtering entitlement; without it the system shows the original.
  case suppress
}
