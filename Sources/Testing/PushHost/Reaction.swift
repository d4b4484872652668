#if !canImport(Darwin)
  private import Foundation
  internal import PushCore
  public import UserNotifications

  /// A person's reaction to a notification.
  public enum Reaction: Equatable, Sendable {
    /// Taps the notification.
    case tap
    /// Dismisses the notification.
    case dismiss
    /// Presses a button.
    case press(_ identifier: String)
    /// Presses a button that takes text, and enters a text.
    case reply(_ identifier: String, text: String)
  }

  /// Why a reaction is impossible.
  public enum ReactionError: Error, Equatable, Sendable {
    /// No notification is shown.
    case notVisible
    /// The notification's category has no such button, or no category with its name is registered.
    case noSuchButton
    /// The button does not take text.
    case takesNoText
    /// The app is not told, because the category lacks `customDismissAction`.
    case notReported
    /// The app has no delegate that could be told.
    case noDelegate
  }

  extension ReactionError: CustomStringConvertible {
    /// Why the reaction is impossible.
    public var description: String {
      switch self {
      case .notVisible: "no notification is shown"
      case .noSuchButton: "the notification has no such button: is its category registered?"
      case .takesNoText: "the button does not take text"
      case .notReported: "the app is not told: the category lacks customDismissAction"
      case .noDelegate: "the app has no delegate that could be told"
      }
    }
  }

  extension ShownNotification {
    /// The response that the app's delegate gets when the person reacts.
    ///
    /// ``ExtensionHost/react(_:to:)`` also passes it to the delegate, and notices if the delegate never calls the
    /// completion handler. Only Linux has this method, because a test cannot create Apple's classes.
    ///
    /// - Throws: ``ReactionError``.
    public func response(to reaction: Reaction) throws(ReactionError) -> UNNotificationResponse {
      guard isVisible else { throw .notVisible }
      switch reaction {
      case .tap: return respond(with: UNNotificationDefaultActionIdentifier)
      case .dismiss:
        guard reportsDismissal else { throw .notReported }
        return respond(with: UNNotificationDismissActionIdentifier)
      case .press(let identifier):
        return respond(with: try button(identifier: identifier).identifier)
      case .reply(let identifier, let text):
        guard try button(identifier: identifier).takesText else { throw .takesNoText }
        return UNTextInputNotificationResponse(
          notification: notification, actionIdentifier: identifier, userText: text)
      }
    }

    /// The notification as Apple's class.
    var notification: UNNotification {
      UNNotification(
        date: Date(timeIntervalSince1970: TimeInterval(date.seconds)),
        request: UNNotificationRequest(identifier: identifier, content: content, trigger: .push))
    }

    private func button(identifier: String) throws(ReactionError) -> Button {
      guard let button = buttons.first(where: { $0.identifier == identifier }) else { throw .noSuchButton }
      return button
    }

    private func respond(with action: String) -> UNNotificationResponse {
      UNNotificationResponse(notification: notification, actionIdentifier: action)
    }
  }
#endif
