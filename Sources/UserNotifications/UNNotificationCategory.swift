public import Foundation

/// A kind of notification, with its buttons.
///
/// Models Apple's page "UNNotificationCategory": the properties and the initialisers; what is not given is empty, and
/// categories of the same values are equal.
public class UNNotificationCategory: NSObject, NSCopying {
  /// What a content names it by.
  public let identifier: String

  /// The buttons, in their order.
  public let actions: [UNNotificationAction]

  /// The intents that it has to do with.
  public let intentIdentifiers: [String]

  /// How its notifications behave.
  public let options: UNNotificationCategoryOptions

  /// What stands for the text where previews are hidden; empty for the system's words.
  public let hiddenPreviewsBodyPlaceholder: String

  /// How the system sums up several of them; empty for the system's words.
  public let categorySummaryFormat: String

  /// Makes a category with the system's words.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(identifier, actions, intentIdentifiers, "", "", options)
  }

  /// Makes a category with own words where previews are hidden.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(identifier, actions, intentIdentifiers, hiddenPreviewsBodyPlaceholder, "", options)
  }

  /// Makes a category with own words where previews are hidden, and for the summary.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier, actions, intentIdentifiers, hiddenPreviewsBodyPlaceholder ?? "",
      categorySummaryFormat ?? "", options)
  }

  init(
    _ identifier: String, _ actions: [UNNotificationAction], _ intentIdentifiers: [String],
    _ hiddenPreviewsBodyPlaceholder: String, _ categorySummaryFormat: String,
    _ options: UNNotificationCategoryOptions
  ) {
    self.identifier = identifier
    self.actions = actions
    self.intentIdentifiers = intentIdentifiers
    self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
    self.categorySummaryFormat = categorySummaryFormat
    self.options = options
    super.init()
  }

  /// The category itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same kind.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return identifier == other.identifier && actions == other.actions
      && intentIdentifiers == other.intentIdentifiers && options == other.options
      && hiddenPreviewsBodyPlaceholder == other.hiddenPreviewsBodyPlaceholder
      && categorySummaryFormat == other.categorySummaryFormat
  }

  /// A number that is the same for categories that are equal.
  public override var hash: Int { identifier.hashValue }
}
