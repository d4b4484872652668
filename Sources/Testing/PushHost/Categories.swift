internal import UserNotifications

/// An app's categories, by identifier.
struct Categories: Sendable {
  struct Category: Sendable {
    var buttons: [ShownNotification.Button]
    var reportsDismissal: Bool
  }

  /// What is wrong with the categories.
  let findings: [CategoryFinding]

  private var categories: [String: Category] = [:]

  init(registered: Set<UNNotificationCategory>) {
    findings = CategoryFinding.all(of: registered)
    for category in registered {
      categories[category.identifier] = Category(
        buttons: category.actions.map(ShownNotification.Button.init),
        reportsDismissal: category.options.contains(.customDismissAction))
    }
  }

  subscript(identifier: String) -> Category? { categories[identifier] }
}

/// An identifier that is not unique, although Apple's page "Declaring your actionable notification types" asks for
/// that.
public enum CategoryFinding: Hashable, Sendable {
  /// Several categories have the identifier: a notification gets the buttons of any of them.
  case repeatedCategory(String)
  /// Several actions have the identifier, in the same category or in several, even if the actions are equal.
  ///
  /// The app's delegate can tell actions apart only by their identifiers.
  case repeatedAction(String, categories: [String])

  /// The findings about an app's categories, by identifier.
  static func all(of categories: Set<UNNotificationCategory>) -> [CategoryFinding] {
    let names = Dictionary(grouping: categories, by: \.identifier)
    let uses = categories.flatMap { category in category.actions.map { ($0.identifier, category.identifier) }
    }
    let actions = Dictionary(grouping: uses) { $0.0 }
    return names.filter { $1.count > 1 }.keys.sorted().map(Self.repeatedCategory)
      + actions.filter { $1.count > 1 }.sorted { $0.key < $1.key }.map { action, uses in
        .repeatedAction(action, categories: Set(uses.map(\.1)).sorted())
      }
  }
}
