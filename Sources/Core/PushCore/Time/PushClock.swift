#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A clock: the date, a monotonic time, and waiting.
///
/// Receivers, clients, stores and workers take a clock, so that tests can move it by hand. ``SystemClock`` is the
/// system's. The name is not `Clock`, which is a protocol of the standard library.
public protocol PushClock: Sendable {
  /// The current date.
  var now: UnixTime { get }

  /// The monotonic time: how long ago some fixed moment was. It never goes back.
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

/// The system's time.
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

  /// The time since the process first used this property, including time in which the system slept.
  public var uptime: Duration { Self.start.duration(to: .now) }

  /// Waits by a clock that goes on while the system sleeps, for a year at most.
  public func sleep(until end: Duration) async throws {
    // A longer wait might never end, or overflow the clock's instant.
    try await Self.timer.sleep(until: min(end, uptime + .seconds(86_400 * 365)))
  }

  /// Waits with a system timer of its own.
  fileprivate func sleepAlone(until end: Duration) async throws {
    // Some runtimes wait forever for a time that is long past. Without a tolerance, a runtime may delay the timer by a
    // fraction of its length, which would delay shorter waits that share it.
    try await ContinuousClock().sleep(for: max(end - uptime, .zero), tolerance: .zero)
  }
}

extension SharedTimer {
  /// Makes a timer that shares the system's timers.
  fileprivate convenience init() {
    self.init(uptime: { SystemClock().uptime }, sleep: { try await SystemClock().sleepAlone(until: $0) })
  }
}
