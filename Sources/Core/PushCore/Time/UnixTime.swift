#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A time in whole seconds since 1970-01-01 00:00:00 UTC, from 0 to 2^53 - 1.
public struct UnixTime: Hashable, Comparable, Sendable {
  /// The first time out of range: 2^53 seconds.
  static let limit: Int64 = 1 << 53

  /// Seconds since the epoch.
  public let seconds: Int64

  /// Takes a number of seconds; nil below 0 or at 2^53 and above.
  public init?(seconds: Int64) {
    guard (0..<Self.limit).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// Takes a number of seconds and clamps it to the range, because a device's clock can be set to anything.
  public init(clamping seconds: Int64) {
    self.seconds = min(max(seconds, 0), Self.limit - 1)
  }

  /// Takes a number of milliseconds since the epoch, as APNs gives times, without its fraction of a second; nil if the
  /// time is out of range.
  public init?(milliseconds: Int64) {
    guard milliseconds >= 0 else { return nil }
    self.init(seconds: milliseconds / 1000)
  }

  /// The last time in range.
  public static let distantFuture = UnixTime(clamping: .max)

  /// The current time of the system's clock.
  ///
  /// Sealing and opening take the time as a parameter; outside tests, pass this one.
  public static var now: UnixTime {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return UnixTime(clamping: Int64(now.tv_sec))
  }

  /// The time `span` later, without its fraction of a second, clamped to the range.
  public func advanced(by span: Duration) -> UnixTime {
    let (sum, overflow) = seconds.addingReportingOverflow(span.components.seconds)
    return UnixTime(clamping: overflow ? .max : sum)
  }

  /// Whether one time is before another.
  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}
