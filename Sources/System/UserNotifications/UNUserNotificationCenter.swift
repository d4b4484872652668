public import Foundation

/// The center that an app registers its categories and its delegate with, and that knows what was delivered.
///
/// Models Apple's page "UNUserNotificationCenter" as far as an app that handles responses uses it: the delegate, the
/// categories, and delivered notifications. A local notification without a trigger is delivered at once. Not modelled:
/// permission, settings, and triggers. As on Apple's systems, ``current()`` returns one center for the whole process. A test host
/// creates one for each of its devices.
///
/// It can be used on any thread. Like Apple's class, it is not Sendable.
public class UNUserNotificationCenter: NSObject {
  /// The most delivered notifications; a new one then replaces the oldest.
  package static let maximumDelivered = 100

  private let lock = NSLock()
  private weak var heldDelegate: (any UNUserNotificationCenterDelegate)?
  private var categories: Set<UNNotificationCategory>
  private var delivered: [UNNotification] = []

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

  /// Delivers a local notification, in place of one with the same identifier.
  public func add(_ request: UNNotificationRequest) async throws {
    deliver(UNNotification(date: Date(), request: request))
  }

  /// The notifications that are delivered and were not removed, oldest first.
  public func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) {
    // Notifications are immutable.
    let notifications = GivenAway(objects: deliveredNow)
    Task { completionHandler(notifications.objects) }
  }

  /// The notifications that are delivered and were not removed, oldest first.
  public func deliveredNotifications() async -> [UNNotification] { deliveredNow }

  /// Removes delivered notifications; identifiers that none has are passed over.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    lock.withLock { delivered.removeAll { identifiers.contains($0.request.identifier) } }
  }

  /// Removes all delivered notifications.
  public func removeAllDeliveredNotifications() { lock.withLock { delivered = [] } }

  /// What is delivered, for a test host.
  package var deliveredNow: [UNNotification] { lock.withLock { delivered } }

  /// Delivers a notification in place of one with the same identifier, for a test host.
  package func deliver(_ notification: UNNotification) {
    lock.withLock {
      delivered.removeAll { $0.request.identifier == notification.request.identifier }
      delivered.append(notification)
      if delivered.count > Self.maximumDelivered { delivered.removeFirst() }
    }
  }
}

/// Objects that are passed to another thread unchecked, as Apple's runtime does.
///
/// Each use explains why it is safe.
struct GivenAway<Objects>: @unchecked Sendable {
  let objects: Objects
}
