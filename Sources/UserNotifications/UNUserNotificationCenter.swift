public import Foundation

/// What an app tells the system about its notifications.
///
/// Models Apple's page "UNUserNotificationCenter" as far as what handles a response touches it: the delegate and the
/// categories. Not modelled: permission, settings, and notifications that the app itself asks for. On Apple's systems a
/// process has one center. So it is for ``current()`` here, while a test host makes one for each of its devices.
///
/// It may be used on any thread. Like Apple's it is not Sendable.
public class UNUserNotificationCenter: NSObject {
  private let lock = NSLock()
  private weak var heldDelegate: (any UNUserNotificationCenterDelegate)?
  private var categories: Set<UNNotificationCategory>

  // A center locks itself.
  private static let shared = GivenAway(objects: UNUserNotificationCenter(categories: []))

  /// The process's center.
  public class func current() -> UNUserNotificationCenter { shared.objects }

  /// Makes a center, for a test host.
  package init(categories: Set<UNNotificationCategory>) {
    self.categories = categories
    super.init()
  }

  /// What handles notifications and responses, which is not kept alive.
  public var delegate: (any UNUserNotificationCenterDelegate)? {
    get { lock.withLock { heldDelegate } }
    set { lock.withLock { heldDelegate = newValue } }
  }

  /// Registers the categories, in place of all that were registered before.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    lock.withLock { self.categories = categories }
  }

  /// Hands over the categories that are registered, on another thread.
  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    // Categories do not change.
    let categories = GivenAway(objects: lock.withLock { self.categories })
    Task { completionHandler(categories.objects) }
  }

  /// The categories that are registered.
  @concurrent
  public func notificationCategories() async -> Set<UNNotificationCategory> {
    lock.withLock { categories }
  }
}
