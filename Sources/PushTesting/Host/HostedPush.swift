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
    var waiters: [Int: CheckedContinuation<ShownNotification, any Error>] = [:]
    var nextWaiter = 0
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
  /// It waits for the extension, however long that takes: a test of one that hangs moves the clock first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before that. The extension goes on, and is not blamed.
  public func shown() async throws -> ShownNotification {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<ShownNotification, any Error>? in
          if let shown = state.shown { return .success(shown) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiters.removeValue(forKey: waiter) }
      continuation?.resume(throwing: CancellationError())
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
    let caller = ObjectIdentifier(Thread.current)
    settle(shown, by: caller) { state in state.faults.append(Self.fault(state.caller, caller)) }
  }

  /// Shows the payload as it came.
  func show(original reason: ShownNotification.OriginalReason) {
    settle(notification(request.content, .original(reason)), by: nil) { _ in }
  }

  /// Ends the extension's time.
  ///
  /// Another thread of the extension may be about to call the handler, so there is a moment's grace.
  func end() {
    guard !isOver, settled.wait(timeout: .now() + Self.grace) == .timedOut else { return }
    settle(notification(request.content, .original(.outOfTime)), by: nil, fault: .neverCalled) { _ in }
  }

  private func notification(
    _ content: UNNotificationContent, _ source: ShownNotification.Source
  ) -> ShownNotification {
    ShownNotification(
      content, identifier: delivery.identifier, source: source,
      phone: phone, categories: categories)
  }

  /// Shows it, and notes the fault that it took to get there; `orElse`, if the person has seen something already.
  private func settle(
    _ shown: ShownNotification, by caller: ObjectIdentifier?, fault: HandlerFault? = nil,
    orElse: (inout State) -> Void
  ) {
    let waiters = state.withLock { state -> [Int: CheckedContinuation<ShownNotification, any Error>] in
      guard state.shown == nil else {
        orElse(&state)
        return [:]
      }
      (state.shown, state.caller) = (shown, caller)
      if let fault { state.faults.append(fault) }
      defer { state.waiters = [:] }
      return state.waiters
    }
    settled.signal()
    for waiter in waiters.values { waiter.resume(returning: shown) }
  }

  /// What a call is that comes after the person has seen something.
  private static func fault(_ first: ObjectIdentifier?, _ second: ObjectIdentifier) -> HandlerFault {
    guard let first else { return .calledLate }
    return first == second ? .calledTwice : .calledFromTwoThreads
  }
}

/// A mistake that an extension made with its handler.
public enum HandlerFault: String, Error, Sendable {
  /// It did not call the handler in time.
  case neverCalled = "never-called"
  /// It called the handler again.
  case calledTwice = "called-twice"
  /// It called the handler again from another thread, which a flag without a lock does not prevent.
  case calledFromTwoThreads = "called-from-two-threads"
  /// It first called the handler after its time was over.
  case calledLate = "called-late"
}
