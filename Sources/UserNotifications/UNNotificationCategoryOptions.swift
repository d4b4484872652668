/// How notifications of a category behave.
///
/// Models Apple's page "UNNotificationCategoryOptions", without what it names deprecated.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Takes the options as bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The app hears that a notification was dismissed.
  public static var customDismissAction: UNNotificationCategoryOptions { .init(rawValue: 1 << 0) }

  /// They also appear in CarPlay.
  public static var allowInCarPlay: UNNotificationCategoryOptions { .init(rawValue: 1 << 1) }

  /// The title appears even where previews are hidden.
  public static var hiddenPreviewsShowTitle: UNNotificationCategoryOptions { .init(rawValue: 1 << 2) }

  /// The subtitle appears even where previews are hidden.
  public static var hiddenPreviewsShowSubtitle: UNNotificationCategoryOptions { .init(rawValue: 1 << 3) }
}
