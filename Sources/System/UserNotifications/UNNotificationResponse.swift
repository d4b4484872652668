public import Foundation

/// The identifier of the action when a person opened the app from the notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

/// The identifier of the action when a person dismissed the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// A person's response to a notification.
///
/// Models Apple's page "UNNotificationResponse". Apps cannot create one, here or on Apple's systems; the test host does. The
/// window that UIKit adds is not modelled.
public class UNNotificationResponse: NSObject, NSCopying {
  /// The notification.
  public let notification: UNNotification

  /// The chosen action's identifier, or ``UNNotificationDefaultActionIdentifier`` or
  /// ``UNNotificationDismissActionIdentifier``.
  public let actionIdentifier: String

  /// Creates a response, for a test host.
  package init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
    super.init()
  }

  /// Returns the response itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A person's response with a text.
///
/// Models Apple's page "UNTextInputNotificationResponse".
public class UNTextInputNotificationResponse: UNNotificationResponse {
  /// The text.
  public let userText: String

  /// Creates a response, for a test host.
  package init(notification: UNNotification, actionIdentifier: String, userText: String) {
    self.userText = userText
    super.init(notification: notification, actionIdentifier: actionIdentifier)
  }
}
