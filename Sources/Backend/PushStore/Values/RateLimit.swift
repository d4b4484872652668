internal import PushCore

/// How many pushes may begin within a time.
public struct RateLimit: Hashable, Sendable {
  /// How many, 1 or more.
  public let count: Int

  /// The time, from a second to a day.
  public let time: Duration

  /// The most pushes that a limit may name.
  public static let maximumCount = 1_000_000_000

  /// The times that a limit may name.
  public static let times = Duration.seconds(1)...Duration.seconds(86_400)

  /// Allows `count` pushes within any `time`; what is out of range is clamped.
  public init(_ count: Int, within time: Duration) {
    self.count = min(max(count, 1), Self.maximumCount)
    self.time = min(max(time, Self.times.lowerBound), Self.times.upperBound)
  }

  /// How long a worker may use a share that it has taken: a tenth of the time, 1 to 10 seconds.
  package var useTime: Duration { min(max(time / 10, .seconds(1)), .seconds(10)) }
}

/// What a worker may send of a limited topic.
public struct RateShare: Hashable, Sendable {
  /// How many pushes.
  public let count: Int

  /// Within which time they must begin, from before the share was asked for; the rest is lost.
  public let useTime: Duration

  package init(count: Int, useTime: Duration) { (self.count, self.useTime) = (count, useTime) }
}

/// The shares of a limit that count at a time of the store's, in seconds since 1970.
///
/// A share counts for the limit's time and the time in which it may be used, so that whenever its pushes begin, no window of the
/// limit's time has too many. Shares are written in slots, rounded up, so that there are at most some 70 rows for a topic.
package struct RateWindow {
  package let limit: RateLimit
  /// The slot of a share that is taken now.
  package let slot: Double
  /// Slots after this one count.
  package let start: Double

  package init(of limit: RateLimit, at now: Double) {
    self.limit = limit
    let size = limit.time.inSeconds / 50
    slot = (now / size).rounded(.up) * size
    start = now - limit.time.inSeconds - limit.useTime.inSeconds
  }

  /// Slots after this one are in the future, because the clock has gone back, and do not count.
  package var end: Double { slot }

  /// How much of `count` is free when `used` is what counts.
  package func share(of count: Int, used: Int64) -> RateShare {
    let free = max(Int64(limit.count) - max(used, 0), 0)
    return RateShare(count: Int(min(Int64(max(count, 0)), free)), useTime: limit.useTime)
  }
}
