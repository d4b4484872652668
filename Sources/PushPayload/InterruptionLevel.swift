/// How much a notification may disturb.
///
/// The raw values are those of `aps.interruption-level`.
public enum InterruptionLevel: String, Sendable, CaseIterable {
  /// Added to the list, without lighting the screen or playing a sound.
  case passive
  /// Shown at once, with light and sound. The system's default.
  case active
  /// Shown at once, through Focus and the scheduled summary.
  case timeSensitive = "time-sensitive"
  /// Shown at once, past the mute switch; needs Apple's entitlement.
  case critical
}
