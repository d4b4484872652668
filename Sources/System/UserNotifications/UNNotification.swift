public import Foundation

/// A notification that was shown.
///
/// Models Apple's page "UNNotification". Apps cannot create one, here or on Apple's systems; the test host does.
public class UNNotification: NSObject, NSCopying {
  /// When it was shown.
  public let date: Date

  /// The request that led to the notification.
  public let request: UNNotificationRequest

  /// Creates a notification, for a test host.
  package init(date: Date, request: UNNotificationRequest) {
    self.date = date
    self.request = request
    super.init()
  }

  /// Returns the notification itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A request to show a notification.
///
/// Models Apple's page "UNNotificationRequest": it copies its content, and is immutable. Not modelled: coding.
public class UNNotificationRequest: NSObject, NSCopying {
  /// The request's identifier.
  ///
  /// For a remote notification it is `apns-collapse-id`, which the sender chooses.
  public let identifier: String

  /// The content to show.
  public let content: UNNotificationContent

  /// The trigger: a ``UNPushNotificationTrigger`` for a remote notification, and `nil` for a local one that is shown
  /// immediately.
  public let trigger: UNNotificationTrigger?

  /// Creates a request.
  public convenience init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)
  {
    self.init(identifier: identifier, copied: UNNotificationContent(content.values), trigger: trigger)
  }

  init(identifier: String, copied content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
    super.init()
  }

  /// Returns the request itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The condition that makes a notification appear.
///
/// Models Apple's page "UNNotificationTrigger" as far as a request's signature needs it: apps cannot create one, here or
/// on Apple's systems. Only the subclass for remote notifications is modelled.
public class UNNotificationTrigger: NSObject, NSCopying {
  /// Whether the notification appears repeatedly.
  public let repeats: Bool

  init(repeats: Bool) {
    self.repeats = repeats
    super.init()
  }

  /// Returns the trigger itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The trigger of a remote notification.
///
/// Models Apple's page "UNPushNotificationTrigger". Apps cannot create one, here or on Apple's systems; the test host does.
public class UNPushNotificationTrigger: UNNotificationTrigger {
  /// Creates a trigger, for a test host.
  package init() { super.init(repeats: false) }
}
