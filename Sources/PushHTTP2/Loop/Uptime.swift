/// The time that deadlines are measured in.
package protocol Uptime: Sendable {
  /// The time since some moment before, which never goes back.
  var uptime: Duration { get }

  /// Waits until ``uptime`` reaches `end`; throws early only if its task is cancelled.
  func sleep(until end: Duration) async throws
}

/// The system's time, which goes on while the system sleeps.
package struct SystemUptime: Uptime {
  private static let start = ContinuousClock.now

  package init() {}

  package var uptime: Duration { Self.start.duration(to: .now) }

  package func sleep(until end: Duration) async throws {
    try await ContinuousClock().sleep(for: max(end - uptime, .zero), tolerance: .zero)
  }
}

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
    by end: Duration, clock: any Uptime, ring: @escaping @Sendable () async -> Void
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
