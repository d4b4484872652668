#if !canImport(Darwin)
  import PushTesting
  import TestSupport
  import Testing
  import UserNotifications

  /// What the app hears of a reaction, and of which it hears nothing.
  @Suite(.hangGuard)
  struct ReactionTests {
    /// A notification of a category, as an app shows it that has registered MEETING.
    private func shown(
      category: String = "MEETING", _ options: UNNotificationCategoryOptions = []
    ) async throws -> ShownNotification {
      let host = ExtensionHost(clock: ManualClock(Bench.now)) {
        TestExtension { service, content in service.handler?(content) }
      }
      let accept = UNNotificationAction(identifier: "ACCEPT", title: "Accept")
      host.setNotificationCategories([
        UNNotificationCategory(
          identifier: "MEETING", actions: [accept], intentIdentifiers: [], options: options)
      ])
      let payload = #"{"aps":{"alert":"B","mutable-content":1,"category":"\#(category)"}}"#
      return try await host.deliver(Array(payload.utf8))
    }

    @Test("a category that the app has not registered brings no buttons, and a tap is all there is")
    func noCategory() async throws {
      let shown = try await shown(category: "OTHER", .customDismissAction)
      #expect(shown.content.categoryIdentifier == "OTHER")
      #expect(shown.buttons.isEmpty)
      #expect(throws: ReactionError.noSuchButton) { try shown.response(to: .press("ACCEPT")) }
      #expect(throws: ReactionError.notReported) { try shown.response(to: .dismiss) }
      #expect(try shown.response(to: .tap).actionIdentifier == UNNotificationDefaultActionIdentifier)
    }

    @Test("a dismissal is reported only if the category asks for it")
    func dismissalIsNotReported() async throws {
      let silent = try await shown()
      #expect(throws: ReactionError.notReported) { try silent.response(to: .dismiss) }
      let reported = try await shown(.customDismissAction).response(to: .dismiss)
      #expect(reported.actionIdentifier == UNNotificationDismissActionIdentifier)
    }
  }
#endif
