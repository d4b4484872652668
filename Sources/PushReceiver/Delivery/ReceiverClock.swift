public import PushEnvelope

/// The receiver's time: the date for claims, and waiting for deadlines.
public protocol ReceiverClock: Sendable {
  /// The current date.
  var now: UnixTime { get }

  /// The time since some moment before, which never goes back.
  var uptime: Duration { get }

  /// Waits until ``uptime`` reaches `end`; throws early only if its task is cancelled.
  func sleep(until end: Duration) async throws
}

extension ReceiverClock {
  /// Waits for `duration`; throws early only if its task is cancelled.
  public func sleep(for duration: Duration) async throws { try await sleep(until: uptime + duration) }
}

/// The system's time.
public struct SystemClock: ReceiverClock {
  private static let start = ContinuousClock.now
  private static let timer = SharedTimer(clock: UnsharedClock())

  /// Makes the clock.
  public init() {}

  /// The system's date.
  public var now: UnixTime { .now }

  /// The time since this was first asked, the system's sleep included.
  public var uptime: Duration { Self.start.duration(to: .now) }

  /// Waits by a clock that goes on while the system sleeps; for a year at most.
  public func sleep(until end: Duration) async throws {
    // A longer wait than this does not end, and some do not fit the clock's own numbers.
    try await Self.timer.sleep(until: min(end, uptime + .seconds(86_400 * 365)))
  }
}

/// The system's time, with a timer of the system's for each wait.
private struct UnsharedClock: ReceiverClock {
  var now: UnixTime { SystemClock().now }
  var uptime: Duration { SystemClock().uptime }

  func sleep(until end: Duration) async throws {
    // Some runtimes wait for ever where the time is long over. A tolerance that is not said may be a part of the wait,
    // which would be too much for a shorter one that begins before its end.
    try await ContinuousClock().sleep(for: max(end - uptime, .zero), tolerance: .zero)
  }
}
