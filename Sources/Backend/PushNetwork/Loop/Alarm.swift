package import PushCore

/// Wakes an actor at the earliest of several times.
///
/// Deadlines come and go with each request, and most pass unused. So an alarm that is set for a later time than before
/// stays as it is: it rings too early, and its owner sets it again.
package struct Alarm {
  private var end: Duration?
  private var task: Task<Void, Never>?

  /// Makes an alarm that is not set.
  package init() {}

  /// Sets the alarm, unless it rings by `end` anyway.
  package mutating func set(
    by end: Duration, clock: any PushClock, ring: @escaping @Sendable () async -> Void
  ) {
    if let current = self.end, current <= end { return }
    task?.cancel()
    self.end = end
    task = Task.detached {
      do { try await clock.sleep(until: end) } catch { return }
      await ring()
    }
  }

  /// Whether the alarm that rang is the one that was set last, which is then over.
  package mutating func hasRung(at now: Duration) -> Bool {
    guard let end, end <= now else { return false }
    self.end = nil
    return true
  }

  /// Ends the alarm.
  package mutating func cancel() {
    task?.cancel()
    (task, end) = (nil, nil)
  }
}
