public import Foundation

/// A notification's content, which is read-only.
///
/// Models Apple's page "UNNotificationContent": the properties, their types and their defaults (empty texts, `nil`,
/// `active` and 0). A copy is read-only, a mutable copy shares nothing with its original, and contents with the same
/// values are equal. Like Apple's class, it is not Sendable.
public class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
  var values: ContentValues

  /// Creates an empty content.
  public override convenience init() { self.init(ContentValues()) }

  required init(_ values: ContentValues) {
    self.values = values
    super.init()
  }

  /// The title, the first line.
  public var title: String { values.title }

  /// The subtitle, below the title.
  public var subtitle: String { values.subtitle }

  /// The text.
  public var body: String { values.body }

  /// The number on the app's icon; `nil` leaves it unchanged, 0 removes it.
  public var badge: NSNumber? { values.badge }

  /// The sound; `nil` for none.
  public var sound: UNNotificationSound? { values.sound }

  /// The files to show or play.
  public var attachments: [UNNotificationAttachment] { values.attachments }

  /// The image that the app shows while it launches; empty for the default.
  public var launchImageName: String { values.launchImageName }

  /// The identifier that groups notifications.
  public var threadIdentifier: String { values.threadIdentifier }

  /// The identifier of a registered category.
  public var categoryIdentifier: String { values.categoryIdentifier }

  /// The custom data for the app.
  ///
  /// For a remote notification it is the payload.
  public var userInfo: [AnyHashable: Any] { values.userInfo }

  /// The identifier of the window to bring forward.
  public var targetContentIdentifier: String? { values.targetContentIdentifier }

  /// How much the notification may interrupt.
  public var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }

  /// The score that ranks the notification in the summary, from 0 to 1.
  public var relevanceScore: Double { values.relevanceScore }

  /// The criteria that a Focus filter of the app evaluates.
  public var filterCriteria: String? { values.filterCriteria }

  /// A content with the same values, which the system would decorate with data from `provider`.
  ///
  /// What the system adds, such as an avatar, is not modelled: the provider changes nothing, and no error is thrown.
  public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
    UNNotificationContent(values)
  }

  /// A read-only content with the same values.
  public func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(values) }

  /// A mutable content with the same values.
  public func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(values) }

  /// Whether both have the same values, mutable or not.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationContent)?.values == values
  }

  /// A hash value, which is the same for equal contents.
  public override var hash: Int { values.hashValue }
}

/// How much a notification may interrupt.
///
/// Models Apple's page "UNNotificationInterruptionLevel": the cases and their raw values. Apple may add cases, so a
/// `switch` over it in another package needs `@unknown default`, here as on Apple's systems.
@nonexhaustive
public enum UNNotificationInterruptionLevel: UInt, Sendable {
  /// Added to the list without lighting up the screen or playing a sound.
  case passive = 0
  /// Shown immediately, lights up the screen and can play a sound.
  case active = 1
  /// Shown immediately, even during Focus.
  case timeSensitive = 2
  /// Shown immediately, with a sound even if the device is muted.
  case critical = 3
}

/// Data with which the system decorates a notification.
///
/// Models Apple's page "UNNotificationContentProviding": a protocol without members. On Apple's systems only the
/// system's intents conform to it. Here nothing does; a test may define a stand-in for an intent.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// The values of a content.
struct ContentValues {
  var title = ""
  var subtitle = ""
  var body = ""
  var badge: NSNumber?
  var sound: UNNotificationSound?
  var attachments: [UNNotificationAttachment] = []
  var launchImageName = ""
  var threadIdentifier = ""
  var categoryIdentifier = ""
  var userInfo: [AnyHashable: Any] = [:]
  var targetContentIdentifier: String?
  var interruptionLevel = UNNotificationInterruptionLevel.active
  var relevanceScore = 0.0
  var filterCriteria: String?
}

extension ContentValues: Hashable {
  static func == (one: ContentValues, other: ContentValues) -> Bool {
    one.title == other.title && one.subtitle == other.subtitle && one.body == other.body
      && one.badge == other.badge && one.sound == other.sound && one.attachments == other.attachments
      && one.launchImageName == other.launchImageName && one.threadIdentifier == other.threadIdentifier
      && one.categoryIdentifier == other.categoryIdentifier
      && one.targetContentIdentifier == other.targetContentIdentifier
      && one.interruptionLevel == other.interruptionLevel && one.relevanceScore == other.relevanceScore
      && one.filterCriteria == other.filterCriteria && areEqual(one.userInfo, other.userInfo)
  }

  // A hash may leave out values that == compares.
  func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(subtitle)
    hasher.combine(body)
    hasher.combine(threadIdentifier)
    hasher.combine(categoryIdentifier)
  }
}

/// Whether two dictionaries of property-list values are equal by Foundation's rules.
func areEqual(_ one: [AnyHashable: Any], _ other: [AnyHashable: Any]) -> Bool {
  NSDictionary(dictionary: one).isEqual(NSDictionary(dictionary: other))
}
