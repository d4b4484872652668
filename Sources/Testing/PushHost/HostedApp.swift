internal import PushSimulation

#if !canImport(Darwin)
  internal import SealedPush
#endif

#if !canImport(Darwin)
  public import UserNotifications

  /// The app on the phone, which iOS calls through its notification center.
  ///
  /// The center is thread-safe, and the app makes its delegate safe for calls on any thread.
  final class HostedApp: @unchecked Sendable {
    let center = UNUserNotificationCenter(categories: [])

    var categories: Categories { Categories(registered: center.registeredCategories) }

    func register(_ categories: Set<UNNotificationCategory>) { center.setNotificationCategories(categories) }

    /// Lets the package's own extension use this phone's notification center.
    func adopt(_ service: UNNotificationServiceExtension) {
      (service as? SealedNotificationService)?.hostedCenter = center
    }

    /// Puts a notification into the list of those that are delivered, in place of one with the same identifier.
    func list(_ shown: ShownNotification) {
      if shown.isVisible {
        center.deliver(shown.notification)
      } else {
        center.removeDeliveredNotifications(withIdentifiers: [shown.identifier])
      }
    }

    /// Asks the app's delegate how to present a notification.
    ///
    /// Without a delegate, everything is presented. A delegate that does not implement the method presents nothing
    /// (Apple, "userNotificationCenter(_:willPresent:withCompletionHandler:)").
    func willPresent(
      _ shown: ShownNotification, answering handler: Handler<UNNotificationPresentationOptions>
    ) {
      guard let delegate = center.delegate else {
        list(shown)
        handler.settle(with: shown.presentation)
        return
      }
      delegate.userNotificationCenter(center, willPresent: shown.notification) { [self] options in
        if options.contains(.list) { list(shown) }
        handler.call(with: options)
      }
    }
  }

  extension ExtensionHost {
    /// The app's notification center, which passes notifications and responses to its delegate.
    ///
    /// An app under test registers its categories and its delegate here, as it does with `current()` on a phone. The
    /// center holds the delegate weakly. Only Linux has this property, because a test cannot create Apple's classes.
    public var center: UNUserNotificationCenter { app.center }

    /// Passes a person's reaction to the app's delegate, and returns while the delegate works on it.
    ///
    /// - Throws: ``ReactionError``.
    public func react(
      _ reaction: Reaction, to shown: ShownNotification
    ) throws(ReactionError) -> HostedResponse {
      let response = try shown.response(to: reaction)
      guard let delegate = center.delegate else { throw .noDelegate }
      let hosted = HostedResponse(expiresAt: clock.uptime + Self.timeLimit)
      watch(hosted)
      delegate.userNotificationCenter(center, didReceive: response) { hosted.handler.call(with: ()) }
      return hosted
    }
  }

  /// A response that a host has passed to the app's delegate.
  public final class HostedResponse: Watched {
    let handler = Handler<Void>()
    private let expiresAt: Duration

    init(expiresAt: Duration) { self.expiresAt = expiresAt }

    /// Waits until the delegate has called the completion handler, or the handler's time is over.
    ///
    /// To test a delegate that never calls the handler, move the clock first.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that.
    public func handled() async throws { try await handler.wait() }

    /// The delegate's mistakes so far with the completion handler of
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    ///
    /// ``HandlerFault/neverCalled`` is recorded when the clock has moved by ``ExtensionHost/timeLimit``.
    public var faults: [HandlerFault] { handler.faults }

    var isOver: Bool { handler.answer != nil }

    func expire(at uptime: Duration) {
      if expiresAt <= uptime { handler.end(with: ()) }
    }
  }
#else
  private import Locks
  internal import UserNotifications

  /// The app on the phone: only its categories, because with Apple's classes a test can register nothing else.
  final class HostedApp: Sendable {
    private let registered = Mutex(Categories(registered: []))

    var categories: Categories { registered.withLock { $0 } }

    func register(_ categories: Set<UNNotificationCategory>) {
      let categories = Categories(registered: categories)
      registered.withLock { $0 = categories }
    }

    /// Nothing: the extension has the system's own center.
    func adopt(_ service: UNNotificationServiceExtension) {}

    /// Nothing: a test cannot put a notification into the system's list.
    func list(_ shown: ShownNotification) {}

    /// A test cannot create Apple's `UNNotification`, so everything is presented.
    func willPresent(
      _ shown: ShownNotification, answering handler: Handler<UNNotificationPresentationOptions>
    ) {
      handler.settle(with: shown.presentation)
    }
  }
#endif
