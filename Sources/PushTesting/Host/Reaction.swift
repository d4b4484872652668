#if !canImport(Darwin)
  public import UserNotifications
  private import Foundation

  /// What a person does with a notification.
  public enum Reaction: Equatable, Sendable {
    /// Taps it.
    case tap
    /// Clears it away.
    case dismiss
    /// Presses a button.
    case press(_ identifier: String)
    /// Presses a button that takes a text, and enters one.
    case reply(_ identifier: String, text: String)
  }

  /// Why a person cannot do that.
  public enum ReactionError: Error, Equatable, Sendable {
    /// There is nothing to see.
    case notVisible
    /// The notification's category has no such button, or no category of its name is registered.
    case noSuchButton
    /// The button takes no text.
    case takesNoText
    /// The app is not told, because the category lacks `customDismissAction`.
    case notReported
  }

  extension ShownNotification {
    /// What the app's `userNotificationCenter(_:didReceive:withCompletionHandler:)` gets when the person reacts.
    ///
    /// Apple's classes cannot be made elsewhere, so this is for Linux alone.
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
