// An override of a method that Apple's class does not have.
import UserNotifications

final class Service: UNNotificationServiceExtension {
  override func didReceive(_ request: UNNotificationRequest) {}
}
