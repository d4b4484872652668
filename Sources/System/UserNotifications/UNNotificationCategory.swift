public import Foundation

/// A kind of notification, with its buttons.
///
/// Models Apple's page "UNNotificationCategory": the properties and the initialisers. Omitted values are empty, and
/// categories with the same values are equal.
public class UNNotificationCategory: NSObject, NSCopying {
  /// The identifier that a content refers to.
  public let identifier: String

  /// The buttons, in their order.
  public let actions: [UNNotificationAction]

  /// The identifiers of related intents.
  public let intentIdentifiers: [String]

  /// How its notifications behave.
  public let options: UNNotificationCategoryOptions

  /// The text shown when previews are hidden; empty for the system's default.
  public let hiddenPreviewsBodyPlaceholder: String

  /// The format of the summary of several notifications; empty for the system's default.
  public let categorySummaryFormat: String

  /// Creates a category with the system's default texts.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers, placeholder: "",
      summaryFormat: "", options: options)
  }

  /// Creates a category with a custom text for hidden previews.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      placeholder: hiddenPreviewsBodyPlaceholder, summaryFormat: "", options: options)
  }

  /// Creates a category with custom texts for hidden previews and for the summary.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      placeholder: hiddenPreviewsBodyPlaceholder ?? "",
      summaryFormat: categorySummaryFormat ?? "", options: options)
  }

  init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    placeholder hiddenPreviewsBodyPlaceholder: String, summaryFormat categorySummaryFormat: String,
    options: UNNotificationCategoryOptions
  ) {
    self.identifier = identifier
    self.actions = actions
    self.intentIdentifiers = intentIdentifiers
    self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
    self.categorySummaryFormat = categorySummaryFormat
    self.options = options
    super.init()
  }

  /// Returns the category itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return identifier == other.identifier && actions == other.actions
      && intentIdentifiers == other.intentIdentifiers && options == other.options
      && hiddenPreviewsBodyPlaceholder == other.hiddenPreviewsBodyPlaceholder
      && categorySummaryFormat == other.categorySummaryFormat
  }

  /// A hash value, which is the same for equal categories.
  public override var hash: Int { identifier.hashValue }
}

/// How notifications of a category behave.
///
/// Models Apple's page "UNNotificationCategoryOptions", without its deprecated members.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Takes the options as bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The app is told when a notification is dismissed.
  public static var customDismissAction: UNNotificationCategoryOptions { .init(rawValue: 1 << 0) }

  /// Notifications also appear in CarPlay.
  public static var allowInCarPlay: UNNotificationCategoryOptions { .init(rawValue: 1 << 1) }

  /// The title appears even where previews are hidden.
  public static var hiddenPreviewsShowTitle: UNNotificationCategoryOptions { .init(rawValue: 1 << 2) }

  /// The subtitle appears even where previews are hidden.
  public static var hiddenPreviewsShowSubtitle: UNNotificationCategoryOptions { .init(rawValue: 1 << 3) }
}
