public import Foundation

/// What a notification shows and carries, to be changed.
///
/// Models Apple's page "UNMutableNotificationContent". Values are taken as they are, also those that the system would
/// not show.
public class UNMutableNotificationContent: UNNotificationContent {
  /// The first line.
  public override var title: String {
    get { values.title }
    set { values.title = newValue }
  }

  /// The line below.
  public override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }

  /// The text.
  public override var body: String {
    get { values.body }
    set { values.body = newValue }
  }

  /// The number on the app's icon; null leaves it as it is, 0 removes it.
  public override var badge: NSNumber? {
    get { values.badge }
    set { values.badge = newValue }
  }

  /// The sound; null is silence.
  public override var sound: UNNotificationSound? {
    get { values.sound }
    set { values.sound = newValue }
  }

  /// The files that are shown or played.
  public override var attachments: [UNNotificationAttachment] {
    get { values.attachments }
    set { values.attachments = newValue }
  }

  /// The image that the app shows while it starts; empty for the usual one.
  public override var launchImageName: String {
    get { values.launchImageName }
    set { values.launchImageName = newValue }
  }

  /// What groups notifications.
  public override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { values.threadIdentifier = newValue }
  }

  /// A registered category's identifier.
  public override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { values.categoryIdentifier = newValue }
  }

  /// What the app gets.
  public override var userInfo: [AnyHashable: Any] {
    get { values.userInfo }
    set { values.userInfo = newValue }
  }

  /// The window to bring forward.
  public override var targetContentIdentifier: String? {
    get { values.targetContentIdentifier }
    set { values.targetContentIdentifier = newValue }
  }

  /// How much it may disturb.
  public override var interruptionLevel: UNNotificationInterruptionLevel {
    get { values.interruptionLevel }
    set { values.interruptionLevel = newValue }
  }

  /// The rank in the summary, from 0 to 1.
  public override var relevanceScore: Double {
    get { values.relevanceScore }
    set { values.relevanceScore = newValue }
  }

  /// What a Focus of the app's decides by.
  public override var filterCriteria: String? {
    get { values.filterCriteria }
    set { values.filterCriteria = newValue }
  }
}
