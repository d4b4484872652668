/// How a notification appears while its app is in front.
///
/// Models Apple's page "UNNotificationPresentationOptions", without what it names deprecated.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Takes the options as bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The number on the icon changes.
  public static var badge: UNNotificationPresentationOptions { .init(rawValue: 1 << 0) }

  /// The sound plays.
  public static var sound: UNNotificationPresentationOptions { .init(rawValue: 1 << 1) }

  /// It is added to the list.
  public static var list: UNNotificationPresentationOptions { .init(rawValue: 1 << 3) }

  /// It appears as a banner.
  public static var banner: UNNotificationPresentationOptions { .init(rawValue: 1 << 4) }
}
