public import Foundation

/// A notification that was shown.
///
/// Models Apple's page "UNNotification". Apps cannot make one, here or there: the test host does.
public class UNNotification: NSObject, NSCopying {
  /// When it was shown.
  public let date: Date

  /// What was asked for.
  public let request: UNNotificationRequest

  /// Makes a notification, for a test host.
  package init(date: Date, request: UNNotificationRequest) {
    self.date = date
    self.request = request
    super.init()
  }

  /// The notification itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
