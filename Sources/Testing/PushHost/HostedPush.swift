private import Locks
internal import PushReceiver
internal import PushSimulation
internal import SealedPush
internal import UserNotifications

/// A push that a test has delivered to an ``ExtensionHost``.
public final class HostedPush: Watched {
  private struct State {
    var instance: ExtensionInstance?
    var presentationExpiresAt: Duration?
  }

  private let delivery: APNsDelivery
  private let phone: Phone
  private let app: HostedApp
  private let categories: Categories
  private let attachments: AttachmentStore
  private let clock: ManualClock
  private let expiresAt: Duration
  private let contentHandler = Handler<ShownNotification>()
  private let presentationHandler = Handler<UNNotificationPresentationOptions>()
  private let state = Mutex(State())

  init(
    delivery: APNsDelivery, phone: Phone, app: HostedApp, attachments: AttachmentStore, clock: ManualClock
  ) {
    self.delivery = delivery
    self.phone = phone
    self.app = app
    categories = app.categories
    self.attachments = attachments
    self.clock = clock
    expiresAt = clock.uptime + ExtensionHost.timeLimit
  }

  /// Waits for the notification that the person sees, and returns it.
  ///
  /// It waits for the extension, and for the delegate of an app in the foreground, however long they take. If one of
  /// them hangs in the test, move the clock first.
  ///
  /// If the extension did not open the push, this throws the reason; if `admitsPlaceholder` is true,
  /// ``ShownNotification/degraded`` has it instead.
  ///
  /// - Throws: ``DegradedPush``; `CancellationError` if the task is cancelled before that. The extension keeps running,
  ///   and this is not recorded as its fault.
  public func shown(admitsPlaceholder: Bool = false) async throws -> ShownNotification {
    var shown = try await contentHandler.wait()
    if let degraded = shown.degraded, !admitsPlaceholder { throw degraded }
    if isUpToApp(shown) { shown.presentation = try await presentationHandler.wait() }
    return shown
  }

  /// The extension's mistakes with its content handler so far.
  public var faults: [HandlerFault] { contentHandler.faults }

  /// The mistakes of the app's delegate so far with the completion handler of
  /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
  ///
  /// If the delegate never calls the handler, nothing is presented, and ``HandlerFault/neverCalled`` is recorded when
  /// the clock has moved by ``ExtensionHost/timeLimit``.
  public var presentationFaults: [HandlerFault] { presentationHandler.faults }

  var isOver: Bool {
    guard let shown = contentHandler.answer else { return false }
    return !isUpToApp(shown) || presentationHandler.answer != nil
  }

  var request: UNNotificationRequest { delivery.request(localizedBy: phone.strings) }

  func begin(in instance: ExtensionInstance) { state.withLock { $0.instance = instance } }

  /// Takes a content from the extension, on any thread.
  func handOver(_ content: UNNotificationContent) {
    let isEmpty = content.title.isEmpty && content.body.isEmpty
    var shown =
      isEmpty && !phone.mayFilter
      ? notification(of: request.content, from: .original(.mayNotFilter))
      : notification(of: attachments.takeOver(content.copied), from: .serviceExtension)
    shown.degraded = HandedOver.current.flatMap(DegradedPush.init)
    shown.conversation = HandedOver.current?.conversation
    list(shown)
    if contentHandler.call(with: shown) { present(shown) }
  }

  /// Shows the payload without the extension.
  func show(original reason: ShownNotification.OriginalReason) {
    let shown = notification(of: request.content, from: .original(reason))
    list(shown)
    if contentHandler.settle(with: shown) { present(shown) }
  }

  func expire(at uptime: Duration) {
    if contentHandler.answer == nil, expiresAt <= uptime { expireExtension() }
    if let end = state.withLock(\.presentationExpiresAt), end <= uptime { presentationHandler.end(with: []) }
  }

  /// Tells the extension that its time is up, and shows the original if it still does not answer.
  private func expireExtension() {
    state.withLock(\.instance)?.service.serviceExtensionTimeWillExpire()
    let shown = notification(of: request.content, from: .original(.outOfTime))
    if contentHandler.end(with: shown) {
      if !isUpToApp(shown) { app.list(shown) }
      present(shown)
    }
  }

  /// Puts a notification that is not up to the app into the list of delivered ones, before the test that waits for it goes on.
  private func list(_ shown: ShownNotification) {
    if !isUpToApp(shown), contentHandler.answer == nil { app.list(shown) }
  }

  /// Asks an app in the foreground how to present the notification.
  private func present(_ shown: ShownNotification) {
    guard isUpToApp(shown) else { return }
    state.withLock { $0.presentationExpiresAt = clock.uptime + ExtensionHost.timeLimit }
    app.willPresent(shown, answering: presentationHandler)
  }

  /// Whether the app decides how a notification is presented.
  private func isUpToApp(_ shown: ShownNotification) -> Bool {
    phone.appIsInForeground && shown.isAlerting
  }

  private func notification(
    of content: UNNotificationContent, from source: ShownNotification.Source
  ) -> ShownNotification {
    ShownNotification(
      content: content, identifier: delivery.identifier, date: clock.now, source: source, phone: phone,
      categories: categories)
  }
}
