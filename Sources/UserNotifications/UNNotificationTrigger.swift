public import Foundation

/// What makes a notification appear.
///
/// Models Apple's page "UNNotificationTrigger" as far as a request's signature needs it: apps cannot make one, here or
/// there. Of its subclasses that of remote notifications is modelled.
public class UNNotificationTrigger: NSObject, NSCopying {
  /// Whether it makes the notification appear again and again.
  public let repeats: Bool

  init(repeats: Bool) {
    self.repeats = repeats
    super.init()
  }

  /// The trigger itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
