#if !canImport(Darwin)
  import Foundation
  import PushCore
  import PushReceiver
  import PushTesting
  import TestSupport
  import Testing
  import UserNotifications

  /// The delegate of an app in the foreground decides what is presented (Apple,
  /// "userNotificationCenter(_:willPresent:withCompletionHandler:)").
  @Suite(.hangGuard)
  struct ForegroundTests {
    private let clock = ManualClock(Bench.now)
    private let payload = Array(
      #"{"aps":{"alert":{"title":"T","body":"B"},"sound":"default","badge":3,"mutable-content":1}}"#.utf8)

    /// A phone with an app in the foreground, whose extension shows what it gets.
    private func host(
      _ app: (any UNUserNotificationCenterDelegate)?, settings change: (inout Phone) -> Void = { _ in },
      extension work: @escaping @Sendable (TestExtension, UNNotificationContent) -> Void = { $0.handler?($1) }
    ) -> ExtensionHost {
      var phone = Phone()
      phone.appIsInForeground = true
      change(&phone)
      let host = ExtensionHost(clock: clock, phone: phone) { TestExtension(work) }
      host.center.delegate = app
      return host
    }

    @Test(
      "the delegate's options decide what is seen and heard",
      arguments: [
        ([], false, false, nil), (.banner, true, false, nil), (.list, true, false, nil),
        (.sound, false, true, nil), (.badge, false, false, 3), ([.banner, .sound, .badge], true, true, 3),
      ] as [(UNNotificationPresentationOptions, Bool, Bool, Int?)])
    func options(
      options: UNNotificationPresentationOptions, isVisible: Bool, isHeard: Bool, badge: Int?
    ) async throws {
      let app = TestApp(presenting: { $1(options) })
      let push = try host(app).push(payload)
      let shown = try await push.shown()
      #expect(shown.presentation == options)
      #expect(shown.isVisible == isVisible)
      #expect((shown.sound != nil) == isHeard)
      #expect(shown.badge == badge)
      #expect(shown.body == "B")
      #expect(push.presentationFaults.isEmpty)
    }

    @Test("the delegate gets what the extension made")
    func notification() async throws {
      var seen: UNNotification?
      let app = TestApp(presenting: { notification, completion in
        seen = notification
        completion([.banner])
      })
      let host = host(
        app,
        extension: { service, _ in
          let changed = UNMutableNotificationContent()
          changed.body = "opened"
          service.handler?(changed)
        })
      clock.advance(by: .seconds(5))
      #expect(try await host.push(payload, collapseID: "c").shown().isVisible)
      #expect(seen?.request.content.body == "opened")
      #expect(seen?.request.identifier == "c")
      #expect(seen?.request.trigger is UNPushNotificationTrigger)
      #expect(seen?.date == Date(timeIntervalSince1970: TimeInterval(Bench.now.seconds + 5)))
    }

    @Test("an app in the background is not asked")
    func background() async throws {
      let app = TestApp(presenting: { _, _ in Issue.record("it was asked") })
      let shown = try await host(app, settings: { $0.appIsInForeground = false }).deliver(payload)
      #expect(shown.presentation == [.banner, .list, .sound, .badge])
      #expect(shown.isVisible)
    }

    @Test("without a delegate everything is presented")
    func noDelegate() async throws {
      #expect(try await host(nil).deliver(payload).presentation == [.banner, .list, .sound, .badge])
    }

    @Test("a delegate without the method presents nothing")
    func silent() async throws {
      let app = SilentApp()
      #expect(try await host(app).deliver(payload).presentation == [])
    }

    @Test("an asynchronous delegate is waited for")
    func asynchronous() async throws {
      let app = AsynchronousApp()
      #expect(try await host(app).deliver(payload).presentation == [.list])
    }

    @Test("a delegate that never calls the handler presents nothing, which is its fault alone")
    func never() async throws {
      var kept: ((UNNotificationPresentationOptions) -> Void)?
      let app = TestApp(presenting: { kept = $1 })
      let host = host(app)
      let push = try host.push(payload)
      host.advance(by: .seconds(29))
      #expect(push.presentationFaults.isEmpty)
      host.advance(by: .seconds(1))
      #expect(push.presentationFaults == [.neverCalled])
      #expect(push.faults.isEmpty)
      #expect(try await push.shown().isVisible == false)
      kept?([.banner])
      #expect(push.presentationFaults == [.neverCalled, .calledLate])
      #expect(try await push.shown().isVisible == false)
    }

    @Test("a delegate that calls the handler later, but in time")
    func later() async throws {
      var kept: ((UNNotificationPresentationOptions) -> Void)?
      let app = TestApp(presenting: { kept = $1 })
      let host = host(app)
      let push = try host.push(payload)
      host.advance(by: .seconds(29))
      kept?([.banner])
      host.advance(by: .seconds(1))
      #expect(try await push.shown().isVisible)
      #expect(push.presentationFaults.isEmpty)
    }

    @Test("a delegate that calls the handler twice")
    func twice() async throws {
      let app = TestApp(presenting: { _, completion in
        completion([.banner])
        completion([])
      })
      let push = try host(app).push(payload)
      #expect(push.presentationFaults == [.calledTwice])
      #expect(try await push.shown().presentation == .banner)
    }

    @Test("the delegate is asked about the original, too, when the extension's time is up")
    func outOfTime() async throws {
      let app = TestApp(presenting: { $1([.banner]) })
      let host = host(app, extension: { _, _ in })
      let push = try host.push(payload)
      host.advance(by: ExtensionHost.timeLimit)
      let shown = try await push.shown()
      #expect(shown.source == .original(.outOfTime))
      #expect(shown.presentation == .banner)
      #expect(push.faults == [.neverCalled])
      #expect(push.presentationFaults.isEmpty)
    }

    @Test(
      "the delegate is asked about a text, a sound or a badge, and about nothing else",
      arguments: [
        (#"{"aps":{"alert":"B"}}"#, true), (#"{"aps":{"sound":"default"}}"#, true),
        (#"{"aps":{"badge":0}}"#, true), (#"{"aps":{"content-available":1}}"#, false),
        (#"{"aps":{"alert":"B","mutable-content":1}}"#, false),
      ])
    func askedOrNot(payload: String, isAsked: Bool) async throws {
      var asked = 0
      let app = TestApp(presenting: {
        asked += 1
        $1([])
      })
      // The extension hides what it gets.
      let host = host(
        app, settings: { $0.mayFilter = true },
        extension: { service, _ in service.handler?(UNNotificationContent()) })
      _ = try await host.deliver(Array(payload.utf8))
      #expect(asked == (isAsked ? 1 : 0))
    }

    @Test("a test that is cancelled does not wait for the delegate")
    func cancelled() async throws {
      var kept: ((UNNotificationPresentationOptions) -> Void)?
      let app = TestApp(presenting: { kept = $1 })
      let push = try host(app).push(payload)
      let waiting = Task { try await push.shown() }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      kept?([.list])
      #expect(try await push.shown().presentation == .list)
    }
  }
#endif
