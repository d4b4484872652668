/// What a person wrote in reply to a notification.
///
/// Models Apple's page "UNTextInputNotificationResponse".
public class UNTextInputNotificationResponse: UNNotificationResponse {
  /// The text.
  public let userText: String

  /// Makes a response, for a test host.
  package init(notification: UNNotification, actionIdentifier: String, userText: String) {
    self.userText = userText
    super.init(notification: notification, actionIdentifier: actionIdentifier)
  }
}
