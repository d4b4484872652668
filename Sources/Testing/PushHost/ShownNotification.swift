public import PushSimulation
private import Foundation
internal import PushCore
internal import PushReceiver
public import SealedPush
public import UserNotifications

/// The notification that a person sees for a push, and what the app gets with it.
///
/// Its content is a copy that nobody changes.
public struct ShownNotification: @unchecked Sendable {
  /// A button of a notification.
  public struct Button: Hashable, Sendable {
    /// The action's identifier.
    public let identifier: String
    /// The button's title.
    public let title: String
    /// Whether the button takes text.
    public let takesText: Bool

    private let rawOptions: UInt

    /// How the button behaves: whether it is destructive, needs an unlocked phone, or opens the app.
    public var options: UNNotificationActionOptions { UNNotificationActionOptions(rawValue: rawOptions) }

    init(_ action: UNNotificationAction) {
      identifier = action.identifier
      title = action.title
      takesText = action is UNTextInputNotificationAction
      rawOptions = action.options.rawValue
    }
  }

  /// Where the content comes from.
  public enum Source: Equatable, Sendable {
    /// The extension returned it.
    case serviceExtension
    /// It is the original content of the push, unchanged by the extension.
    case original(OriginalReason)
  }

  /// Why the original content is shown.
  public enum OriginalReason: Equatable, Sendable {
    /// The extension did not run.
    case notRun(NotRunReason)
    /// The extension did not call its handler in time.
    case outOfTime
    /// The extension returned a content without text, but the app may not hide notifications.
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
  /// Where the content comes from.
  public let source: Source
  /// The content that the extension returned, or the original.
  public let content: UNNotificationContent

  /// How the notification is presented.
  ///
  /// While the app is in the background, it appears as a banner and in the list, plays its sound, and sets the badge.
  /// While the app is in the foreground, the app's delegate chooses among these.
  public internal(set) var presentation: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]

  /// Why the extension did not open the push; nil if it did, or did not run.
  public internal(set) var degraded: DegradedPush?

  /// Who writes in which conversation, if the extension has made a communication notification.
  public internal(set) var conversation: Conversation?

  /// The request's identifier: the collapse ID, if the push has one.
  package let identifier: String
  let date: UnixTime
  let reportsDismissal: Bool

  /// Whether there is a text to see, in a banner or in the list.
  public var isVisible: Bool { hasText && !presentation.isDisjoint(with: [.banner, .list]) }

  /// The sound that plays; nil for none.
  public var sound: UNNotificationSound? { presentation.contains(.sound) ? content.sound : nil }

  /// The number that appears on the app's icon: 0 removes it; nil leaves the icon unchanged.
  public var badge: Int? { presentation.contains(.badge) ? content.badge?.intValue : nil }

  /// The files that are shown with the notification.
  public var attachments: [UNNotificationAttachment] { content.attachments }

  /// The criteria that the app's Focus filter evaluates; nil if there are none.
  public var filterCriteria: String? { content.filterCriteria }

  #if !os(macOS)
    /// The launch image that the app shows when it is opened from the notification; empty for the app's default.
    public var launchImageName: String { content.launchImageName }
  #endif

  init(
    content: UNNotificationContent, identifier: String, date: UnixTime, source: Source, phone: Phone,
    categories: Categories
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
    self.date = date
  }

  /// Whether the person sees or hears the notification: the extension did not hide it, and it has a text, a sound or a
  /// badge.
  var isAlerting: Bool {
    hasText || source != .serviceExtension && (content.sound != nil || content.badge != nil)
  }

  private var hasText: Bool { !title.isEmpty || !body.isEmpty }
}

extension UNNotificationContent {
  /// A copy of the content that nobody else can change.
  var copied: UNNotificationContent { copy() as? UNNotificationContent ?? self }
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
