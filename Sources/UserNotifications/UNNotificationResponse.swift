public import Foundation

/// The action of a person who opened the app from the notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

/// The action of a person who dismissed the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What a person did with a notification.
///
/// Models Apple's page "UNNotificationResponse". Apps cannot make one, here or there: the test host does. The window
/// that UIKit adds is not modelled.
public class UNNotificationResponse: NSObject, NSCopying {
  /// The notification.
  public let notification: UNNotification

  /// What was chosen: an action's identifier, or ``UNNotificationDefaultActionIdentifier`` or
  /// ``UNNotificationDismissActionIdentifier``.
  public let actionIdentifier: String

  /// Makes a response, for a test host.
  package init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
    super.init()
  }

  /// The response itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
