public import PushReceiver
private import Synchronization
public import UserNotifications

/// A phone, as a notification service extension knows it.
///
/// It takes a payload as APNs would, decides as iOS does whether the extension runs, runs it, tells it when time is up,
/// and returns what the person sees. Nothing waits for real time: the test moves the clock, which the extension's
/// receiver must share.
///
///     let host = ExtensionHost(clock: clock) { NotificationService() }
///     let shown = try await host.deliver(sealed.payload)
///     #expect(shown.body == "Lunch at noon?")
///
/// What iOS does is taken from Apple's pages "Modifying content in newly delivered notifications",
/// "UNNotificationServiceExtension" and "Declaring your actionable notification types".
public final class ExtensionHost: Sendable {
  /// How long an extension has before it is told that time is up, as Apple's page says ("about 30 seconds").
  public static let timeLimit = Duration.seconds(30)

  /// The settings of the phone.
  public let phone: Phone

  private struct State {
    var pushes: [HostedPush] = []
    var categories = Categories()
  }

  private let clock: ManualClock
  private let attachments = AttachmentStore()
  private let extensions: ExtensionProcess
  private let state = Mutex(State())

  /// Starts a process with the extension in it, which serves every push until the host is let go.
  public init(
    clock: ManualClock, phone: Phone = Phone(),
    _ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) {
    self.clock = clock
    self.phone = phone
    extensions = ExtensionProcess(reusesInstance: phone.reusesInstance, makeExtension)
  }

  /// Registers the app's categories, which bring the buttons.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    let categories = Categories(categories)
    state.withLock { $0.categories = categories }
  }

  /// Delivers a payload, and returns what the person sees when the extension has handed it over.
  ///
  /// - Throws: ``PushRefusal``, if APNs would not take it, and `CancellationError`, if the task is cancelled while the
  ///   extension works on it.
  public func deliver(_ payload: [UInt8]) async throws -> ShownNotification {
    try await push(payload).shown()
  }

  /// Delivers a payload, and returns while the extension works on it.
  ///
  /// `collapseID` becomes the request's identifier.
  ///
  /// - Throws: ``PushRefusal``, if APNs would not take it.
  public func push(_ payload: [UInt8], collapseID: String? = nil) throws(PushRefusal) -> HostedPush {
    let delivery = try APNsDelivery(payload, collapseID: collapseID)
    let push = HostedPush(
      delivery, phone: phone, categories: state.withLock(\.categories), attachments: attachments,
      expiresAt: clock.uptime + Self.timeLimit)
    if let reason = NotRunReason(delivery.payload, alertsAreOn: phone.alertsAreOn) {
      push.show(original: .notRun(reason))
    } else {
      state.withLock { $0.pushes.append(push) }
      extensions.run(push)
    }
    return push
  }

  /// Moves the clock forward.
  ///
  /// An extension whose 30 seconds are over is told so. If it then hands nothing over, the original is shown.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
    let due = state.withLock { state in
      let due = state.pushes.filter { !$0.isOver && $0.expiresAt <= clock.uptime }
      state.pushes.removeAll(where: \.isOver)
      return due
    }
    for push in due {
      push.instance?.service.serviceExtensionTimeWillExpire()
      push.end()
    }
  }
}

/// The settings of a phone.
public struct Phone: Sendable {
  /// The app's texts: what a key of the visible payload, or of `localizedUserNotificationString`, shows.
  public var strings: any LocalizedStrings = NoStrings()

  /// Whether the person lets the app show alerts.
  public var alertsAreOn = true

  /// Whether Apple has given the app the filtering entitlement, so that an empty content shows nothing.
  public var mayFilter = false

  /// Whether one instance of the extension serves all pushes, or each gets one in the same process; iOS does both.
  public var reusesInstance = false

  /// Makes the settings of a phone as it comes: alerts are on, the app has no texts and no entitlement.
  public init() {}
}

/// An extension's object.
///
/// iOS calls it on threads of its choice, and so does the host; Apple's class is bound to no actor.
final class ExtensionInstance: @unchecked Sendable {
  let service: UNNotificationServiceExtension

  init(_ service: UNNotificationServiceExtension) { self.service = service }
}

/// The process that serves an extension's pushes.
final class ExtensionProcess: Sendable {
  private let reusesInstance: Bool
  private let makeExtension: @Sendable () -> UNNotificationServiceExtension
  private let instance = Mutex<ExtensionInstance?>(nil)

  init(reusesInstance: Bool, _ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) {
    self.reusesInstance = reusesInstance
    self.makeExtension = makeExtension
  }

  /// Hands a push to an instance.
  func run(_ push: HostedPush) {
    let instance = instance.withLock { shared in
      if reusesInstance, let shared { return shared }
      let instance = ExtensionInstance(makeExtension())
      shared = instance
      return instance
    }
    push.begin(in: instance)
    instance.service.didReceive(push.request) { push.handOver($0) }
  }
}
