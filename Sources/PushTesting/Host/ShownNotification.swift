internal import PushReceiver
public import UserNotifications

/// What a person sees of a push, and what the app gets with it.
///
/// Its content is a copy that nobody changes.
public struct ShownNotification: @unchecked Sendable {
  /// A button below a notification.
  public struct Button: Hashable, Sendable {
    /// The action's identifier.
    public let identifier: String
    /// Its title.
    public let title: String
    /// Whether it takes text.
    public let takesText: Bool

    init(_ action: UNNotificationAction) {
      identifier = action.identifier
      title = action.title
      takesText = action is UNTextInputNotificationAction
    }
  }

  /// Where it comes from.
  public enum Source: Equatable, Sendable {
    /// The extension handed it over.
    case serviceExtension
    /// It is the payload as it came, without the extension's work.
    case original(OriginalReason)
  }

  /// Why the payload is shown as it came.
  public enum OriginalReason: Equatable, Sendable {
    /// The extension did not run.
    case notRun(NotRunReason)
    /// The extension handed nothing over in time.
    case outOfTime
    /// The extension handed over a content without text, and is not entitled to hide notifications.
    case mayNotFilter
  }

  /// The first line, localized.
  public let title: String
  /// The line below, localized.
  public let subtitle: String
  /// The text, localized.
  public let body: String
  /// The buttons of the category, in order.
  public let buttons: [Button]
  /// Where it comes from.
  public let source: Source
  /// The content that was handed over, or the original.
  public let content: UNNotificationContent

  let identifier: String
  let reportsDismissal: Bool

  /// Whether there is anything to see.
  public var isVisible: Bool { !title.isEmpty || !body.isEmpty }

  init(
    _ content: UNNotificationContent, identifier: String, source: Source, phone: Phone, categories: Categories
  ) {
    title = phone.strings.shown(content.title)
    subtitle = phone.strings.shown(content.subtitle)
    body = phone.strings.shown(content.body)
    let category = categories[content.categoryIdentifier]
    buttons = category?.buttons ?? []
    reportsDismissal = category?.reportsDismissal ?? false
    self.source = source
    self.content = content
    self.identifier = identifier
  }
}

extension UNNotificationContent {
  /// A content of the same values that nobody else has.
  var copied: UNNotificationContent { copy() as? UNNotificationContent ?? self }
}

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

extension LocalizedStrings {
  /// A content's text as the system shows it.
  func shown(_ text: String) -> String {
    #if canImport(Darwin)
      text
    #else
      LocalizedUserNotificationString.resolve(text) { self.text(forKey: $0, arguments: $1) }
    #endif
  }
}
