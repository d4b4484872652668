/// How much a notification may disturb.
///
/// Models Apple's page "UNNotificationInterruptionLevel": the cases and their raw values. Apple may add cases, so a
/// `switch` over it in another package needs `@unknown default`, here as there.
@nonexhaustive
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// Added to the list, without lighting the screen or playing a sound.
  case passive = 0
  /// Shown at once, with light and sound.
  case active = 1
  /// Shown at once, also during Focus.
  case timeSensitive = 2
  /// Shown at once, past the mute switch.
  case critical = 3
}
