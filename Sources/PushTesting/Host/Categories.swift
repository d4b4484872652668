internal import UserNotifications

/// An app's categories, by identifier.
struct Categories: Sendable {
  struct Category: Sendable {
    var buttons: [ShownNotification.Button]
    var reportsDismissal: Bool
  }

  private var categories: [String: Category] = [:]

  init() {}

  init(_ registered: Set<UNNotificationCategory>) {
    for category in registered {
      categories[category.identifier] = Category(
        buttons: category.actions.map(ShownNotification.Button.init),
        reportsDismissal: category.options.contains(.customDismissAction))
    }
  }

  subscript(identifier: String) -> Category? { categories[identifier] }
}
