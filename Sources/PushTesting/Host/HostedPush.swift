private import Foundation
private import PushReceiver
private import Synchronization
internal import UserNotifications

/// A push that was handed to the extension.
public final class HostedPush: Sendable {
  private struct State {
    var instance: ExtensionInstance?
    var shown: ShownNotification?
    var caller: ObjectIdentifier?
    var waiters: [CheckedContinuation<ShownNotification, Never>] = []
    var faults: [HandlerFault] = []
  }

  let expiresAt: Duration
  private let delivery: APNsDelivery
  private let phone: Phone
  private let categories: Categories
  private let attachments: AttachmentStore
  private let state = Mutex(State())
  private let settled = DispatchSemaphore(value: 0)
  private static let grace = DispatchTimeInterval.milliseconds(200)

  init(
    _ delivery: APNsDelivery, phone: Phone, categories: Categories, attachments: AttachmentStore,
    expiresAt: Duration
  ) {
    self.delivery = delivery
    self.phone = phone
    self.categories = categories
    self.attachments = attachments
    self.expiresAt = expiresAt
  }

  /// What the person sees, as soon as that is settled.
  ///
  /// It waits for the extension, however long that takes: a test of one that hangs moves the clock first. When the task is
  /// cancelled, it is the original.
  public func shown() async -> ShownNotification {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let shown = state.withLock { state in
          if state.shown == nil { state.waiters.append(continuation) }
          return state.shown
        }
        if let shown { continuation.resume(returning: shown) }
      }
    } onCancel: {
      show(original: .outOfTime)
    }
  }

  /// What the extension did wrong with its handler, so far.
  public var faults: [HandlerFault] { state.withLock(\.faults) }

  var isOver: Bool { state.withLock { $0.shown != nil } }

  var instance: ExtensionInstance? { state.withLock(\.instance) }

  var request: UNNotificationRequest { delivery.request(localizedBy: phone.strings) }

  func begin(in instance: ExtensionInstance) { state.withLock { $0.instance = instance } }

  /// Takes what the extension hands over, on whatever thread.
  func handOver(_ content: UNNotificationContent) {
    let isEmpty = content.title.isEmpty && content.body.isEmpty
    let shown =
      isEmpty && !phone.mayFilter
      ? notification(request.content, .original(.mayNotFilter))
      : notification(attachments.takeOver(content.copied), .serviceExtension)
    settle(shown, by: ObjectIdentifier(Thread.current))
  }

  /// Shows the payload as it came.
  func show(original reason: ShownNotification.OriginalReason) {
    settle(notification(request.content, .original(reason)), by: nil)
  }

  /// Ends the extension's time.
  ///
  /// Another thread of the extension may be about to call the handler, so there is a moment's grace.
  func end() {
    guard !isOver, settled.wait(timeout: .now() + Self.grace) == .timedOut else { return }
    state.withLock { $0.faults.append(.neverCalled) }
    show(original: .outOfTime)
  }

  private func notification(
    _ content: UNNotificationContent, _ source: ShownNotification.Source
  ) -> ShownNotification {
    ShownNotification(
      content, identifier: delivery.identifier, source: source,
      phone: phone, categories: categories)
  }

  private func settle(_ shown: ShownNotification, by caller: ObjectIdentifier?) {
    let waiters = state.withLock { state -> [CheckedContinuation<ShownNotification, Never>] in
      guard state.shown != nil else {
        (state.shown, state.caller) = (shown, caller)
        defer { state.waiters = [] }
        return state.waiters
      }
      state.faults.append(Self.fault(state.caller, caller))
      return []
    }
    settled.signal()
    for waiter in waiters { waiter.resume(returning: shown) }
  }

  /// What a call is that comes after the person has seen something.
  private static func fault(_ first: ObjectIdentifier?, _ second: ObjectIdentifier?) -> HandlerFault {
    guard let first else { return .calledLate }
    return first == second ? .calledTwice : .calledFromTwoThreads
  }
}
