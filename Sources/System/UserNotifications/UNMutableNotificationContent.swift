public import Foundation

/// A notification's content, which can be changed.
///
/// Models Apple's page "UNMutableNotificationContent". Values are stored as they are, even if the system would not show
/// them.
public class UNMutableNotificationContent: UNNotificationContent {
  /// The title, the first line.
  public override var title: String {
    get { values.title }
    set { values.title = newValue }
  }

  /// The subtitle, below the title.
  public override var subtitle: String {
    get { values.subtitle }
    set { values.subtitle = newValue }
  }

  /// The text.
  public override var body: String {
    get { values.body }
    set { values.body = newValue }
  }

  /// The number on the app's icon; `nil` leaves it unchanged, 0 removes it.
  public override var badge: NSNumber? {
    get { values.badge }
    set { values.badge = newValue }
  }

  /// The sound; `nil` for none.
  public override var sound: UNNotificationSound? {
    get { values.sound }
    set { values.sound = newValue }
  }

  /// The files to show or play.
  public override var attachments: [UNNotificationAttachment] {
    get { values.attachments }
    set { values.attachments = newValue }
  }

  /// The image that the app shows while it launches; empty for the default.
  public override var launchImageName: String {
    get { values.launchImageName }
    set { values.launchImageName = newValue }
  }

  /// The identifier that groups notifications.
  public override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { values.threadIdentifier = newValue }
  }

  /// The identifier of a registered category.
  public override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { values.categoryIdentifier = newValue }
  }

  /// The custom data for the app.
  public override var userInfo: [AnyHashable: Any] {
    get { values.userInfo }
    set { values.userInfo = newValue }
  }

  /// The identifier of the window to bring forward.
  public override var targetContentIdentifier: String? {
    get { values.targetContentIdentifier }
    set { values.targetContentIdentifier = newValue }
  }

  /// How much the notification may interrupt.
  public override var interruptionLevel: UNNotificationInterruptionLevel {
    get { values.interruptionLevel }
    set { values.interruptionLevel = newValue }
  }

  /// The score that ranks the notification in the summary, from 0 to 1.
  public override var relevanceScore: Double {
    get { values.relevanceScore }
    set { values.relevanceScore = newValue }
  }

  /// The criteria that a Focus filter of the app evaluates.
  public override var filterCriteria: String? {
    get { values.filterCriteria }
    set { values.filterCriteria = newValue }
  }
}
