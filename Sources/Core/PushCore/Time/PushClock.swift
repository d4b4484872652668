#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A clock: it tells the date and an uptime that never goes back, and it waits.
///
/// Receivers, clients, stores and workers take a clock, so that a test can set the time by hand. ``SystemClock`` is the
/// system's clock. The name `Clock` belongs to the standard library.
public protocol PushClock: Sendable {
  /// The current date.
  var now: UnixTime { get }

  /// The time since a fixed moment in the past; it never goes back.
  var uptime: Duration { get }

  /// Waits until ``uptime`` reaches `end`; throws early only if its task is cancelled.
  func sleep(until end: Duration) async throws

  /// The current date, as the time since 1970-01-01 00:00:00 UTC, with a fraction of a second if the clock has one.
  var sinceEpoch: Duration { get }
}

extension PushClock {
  /// The date, in whole seconds.
  public var sinceEpoch: Duration { .seconds(now.seconds) }

  /// Waits for `duration`; throws early only if its task is cancelled.
  public func sleep(for duration: Duration) async throws { try await sleep(until: uptime + duration) }
}

/// The system's clock.
public struct SystemClock: PushClock {
  private static let start = ContinuousClock.now
  private static let timer = SharedTimer()

  /// Makes the clock.
  public init() {}

  /// The system's date.
  public var now: UnixTime { .now }

  /// The system's date, to the nanosecond.
  public var sinceEpoch: Duration {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
  }

  /// The time since the program first used this clock, including the time that the system slept.
  public var uptime: Duration { Self.start.duration(to: .now) }

  /// Waits until ``uptime`` reaches `end`, which goes on while the system sleeps; a year at most.
  public func sleep(until end: Duration) async throws {
    // Longer waits do not end, and some overflow the system clock's numbers.
    try await Self.timer.sleep(until: min(end, uptime + .seconds(86_400 * 365)))
  }

  /// Waits with a timer of the system's for this wait alone.
  fileprivate func sleepAlone(until end: Duration) async throws {
    // Some runtimes never return if the time is long over, so no wait is negative. The default tolerance may be a
    // fraction of the wait, which is too late for a shorter wait that starts meanwhile and shares this timer.
    try await ContinuousClock().sleep(for: max(end - uptime, .zero), tolerance: .zero)
  }
}

extension SharedTimer {
  /// Makes a timer that shares the system's timers.
  fileprivate convenience init() {
    self.init(uptime: { SystemClock().uptime }, sleep: { try await SystemClock().sleepAlone(until: $0) })
  }
}
