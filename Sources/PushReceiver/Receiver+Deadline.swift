extension Receiver {
  /// When a notification is shown as it is, if the caller says nothing else: 25 of the system's 30 seconds.
  public static let softDeadline = Duration.seconds(25)

  /// Opens a notification and returns what to show within `deadline`, whatever happens.
  ///
  /// When the calling task is cancelled, the best attempt is returned at once.
  public func receive(_ push: IncomingPush, deadline: Duration = softDeadline) async -> Reception {
    let delivery = Delivery()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start(push, deadline: deadline, delivery) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      delivery.expire()
    }
  }

  /// Opens a notification and hands over what to show exactly once, within `deadline`.
  ///
  /// The extension keeps the result, and calls ``Delivery/expire()`` from `serviceExtensionTimeWillExpire()`.
  public func receive(
    _ push: IncomingPush, deadline: Duration = softDeadline,
    handler: @escaping @Sendable (Reception) -> Void
  ) -> Delivery {
    let delivery = Delivery()
    start(push, deadline: deadline, delivery, handler)
    return delivery
  }

  private func start(
    _ push: IncomingPush, deadline: Duration, _ delivery: Delivery,
    _ handler: @escaping @Sendable (Reception) -> Void
  ) {
    delivery.begin(bestAttempt: degraded(push, because: .deadline), handler: handler)
    guard deadline > .zero else { return delivery.expire() }
    guard !delivery.isOver else { return }
    delivery.setTimer(
      Task.detached { [clock] in
        guard (try? await clock.sleep(for: deadline)) != nil else { return }
        delivery.expire()
      })
    WorkThread.run { delivery.deliver(reception(of: push) { delivery.isOver }) }
  }
}
