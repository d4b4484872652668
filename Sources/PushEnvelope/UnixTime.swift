#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A moment, in whole seconds since 1970-01-01 00:00:00 UTC, from 0 to 2^53 - 1.
public struct UnixTime: Hashable, Comparable, Sendable {
  /// The first moment that cannot be written: 2^53 seconds.
  static let limit: Int64 = 1 << 53

  /// Seconds since the epoch.
  public let seconds: Int64

  /// Takes a number of seconds; null below 0 and from 2^53.
  public init?(seconds: Int64) {
    guard (0..<Self.limit).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// A number of seconds brought into range: a device's clock can say anything.
  public init(clamping seconds: Int64) {
    self.seconds = min(max(seconds, 0), Self.limit - 1)
  }

  /// The last moment that can be written.
  public static let distantFuture = UnixTime(clamping: .max)

  /// What the system's clock says.
  ///
  /// The one place that reads it.
  public static var now: UnixTime {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return UnixTime(clamping: Int64(now.tv_sec))
  }

  /// The moment `seconds` later, or the last one there is.
  public func advanced(by seconds: Int64) -> UnixTime {
    let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
    return UnixTime(clamping: overflow ? .max : sum)
  }

  /// Whether one moment comes before another.
  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.seconds < right.seconds }
}
