public import Foundation

/// A button of a notification.
///
/// Models Apple's page "UNNotificationAction": the properties and the initialisers; actions of the same values are
/// equal.
public class UNNotificationAction: NSObject, NSCopying {
  /// What the app is told when it is chosen.
  public let identifier: String

  /// What the button says.
  public let title: String

  /// How it behaves.
  public let options: UNNotificationActionOptions

  /// The button's picture.
  public let icon: UNNotificationActionIcon?

  /// Makes an action without a picture.
  public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.init(identifier, title, options, nil)
  }

  /// Makes an action.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?
  ) {
    self.init(identifier, title, options, icon)
  }

  init(
    _ identifier: String, _ title: String, _ options: UNNotificationActionOptions,
    _ icon: UNNotificationActionIcon?
  ) {
    self.identifier = identifier
    self.title = title
    self.options = options
    self.icon = icon
    super.init()
  }

  /// The action itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same button, of the same kind.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction, type(of: self) == type(of: other) else {
      return false
    }
    return identifier == other.identifier && title == other.title && options == other.options
      && icon == other.icon
  }

  /// A number that is the same for actions that are equal.
  public override var hash: Int { [identifier, title].hashValue }
}
