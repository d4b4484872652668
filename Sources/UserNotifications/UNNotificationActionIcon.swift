public import Foundation

/// The picture of an action.
///
/// Models Apple's page "UNNotificationActionIcon". As on Apple's systems an icon says nothing of itself, and two are
/// equal if they name the same picture.
public class UNNotificationActionIcon: NSObject, NSCopying {
  /// The picture's name, for a test host to show.
  package let imageName: String

  /// Whether the picture is one of the system's symbols, and not the app's.
  package let isSystemImage: Bool

  /// Names a picture of the app's.
  public convenience init(templateImageName: String) { self.init(templateImageName, isSystemImage: false) }

  /// Names one of the system's symbols.
  public convenience init(systemImageName: String) { self.init(systemImageName, isSystemImage: true) }

  init(_ imageName: String, isSystemImage: Bool) {
    self.imageName = imageName
    self.isSystemImage = isSystemImage
    super.init()
  }

  /// The icon itself, which never changes.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both name the same picture.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationActionIcon else { return false }
    return imageName == other.imageName && isSystemImage == other.isSystemImage
  }

  /// A number that is the same for icons that are equal.
  public override var hash: Int { imageName.hashValue }
}
