public import Foundation

/// What a notification shows and carries, to be read.
///
/// Models Apple's page "UNNotificationContent": the properties, their types and their values in a new content, which
/// are empty texts, null, `active` and 0; that a copy cannot be changed, that a mutable copy shares nothing with its
/// original, and that contents of the same values are equal. Like Apple's it is not Sendable.
public class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
  var values: ContentValues

  /// Makes an empty content.
  public override convenience init() { self.init(ContentValues()) }

  required init(_ values: ContentValues) {
    self.values = values
    super.init()
  }

  /// The first line.
  public var title: String { values.title }

  /// The line below.
  public var subtitle: String { values.subtitle }

  /// The text.
  public var body: String { values.body }

  /// The number on the app's icon; null leaves it as it is, 0 removes it.
  public var badge: NSNumber? { values.badge }

  /// The sound; null is silence.
  public var sound: UNNotificationSound? { values.sound }

  /// The files that are shown or played.
  public var attachments: [UNNotificationAttachment] { values.attachments }

  /// The image that the app shows while it starts; empty for the usual one.
  public var launchImageName: String { values.launchImageName }

  /// What groups notifications.
  public var threadIdentifier: String { values.threadIdentifier }

  /// A registered category's identifier.
  public var categoryIdentifier: String { values.categoryIdentifier }

  /// What the app gets; of a remote notification, its payload.
  public var userInfo: [AnyHashable: Any] { values.userInfo }

  /// The window to bring forward.
  public var targetContentIdentifier: String? { values.targetContentIdentifier }

  /// How much it may disturb.
  public var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }

  /// The rank in the summary, from 0 to 1.
  public var relevanceScore: Double { values.relevanceScore }

  /// What a Focus of the app's decides by.
  public var filterCriteria: String? { values.filterCriteria }

  /// A content of the same values, for the system to decorate with what `provider` says.
  ///
  /// What the system adds, an avatar for instance, is not modelled: the provider changes nothing, and no error is thrown.
  public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
    UNNotificationContent(values)
  }

  /// A content of the same values that cannot be changed.
  public func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(values) }

  /// A content of the same values that can be changed.
  public func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(values) }

  /// Whether both say the same, whichever of them can be changed.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UNNotificationContent)?.values == values
  }

  /// A number that is the same for contents that are equal.
  public override var hash: Int { values.hashValue }
}
