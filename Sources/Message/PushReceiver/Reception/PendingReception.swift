private import Synchronization

/// A notification being delivered: hands over exactly once, the best there is, in time.
///
/// The best there is begins as the placeholder. The opened notification replaces it, and each step that succeeds
/// improves it.
public final class PendingReception: Sendable {
  private struct Pending {
    var best: Reception
    let handler: @Sendable (Reception) -> Void
    /// Runs after `handler`, if that got a placeholder because time ran out.
    var onTimeout: @Sendable () -> Void = {}
    var tasks: [Task<Void, Never>] = []
    /// Whether the best there is can no longer change.
    var isClosed = false
  }

  /// Nil once it is handed over.
  private let pending: Mutex<Pending?>

  /// Makes a delivery that hands `placeholder` over if nothing better comes in time.
  package init(placeholder: Reception, handler: @escaping @Sendable (Reception) -> Void) {
    pending = Mutex(Pending(best: placeholder, handler: handler))
  }

  /// Whether something was handed over.
  package var isHandedOver: Bool { pending.withLock { $0 == nil } }

  /// Whether it is too late for anything better.
  var isClosed: Bool { pending.withLock { $0?.isClosed ?? true } }

  /// Hands over the best there is now, and cancels the work on anything better.
  ///
  /// It does nothing the second time. The extension calls it from `serviceExtensionTimeWillExpire()`.
  public func handOver() {
    let pending = pending.withLock { $0.take() }
    guard let pending else { return }
    pending.handler(pending.best)
    if pending.best.outcome == .degraded(.deadline), !pending.isClosed { pending.onTimeout() }
    // Only now: cancelled work must not change what is handed over.
    for task in pending.tasks { task.cancel() }
  }

  /// Replaces the best there is; returns false, and does nothing, if that comes too late.
  @discardableResult
  package func improve(to reception: Reception) -> Bool {
    change { $0.best = reception }
  }

  /// Replaces the placeholder, before the work begins.
  func begin(with placeholder: Reception, onTimeout: @escaping @Sendable () -> Void) {
    _ = change { pending in
      pending.best = placeholder
      pending.onTimeout = onTimeout
    }
  }

  /// Accepts nothing better from now on, and returns what will be handed over; nil if it was closed before.
  func close() -> Reception? {
    var best: Reception?
    _ = change { pending in
      pending.isClosed = true
      best = pending.best
    }
    return best
  }

  /// Keeps a task, to cancel it at the hand-over.
  func keep(_ task: Task<Void, Never>) {
    let isKept = pending.withLock { pending in
      pending?.tasks.append(task)
      return pending != nil
    }
    if !isKept { task.cancel() }
  }

  private func change(_ change: (inout Pending) -> Void) -> Bool {
    pending.withLock { pending in
      guard var changed = pending, !changed.isClosed else { return false }
      change(&changed)
      pending = changed
      return true
    }
  }
}
