internal import PushEnvelope

extension Receiver {
  /// When a notification is shown as it is, if the caller says nothing else: 25 of the system's 30 seconds.
  public static let softDeadline = Duration.seconds(25)

  /// Opens a notification and returns what to show within `deadline`, whatever happens.
  ///
  /// When the calling task is cancelled, what there is then is returned at once.
  public func receive(_ push: IncomingPush, deadline: Duration = softDeadline) async -> Reception {
    let delivery = Delivery()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(push, deadline: deadline, delivery, finish: nil) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      delivery.handOver()
    }
  }

  /// Opens a notification and hands over what to show exactly once, within `deadline`.
  ///
  /// The extension keeps the result, and calls ``Delivery/handOver()`` from `serviceExtensionTimeWillExpire()`.
  public func receive(
    _ push: IncomingPush, deadline: Duration = softDeadline,
    handler: @escaping @Sendable (Reception) -> Void
  ) -> Delivery {
    receive(push, deadline: deadline, finish: nil, handler: handler)
  }

  /// Opens a notification and hands over what to show exactly once, within `deadline`.
  ///
  /// `finish` has the last word on an opened one: it runs after the steps, and is no longer waited for at the deadline.
  package func receive(
    _ push: IncomingPush, deadline: Duration = softDeadline,
    finish: (@Sendable (Reception) async -> Void)?, handler: @escaping @Sendable (Reception) -> Void
  ) -> Delivery {
    let delivery = Delivery()
    start(push, deadline: deadline, delivery, finish: finish, handler)
    return delivery
  }

  private func start(
    _ push: IncomingPush, deadline: Duration, _ delivery: Delivery,
    finish: (@Sendable (Reception) async -> Void)?, _ handler: @escaping @Sendable (Reception) -> Void
  ) {
    let end = clock.uptime + deadline
    delivery.begin(with: degraded(push, because: .deadline)) { reception, isTold in
      handler(reception)
      guard reception.outcome == .degraded(.deadline), !isTold, !observers.isEmpty else { return }
      WorkThread.run { tell(report(on: push, reception.outcome, Trace())) }
    }
    guard deadline > .zero else { return delivery.handOver() }
    guard !delivery.isOver else { return }
    delivery.keep(
      Task.detached { [clock] in
        guard (try? await clock.sleep(until: end)) != nil else { return }
        await expire(delivery, of: push)
      })
    WorkThread.run { work(on: push, for: delivery, until: end, finish) }
  }

  /// Hands over at the deadline: after the observers were told, because the system may stop the process at any moment
  /// after it, but no later than half a second.
  private func expire(_ delivery: Delivery, of push: IncomingPush) async {
    if let outcome = delivery.close()?.outcome, outcome == .degraded(.deadline), !observers.isEmpty {
      let report = report(on: push, outcome, Trace())
      _ = await clock.run(within: .milliseconds(500)) { await WorkThread.value { tell(report) } }
    }
    delivery.handOver()
  }

  /// Opens, makes the text safe, tells the observers, and goes on with what may take longer.
  private func work(
    on push: IncomingPush, for delivery: Delivery, until end: Duration,
    _ finish: (@Sendable (Reception) async -> Void)?
  ) {
    let attempt = attempt(push, isTooLate: { delivery.isOver })
    let reception = attempt.reception
    guard delivery.improve(reception) else {
      // Nobody saw it, so it is new when it comes again.
      if let entry = attempt.trace.remembered { replay.forget(entry) }
      return
    }
    let report = report(on: push, reception.outcome, attempt.trace)
    tell(report)
    guard attempt.canImprove, !steps.isEmpty || finish != nil else { return delivery.handOver() }
    // A last word has at least two seconds of the usual deadline.
    let reserve = finish == nil ? .zero : min(.seconds(2), (end - clock.uptime) / 4)
    let enrichment = Enrichment(steps: steps, clock: clock, end: end - reserve)
    delivery.keep(
      Task.detached(executorPreference: StepExecutor.shared) {
        var reception = reception
        if let message = attempt.message {
          reception = await enrichment.run(on: reception, of: message, for: delivery) { step, failure in
            await WorkThread.value {
              for observer in observers { observer.observe(failure, of: step.name, for: report) }
            }
          }
        }
        if !delivery.isOver { await finish?(reception) }
        delivery.handOver()
      })
  }

  private func report(on push: IncomingPush, _ outcome: Outcome, _ trace: Trace) -> ReceptionReport {
    ReceptionReport(
      time: clock.now, outcome: outcome, envelope: push.envelope, messageID: trace.messageID,
      keyFault: trace.keyFault, format: trace.format)
  }

  private func tell(_ report: ReceptionReport) {
    for observer in observers { observer.observe(report) }
  }
}
