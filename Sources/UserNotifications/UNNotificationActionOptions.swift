/// How an action behaves.
///
/// Models Apple's page "UNNotificationActionOptions".
public struct UNNotificationActionOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Takes the options as bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The device has to be unlocked.
  public static var authenticationRequired: UNNotificationActionOptions { .init(rawValue: 1 << 0) }

  /// It destroys something, and looks like that.
  public static var destructive: UNNotificationActionOptions { .init(rawValue: 1 << 1) }

  /// It brings the app forward.
  public static var foreground: UNNotificationActionOptions { .init(rawValue: 1 << 2) }
}
