private import Locks
private import PushCore

/// A notification that is being opened: hands over the best result so far, exactly once and in time.
///
/// The first result is the placeholder. The opened notification replaces it, and each step that succeeds improves it.
public final class PendingReception: Sendable {
  private struct Pending {
    var best: Reception
    let handler: @Sendable (Reception) -> Void
    /// Runs after `handler`, if `handler` got a placeholder because time ran out.
    var onTimeout: @Sendable () -> Void
    var tasks: [Task<Void, Never>] = []
    /// Whether the best result can no longer change.
    var isClosed = false
    /// Whether files are being written.
    var isWriting = false
    /// Who waits for the end of that.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Nil after the hand-over.
  private let pending: Mutex<Pending?>

  /// Makes a pending reception that hands over `placeholder` if no better result comes in time.
  package init(
    placeholder: Reception, handler: @escaping @Sendable (Reception) -> Void,
    onTimeout: @escaping @Sendable () -> Void = {}
  ) {
    pending = Mutex(Pending(best: placeholder, handler: handler, onTimeout: onTimeout))
  }

  /// Whether the result was handed over.
  package var isHandedOver: Bool { pending.withLock { $0 == nil } }

  /// Whether it is too late for a better result.
  var isClosed: Bool { pending.withLock { $0?.isClosed ?? true } }

  /// Hands over the best result so far, and cancels the remaining work.
  ///
  /// Later calls do nothing. The extension calls it from `serviceExtensionTimeWillExpire()`.
  public func handOver() {
    let pending = pending.withLock { $0.take() }
    guard let pending else { return }
    pending.handler(pending.best)
    for continuation in pending.waiting { continuation.resume() }
    if pending.best.outcome == .degraded(.deadline), !pending.isClosed { pending.onTimeout() }
    // Only now: cancelled work must not change what is handed over.
    for task in pending.tasks { task.cancel() }
  }

  /// Hands over a result after the app's last word on it, which gets at most `limit`.
  package func handOver(
    _ result: Reception, finishedBy finish: @escaping Receiver.Finish, within limit: Duration
  ) {
    improve(to: result)
    keep(
      Task.detached { [self] in
        _ = await SystemClock().run(within: limit) { await finish(result) }
        handOver()
      })
  }

  /// Replaces the best result; returns false and does nothing if it is too late.
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

  /// Accepts no better result from now on, and returns the one to hand over; nil if it was closed before.
  func close() -> Reception? {
    var best: Reception?
    _ = change { pending in
      pending.isClosed = true
      best = pending.best
    }
    return best
  }

  /// Whether files are being written.
  var isWriting: Bool { pending.withLock { $0?.isWriting ?? false } }

  /// Notes that files are being written, and returns true, unless it is too late.
  func beginWriting() -> Bool { change { $0.isWriting = true } }

  /// Notes that nothing is being written any more.
  func endWriting() {
    let waiting = pending.withLock { pending in
      pending?.isWriting = false
      defer { pending?.waiting = [] }
      return pending?.waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until nothing is being written.
  func written() async {
    await withCheckedContinuation { continuation in
      let isWaiting = pending.withLock { pending in
        guard pending?.isWriting == true else { return false }
        pending?.waiting.append(continuation)
        return true
      }
      if !isWaiting { continuation.resume() }
    }
  }

  /// Keeps a task to cancel it at the hand-over.
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
