public import Foundation

/// A button of a notification.
///
/// Models Apple's page "UNNotificationAction": the properties and the initialisers. Actions with the same values are
/// equal.
public class UNNotificationAction: NSObject, NSCopying {
  /// The identifier that the app gets when the person chooses the action.
  public let identifier: String

  /// The button's title.
  public let title: String

  /// How the action behaves.
  public let options: UNNotificationActionOptions

  /// The button's icon.
  public let icon: UNNotificationActionIcon?

  /// Creates an action without an icon.
  public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.init(identifier: identifier, titled: title, options: options, icon: nil)
  }

  /// Creates an action.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?
  ) {
    self.init(identifier: identifier, titled: title, options: options, icon: icon)
  }

  init(
    identifier: String, titled title: String, options: UNNotificationActionOptions,
    icon: UNNotificationActionIcon?
  ) {
    self.identifier = identifier
    self.title = title
    self.options = options
    self.icon = icon
    super.init()
  }

  /// Returns the action itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same class and the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction, type(of: self) == type(of: other) else {
      return false
    }
    return identifier == other.identifier && title == other.title && options == other.options
      && icon == other.icon
  }

  /// A hash value, which is the same for equal actions.
  public override var hash: Int { [identifier, title].hashValue }
}

/// How an action behaves.
///
/// Models Apple's page "UNNotificationActionOptions".
public struct UNNotificationActionOptions: OptionSet, Sendable {
  /// The options as bits.
  public let rawValue: UInt

  /// Takes the options as bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The device must be unlocked.
  public static var authenticationRequired: UNNotificationActionOptions { .init(rawValue: 1 << 0) }

  /// The action is destructive and looks like it.
  public static var destructive: UNNotificationActionOptions { .init(rawValue: 1 << 1) }

  /// The action brings the app to the foreground.
  public static var foreground: UNNotificationActionOptions { .init(rawValue: 1 << 2) }
}

/// An action's icon.
///
/// Models Apple's page "UNNotificationActionIcon". As on Apple's systems, an icon has no public properties, and two
/// icons are equal if they name the same image.
public class UNNotificationActionIcon: NSObject, NSCopying {
  /// The image's name, for a test host to show.
  package let imageName: String

  /// Whether the image is one of the system's symbols, and not the app's.
  package let isSystemImage: Bool

  /// Names an image of the app.
  public convenience init(templateImageName: String) {
    self.init(imageName: templateImageName, isSystemImage: false)
  }

  /// Names one of the system's symbols.
  public convenience init(systemImageName: String) {
    self.init(imageName: systemImageName, isSystemImage: true)
  }

  init(imageName: String, isSystemImage: Bool) {
    self.imageName = imageName
    self.isSystemImage = isSystemImage
    super.init()
  }

  /// Returns the icon itself, because it is immutable.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both name the same image.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationActionIcon else { return false }
    return imageName == other.imageName && isSystemImage == other.isSystemImage
  }

  /// A hash value, which is the same for equal icons.
  public override var hash: Int { imageName.hashValue }
}
