public import Foundation

/// The center that an app registers its categories and its delegate with.
///
/// Models Apple's page "UNUserNotificationCenter" as far as an app that handles responses uses it: the delegate and the
/// categories. Not modelled: permission, settings, and local notifications. As on Apple's systems, ``current()``
/// returns one center for the whole process. A test host creates one for each of its devices.
///
/// It can be used on any thread. Like Apple's class, it is not Sendable.
public class UNUserNotificationCenter: NSObject {
  private let lock = NSLock()
  private weak var heldDelegate: (any UNUserNotificationCenterDelegate)?
  private var categories: Set<UNNotificationCategory>

  // A center is thread-safe.
  private static let shared = GivenAway(objects: UNUserNotificationCenter(categories: []))

  /// The process's center.
  public static func current() -> UNUserNotificationCenter { shared.objects }

  /// Creates a center, for a test host.
  package init(categories: Set<UNNotificationCategory>) {
    self.categories = categories
    super.init()
  }

  /// The object that handles notifications and responses.
  ///
  /// The center holds it weakly.
  public var delegate: (any UNUserNotificationCenterDelegate)? {
    get { lock.withLock { heldDelegate } }
    set { lock.withLock { heldDelegate = newValue } }
  }

  /// Registers categories, and replaces all that were registered before.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    lock.withLock { self.categories = categories }
  }

  /// The registered categories, for a test host.
  package var registeredCategories: Set<UNNotificationCategory> { lock.withLock { categories } }

  /// Passes the registered categories to a handler, on another thread.
  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    // Categories are immutable.
    let categories = GivenAway(objects: registeredCategories)
    Task { completionHandler(categories.objects) }
  }

  /// The registered categories.
  @concurrent
  public func notificationCategories() async -> Set<UNNotificationCategory> { registeredCategories }
}

/// Objects that are passed to another thread unchecked, as Apple's runtime does.
///
/// Each use explains why it is safe.
struct GivenAway<Objects>: @unchecked Sendable {
  let objects: Objects
}
