#if !canImport(Darwin)
  import Foundation
  import PushCore
  import PushReceiver
  import PushTesting
  import TestSupport
  import Testing
  import UserNotifications

  /// "Always call the completion handler when done" (Apple, "Declaring your actionable notification types").
  @Suite(.hangGuard)
  struct ResponseTests {
    private let clock = ManualClock(Bench.now)

    /// A phone whose app has a category with two buttons.
    private func host(_ app: (any UNUserNotificationCenterDelegate)?) -> ExtensionHost {
      let host = ExtensionHost(clock: clock) { TestExtension { $0.handler?($1) } }
      let accept = UNNotificationAction(identifier: "ACCEPT", title: "Accept", options: [])
      let decline = UNNotificationAction(
        identifier: "DECLINE", title: "Decline", options: [.destructive, .authenticationRequired])
      let open = UNNotificationAction(identifier: "OPEN", title: "Open", options: .foreground)
      host.center.setNotificationCategories([
        UNNotificationCategory(
          identifier: "C", actions: [accept, decline, open], intentIdentifiers: [],
          options: .customDismissAction)
      ])
      host.center.delegate = app
      return host
    }

    private func shown(on host: ExtensionHost) async throws -> ShownNotification {
      try await host.deliver(Array(#"{"aps":{"alert":"B","category":"C"},"ID":"1"}"#.utf8))
    }

    @Test(
      "the delegate gets the action and the app's keys",
      arguments: [
        (Reaction.press("ACCEPT"), "ACCEPT"), (.tap, UNNotificationDefaultActionIdentifier),
        (.dismiss, UNNotificationDismissActionIdentifier),
      ])
    func response(reaction: Reaction, action: String) async throws {
      var seen: [UNNotificationResponse] = []
      let app = TestApp(responding: {
        seen.append($0)
        $1()
      })
      let host = host(app)
      let response = try host.react(reaction, to: try await shown(on: host))
      try await response.handled()
      #expect(response.faults.isEmpty)
      #expect(seen.map(\.actionIdentifier) == [action])
      #expect(seen.first?.notification.request.content.userInfo["ID"] as? String == "1")
      #expect(seen.first?.notification.request.trigger is UNPushNotificationTrigger)
    }

    @Test("an asynchronous delegate is waited for")
    func asynchronous() async throws {
      let app = AsynchronousApp()
      let host = host(app)
      let response = try host.react(.tap, to: try await shown(on: host))
      try await response.handled()
      #expect(response.faults.isEmpty)
    }

    @Test("a delegate that never calls the handler")
    func never() async throws {
      var kept: (() -> Void)?
      let app = TestApp(responding: { kept = $1 })
      let host = host(app)
      let response = try host.react(.tap, to: try await shown(on: host))
      host.advance(by: .seconds(29))
      #expect(response.faults.isEmpty)
      host.advance(by: .seconds(1))
      #expect(response.faults == [.neverCalled])
      try await response.handled()
      kept?()
      #expect(response.faults == [.neverCalled, .calledLate])
    }

    @Test("a delegate that calls the handler later, but in time")
    func later() async throws {
      var kept: (() -> Void)?
      let app = TestApp(responding: { kept = $1 })
      let host = host(app)
      let response = try host.react(.tap, to: try await shown(on: host))
      host.advance(by: .seconds(29))
      kept?()
      host.advance(by: .seconds(1))
      #expect(response.faults.isEmpty)
    }

    @Test("a delegate that calls the handler twice")
    func twice() async throws {
      let app = TestApp(responding: {
        $1()
        $1()
      })
      let host = host(app)
      #expect(try host.react(.tap, to: try await shown(on: host)).faults == [.calledTwice])
    }

    @Test("a test that is cancelled does not wait for the delegate")
    func cancelled() async throws {
      let app = TestApp(responding: { _, _ in })
      let host = host(app)
      let response = try host.react(.tap, to: try await shown(on: host))
      let waiting = Task { try await response.handled() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(response.faults.isEmpty)
    }

    @Test("an app without a delegate cannot be told")
    func noDelegate() async throws {
      let host = host(nil)
      let shown = try await shown(on: host)
      #expect(throws: ReactionError.noDelegate) { try host.react(.tap, to: shown) }
      #expect(throws: ReactionError.noSuchButton) { try host.react(.press("X"), to: shown) }
    }

    @Test("nobody can react to what a delegate did not present")
    func notPresented() async throws {
      var phone = Phone()
      phone.appIsInForeground = true
      let app = TestApp(presenting: { $1([.sound, .badge]) })
      let host = ExtensionHost(clock: clock, phone: phone) { TestExtension { $0.handler?($1) } }
      host.center.delegate = app
      let shown = try await shown(on: host)
      #expect(throws: ReactionError.notVisible) { try host.react(.tap, to: shown) }
    }

    @Test("buttons have their actions' options")
    func options() async throws {
      let buttons = try await shown(on: host(nil)).buttons
      #expect(buttons.map(\.identifier) == ["ACCEPT", "DECLINE", "OPEN"])
      #expect(buttons.map(\.options) == [[], [.destructive, .authenticationRequired], .foreground])
    }
  }
#endif
