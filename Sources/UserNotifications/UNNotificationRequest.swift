public import Foundation

/// A notification that is to be shown.
///
/// Models Apple's page "UNNotificationRequest": it copies the content that it is made of, and does not change. Not
/// modelled: coding.
public class UNNotificationRequest: NSObject, NSCopying {
  /// What tells it from others; of a remote notification `apns-collapse-id`, which the sender chooses.
  public let identifier: String

  /// What it shows and carries.
  public let content: UNNotificationContent

  /// What makes it appear; null for at once.
  public let trigger: UNNotificationTrigger?

  /// Makes a request.
  public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)
  {
    self.init(identifier, UNNotificationContent(content.values), trigger)
  }

  init(_ identifier: String, _ content: UNNotificationContent, _ trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    super.init()
  }

  /// The request itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
