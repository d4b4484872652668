private import Synchronization

/// A notification being delivered: hands over exactly once, the best there is, in time.
///
/// The best there is begins as the placeholder. The opened notification replaces it, and each step that succeeds
/// improves it.
public final class Delivery: Sendable {
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
  fileprivate func begin(with placeholder: Reception, onTimeout: @escaping @Sendable () -> Void) {
    _ = change { pending in
      pending.best = placeholder
      pending.onTimeout = onTimeout
    }
  }

  /// Accepts nothing better from now on, and returns what will be handed over; nil if it was closed before.
  fileprivate func close() -> Reception? {
    var best: Reception?
    _ = change { pending in
      pending.isClosed = true
      best = pending.best
    }
    return best
  }

  /// Keeps a task, to cancel it at the hand-over.
  fileprivate func keep(_ task: Task<Void, Never>) {
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

extension Receiver {
  /// The app's last word on an opened notification, after the steps.
  package typealias Finish = @Sendable (Reception) async -> Void

  /// Opens a push in time for a delivery that already waits, because the receiver had to be made first.
  ///
  /// `finish` runs after the steps on an opened notification. It is not waited for past the deadline.
  package func deliver(_ push: IncomingPush, through delivery: Delivery, finish: @escaping Finish) {
    prepare(delivery, of: push)
    start(delivery, of: push, deadline: Self.softDeadline, finish: finish)
  }

  /// The delivery of a push, before the work on it starts.
  func delivery(of push: IncomingPush, handler: @escaping @Sendable (Reception) -> Void) -> Delivery {
    let delivery = Delivery(placeholder: degraded(push, because: .deadline), handler: handler)
    prepare(delivery, of: push)
    return delivery
  }

  private func prepare(_ delivery: Delivery, of push: IncomingPush) {
    delivery.begin(with: degraded(push, because: .deadline)) {
      guard !observers.isEmpty else { return }
      WorkThread.run { tellTimeout(of: push) }
    }
  }

  /// Starts the deadline, and the work on a thread of its own.
  func start(_ delivery: Delivery, of push: IncomingPush, deadline: Duration, finish: Finish? = nil) {
    let end = clock.uptime + deadline
    guard deadline > .zero else { return delivery.handOver() }
    guard !delivery.isClosed else { return }
    delivery.keep(
      Task.detached { [clock] in
        guard (try? await clock.sleep(until: end)) != nil else { return }
        await expire(delivery, of: push)
      })
    WorkThread.run { work(on: push, for: delivery, until: end, finish: finish) }
  }

  /// Hands over at the deadline.
  ///
  /// Observers are told first, because the system may stop the process at any moment afterwards; they get half a
  /// second at most.
  private func expire(_ delivery: Delivery, of push: IncomingPush) async {
    if delivery.close()?.outcome == .degraded(.deadline), !observers.isEmpty {
      _ = await clock.run(within: .milliseconds(500)) {
        await WorkThread.value { tellTimeout(of: push) }
      }
    }
    delivery.handOver()
  }

  /// Opens the push, makes the text safe, tells the observers, and goes on to what may take longer.
  private func work(
    on push: IncomingPush, for delivery: Delivery, until end: Duration, finish: Finish?
  ) {
    var opening = Opening(by: self)
    let reception = opening.reception(of: push, isTooLate: { delivery.isClosed })
    guard delivery.improve(to: reception) else {
      // Nobody saw it, so it is new if it comes again.
      if let entry = opening.recorded { replay.forget(entry) }
      return
    }
    let report = ReceptionReport(
      time: clock.now, outcome: reception.outcome, envelope: push.envelope, messageID: opening.messageID,
      keyFault: opening.keyFault, format: opening.format)
    tell(report)
    let message = opening.message
    let isFinal = if case .openedOther = reception.outcome { false } else { message == nil }
    guard !isFinal, !steps.isEmpty || finish != nil else { return delivery.handOver() }
    // With the default deadline, `finish` has at least two seconds.
    let reserve = finish == nil ? .zero : min(.seconds(2), (end - clock.uptime) / 4)
    let enrichment = Enrichment(steps: opening.isRepeated ? [] : steps, clock: clock, end: end - reserve)
    delivery.keep(
      Task.detached(executorPreference: StepExecutor.shared) {
        var reception = reception
        if let message {
          reception = await enrichment.run(on: reception, of: message, for: delivery) { step, failure in
            await WorkThread.value {
              for observer in observers { observer.observe(failure, of: step.name, for: report) }
            }
          }
        }
        if !delivery.isClosed { await finish?(reception) }
        delivery.handOver()
      })
  }

  private func tellTimeout(of push: IncomingPush) {
    tell(
      ReceptionReport(
        time: clock.now, outcome: .degraded(.deadline), envelope: push.envelope, messageID: nil))
  }

  private func tell(_ report: ReceptionReport) {
    for observer in observers { observer.observe(report) }
  }
}
