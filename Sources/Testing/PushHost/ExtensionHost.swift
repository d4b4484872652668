private import Locks
public import PushCore
public import PushReceiver
public import PushSimulation
public import UserNotifications

/// A phone for tests, as the app and its notification service extension see it.
///
/// It accepts a payload as APNs would, decides as iOS does whether the extension runs, runs it, tells it when time is
/// up, and returns the notification that the person sees. Nothing waits for real time: the test moves the clock, which
/// the extension's receiver must share.
///
///     let host = ExtensionHost(clock: clock) { NotificationService() }
///     let shown = try await host.deliver(sealed.payload)
///     #expect(shown.body == "Lunch at noon?")
///
/// On Linux a test can also put the app in the foreground, and react to a notification: `host.center` is the app's
/// notification center, and its delegate is called as on a phone.
///
/// The host follows Apple's pages "Modifying content in newly delivered notifications", "UNNotificationServiceExtension",
/// "UNUserNotificationCenterDelegate" and "Declaring your actionable notification types".
public final class ExtensionHost: Sendable {
  /// The time limit of a handler: 30 seconds.
  ///
  /// For the extension's handler, Apple says "about 30 seconds". For the completion handlers of the app's delegate
  /// Apple gives no figure; the host gives them the same time.
  public static let timeLimit = Duration.seconds(30)

  /// The settings of the phone.
  public let phone: Phone

  let clock: ManualClock
  let app = HostedApp()
  private let attachments = AttachmentStore()
  private let extensions: ExtensionProcess
  private let watched = Mutex<[any Watched]>([])

  /// Creates a phone, and a process for the extension, which serves every push as long as the host exists.
  public init(
    clock: ManualClock, phone: Phone = Phone(),
    running makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) {
    self.clock = clock
    self.phone = phone
    extensions = ExtensionProcess(reusesInstance: phone.reusesInstance) { [app] in
      let service = makeExtension()
      app.adopt(service)
      return service
    }
  }

  /// Registers the app's categories, which define the buttons, and replaces those registered before.
  ///
  /// Any mistakes in them are in ``findings``.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    app.register(categories)
  }

  /// The mistakes in the registered categories: identifiers of categories or actions that are not unique.
  public var findings: [CategoryFinding] { app.categories.findings }

  /// Delivers a payload, and returns the notification that the person sees when the extension has finished.
  ///
  /// If the extension does not open the push, this throws the reason, unless `admitsPlaceholder` is true.
  ///
  /// - Throws: ``PushRefusal`` if APNs would not accept the payload; ``DegradedPush``; `CancellationError` if the task is
  ///   cancelled before the extension has finished.
  public func deliver(_ payload: [UInt8], admitsPlaceholder: Bool = false) async throws -> ShownNotification {
    try await push(payload).shown(admitsPlaceholder: admitsPlaceholder)
  }

  /// Delivers a payload, and returns while the extension works on it.
  ///
  /// `collapseID` becomes the request's identifier.
  ///
  /// - Throws: ``PushRefusal`` if APNs would not accept the payload.
  public func push(_ payload: [UInt8], collapseID: String? = nil) throws(PushRefusal) -> HostedPush {
    try push(payload, identifier: collapseID)
  }

  /// Delivers a sealed notification, and returns the notification that the person sees when the extension has finished.
  ///
  /// As on a phone, the request's identifier is the collapse ID, or else the message's ID. A notification takes the place of one
  /// with the same identifier: see ``deliveredIdentifiers``.
  ///
  /// - Throws: As ``deliver(_:admitsPlaceholder:)-([UInt8],_)``.
  public func deliver(
    _ push: SealedNotification, admitsPlaceholder: Bool = false
  ) async throws -> ShownNotification {
    try await self.push(push.payload, identifier: push.headers.identifier).shown(
      admitsPlaceholder: admitsPlaceholder)
  }

  /// Delivers a payload as the request with this identifier; nil for one of its own.
  package func push(_ payload: [UInt8], identifier: String?) throws(PushRefusal) -> HostedPush {
    let delivery = try APNsDelivery(payload: payload, identifier: identifier)
    let push = HostedPush(delivery: delivery, phone: phone, app: app, attachments: attachments, clock: clock)
    watch(push)
    if let reason = NotRunReason(payload: delivery.payload, alertsAreOn: phone.alertsAreOn) {
      push.show(original: .notRun(reason))
    } else {
      extensions.run(push)
    }
    return push
  }

  #if !canImport(Darwin)
    /// The identifiers of the notifications that are delivered, and that neither the app nor its extension has removed.
    public var deliveredIdentifiers: [String] { app.center.deliveredNow.map(\.request.identifier) }
  #endif

  /// Moves the clock forward.
  ///
  /// An extension whose 30 seconds are over is told so. If it still does not call its handler, the original is shown. A
  /// completion handler that the app's delegate does not call within 30 seconds becomes a fault.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
    expireHandlers()
  }

  /// Ends the time of handlers, after another owner of the clock has moved it.
  package func expireHandlers() {
    let watched = watched.withLock { watched in
      watched.removeAll(where: \.isOver)
      return watched
    }
    for call in watched { call.expire(at: clock.uptime) }
  }

  func watch(_ call: any Watched) {
    watched.withLock { watched in
      // The clock of a host that runs for long may never be moved, so this list is cleaned here too.
      if watched.count.nonzeroBitCount == 1 { watched.removeAll(where: \.isOver) }
      watched.append(call)
    }
  }
}

/// A call of the app or its extension whose handler the host watches.
protocol Watched: Sendable {
  /// Whether there is nothing left to watch.
  var isOver: Bool { get }

  /// Ends the time of the handlers that should have been called by `uptime`.
  func expire(at uptime: Duration)
}

/// The settings of a phone.
public struct Phone: Sendable {
  /// The app's texts, for the keys of a visible payload and of `localizedUserNotificationString`.
  public var strings: any LocalizedStrings = NoStrings()

  /// Whether the person lets the app show alerts.
  public var alertsAreOn = true

  #if canImport(Darwin)
    let appIsInForeground = false
  #else
    /// Whether the app is in the foreground, so that its delegate decides how a notification is presented.
    public var appIsInForeground = false
  #endif

  /// Whether Apple has given the app the filtering entitlement, so that a content without text is not shown.
  public var mayFilter = false

  /// Whether one instance of the extension serves all pushes, and not a new one each push in the same process; iOS does
  /// both.
  public var reusesInstance = false

  /// Creates the default settings: alerts are on, the app is in the background, and it has no texts and no entitlement.
  public init() {}
}

/// An instance of the extension.
///
/// iOS calls it on threads of its choice, and so does the host; Apple's class is not isolated to an actor.
final class ExtensionInstance: @unchecked Sendable {
  let service: UNNotificationServiceExtension

  init(service: UNNotificationServiceExtension) { self.service = service }
}

/// The process that serves an extension's pushes.
final class ExtensionProcess: Sendable {
  private let reusesInstance: Bool
  private let makeExtension: @Sendable () -> UNNotificationServiceExtension
  private let instance = Mutex<ExtensionInstance?>(nil)

  init(reusesInstance: Bool, running makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension)
  {
    self.reusesInstance = reusesInstance
    self.makeExtension = makeExtension
  }

  /// Passes a push to an instance.
  func run(_ push: HostedPush) {
    let instance = instance.withLock { shared in
      if reusesInstance, let shared { return shared }
      let instance = ExtensionInstance(service: makeExtension())
      shared = instance
      return instance
    }
    push.begin(in: instance)
    instance.service.didReceive(push.request) { push.handOver($0) }
  }
}
