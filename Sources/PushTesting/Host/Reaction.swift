#if !canImport(Darwin)
  public import UserNotifications
  private import Foundation

  /// A person's reaction to a notification.
  public enum Reaction: Equatable, Sendable {
    /// Taps it.
    case tap
    /// Dismisses it.
    case dismiss
    /// Presses a button.
    case press(_ identifier: String)
    /// Presses a button that takes text, and enters some.
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
  }

  extension ShownNotification {
    /// What the app's `userNotificationCenter(_:didReceive:withCompletionHandler:)` gets when the person reacts.
    ///
    /// This exists only on Linux, because Apple's classes cannot be created by a test.
    ///
    /// - Throws: ``ReactionError``.
    public func response(to reaction: Reaction) throws(ReactionError) -> UNNotificationResponse {
      guard isVisible else { throw .notVisible }
      let notification = UNNotification(
        date: Date(timeIntervalSince1970: 0),
        request: UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
      switch reaction {
      case .tap: return respond(notification, UNNotificationDefaultActionIdentifier)
      case .dismiss:
        guard reportsDismissal else { throw .notReported }
        return respond(notification, UNNotificationDismissActionIdentifier)
      case .press(let identifier):
        return respond(notification, try button(identifier).identifier)
      case .reply(let identifier, let text):
        guard try button(identifier).takesText else { throw .takesNoText }
        return UNTextInputNotificationResponse(
          notification: notification, actionIdentifier: identifier, userText: text)
      }
    }

    private func button(_ identifier: String) throws(ReactionError) -> Button {
      guard let button = buttons.first(where: { $0.identifier == identifier }) else { throw .noSuchButton }
      return button
    }

    private func respond(_ notification: UNNotification, _ action: String) -> UNNotificationResponse {
      UNNotificationResponse(notification: notification, actionIdentifier: action)
    }
  }
#endif
