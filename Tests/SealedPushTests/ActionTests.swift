#if !canImport(Darwin)
  import Foundation
  import PushCore
  import SealedPush
  import PushReceiver
  import PushTesting
  import TestSupport
  import Testing
  import UserNotifications

  /// Apple's own example of actions, sealed: the buttons come from the sealed category, and what the app's handler needs
  /// from the sealed custom keys ("Declaring your actionable notification types").
  @Suite(.hangGuard)
  struct ActionTests {
    private let phone = Phone()
    private let calendar = Calendar()

    private static let meeting = Array(
      """
      {"aps":{"category":"MEETING_INVITATION","alert":{"title":"Weekly Staff Meeting","body":"Every Tuesday at 2pm"}},\
      "MEETING_ID":"123456789","USER_ID":"ABCD1234"}
      """.utf8)

    /// The invitation as the person sees it.
    private func invitation() async throws -> ShownNotification {
      let payload = try phone.sealed(payload: JSONObject(parsing: Self.meeting.span))
      let host = ExtensionHost(clock: phone.clock) { [phone] in TestService { _ in phone.receiver() } }
      host.setNotificationCategories([.meetingInvitation])
      return try await host.deliver(payload)
    }

    private func react(_ reaction: Reaction) async throws {
      calendar.userNotificationCenter(
        .current(), didReceive: try await invitation().response(to: reaction), withCompletionHandler: {})
    }

    @Test("the person sees the opened invitation with the category's buttons")
    func buttons() async throws {
      let shown = try await invitation()
      #expect(shown.title == "Weekly Staff Meeting")
      #expect(shown.body == "Every Tuesday at 2pm")
      #expect(shown.buttons.map(\.title) == ["Accept", "Decline", "Comment"])
      #expect(shown.buttons.map(\.takesText) == [false, false, true])
    }

    @Test(
      "each reaction reaches the app's handler with the sealed keys",
      arguments: [
        (Reaction.press("ACCEPT_ACTION"), "ABCD1234 accepts 123456789"),
        (.press("DECLINE_ACTION"), "ABCD1234 declines 123456789"),
        (.reply("COMMENT_ACTION", text: "Running late"), "ABCD1234 says Running late about 123456789"),
        (.tap, "ABCD1234 opens 123456789"), (.dismiss, "ABCD1234 dismisses 123456789"),
      ])
    func reactions(reaction: Reaction, entry: String) async throws {
      try await react(reaction)
      #expect(calendar.entries == [entry])
    }

    @Test("there is no button that the category does not have")
    func noSuchButton() async throws {
      let shown = try await invitation()
      #expect(throws: ReactionError.noSuchButton) { try shown.response(to: .press("SNOOZE_ACTION")) }
      #expect(throws: ReactionError.takesNoText) {
        try shown.response(to: .reply("ACCEPT_ACTION", text: "x"))
      }
    }

    @Test("what did not open has no buttons, and its handler gets no keys but the envelope's")
    func notOpened() async throws {
      let payload = try phone.sealed(payload: JSONObject(parsing: Self.meeting.span))
      let host = ExtensionHost(clock: phone.clock) { [phone] in
        TestService { _ in phone.receiver(keys: LockedKeyStore()) }
      }
      host.setNotificationCategories([.meetingInvitation])
      let shown = try await host.deliver(payload, admitsPlaceholder: true)
      #expect(shown.buttons.isEmpty)
      #expect(Array(shown.content.userInfo.keys) == ["ENCRYPTED_DATA"])
    }
  }

  extension UNNotificationCategory {
    fileprivate static var meetingInvitation: UNNotificationCategory {
      UNNotificationCategory(
        identifier: "MEETING_INVITATION",
        actions: [
          UNNotificationAction(identifier: "ACCEPT_ACTION", title: "Accept", options: []),
          UNNotificationAction(identifier: "DECLINE_ACTION", title: "Decline", options: [.destructive]),
          UNTextInputNotificationAction(
            identifier: "COMMENT_ACTION", title: "Comment", options: [.authenticationRequired],
            textInputButtonTitle: "Send", textInputPlaceholder: "Your comment"),
        ],
        intentIdentifiers: [], options: .customDismissAction)
    }
  }

  /// The app's delegate, as Apple's page writes it.
  private final class Calendar: NSObject, UNUserNotificationCenterDelegate {
    private(set) var entries: [String] = []

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
      let userInfo = response.notification.request.content.userInfo
      let meeting = userInfo["MEETING_ID"] as? String ?? "?"
      let user = userInfo["USER_ID"] as? String ?? "?"
      switch response.actionIdentifier {
      case "ACCEPT_ACTION": entries.append("\(user) accepts \(meeting)")
      case "DECLINE_ACTION": entries.append("\(user) declines \(meeting)")
      case "COMMENT_ACTION":
        let text = (response as? UNTextInputNotificationResponse)?.userText ?? "?"
        entries.append("\(user) says \(text) about \(meeting)")
      case UNNotificationDefaultActionIdentifier: entries.append("\(user) opens \(meeting)")
      case UNNotificationDismissActionIdentifier: entries.append("\(user) dismisses \(meeting)")
      default: entries.append("?")
      }
      completionHandler()
    }
  }
#endif
