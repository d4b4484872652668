private import Synchronization

/// What a client has done since it was made.
public struct DeliveryMetrics: Hashable, Sendable {
  /// Attempts that were sent, without those that APNs certainly did not process.
  public internal(set) var sent = 0

  /// Answers with status 200.
  public internal(set) var accepted = 0

  /// Other answers, by reason; those without a reason are counted under their status.
  public internal(set) var refused: [APNsReason: Int] = [:]

  /// How many reasons are counted separately; further ones are counted under their status.
  private static let maximumReasons = 256

  /// Attempts after a push's first one.
  public internal(set) var retried = 0

  /// Attempts that had no answer: APNs may have accepted them.
  public internal(set) var unknown = 0

  /// Attempts that APNs certainly did not process; the pushes were sent again.
  public internal(set) var notProcessed = 0

  /// Connections that were made.
  public internal(set) var connections = 0

  /// Attempts to connect that failed.
  public internal(set) var failedConnections = 0

  /// The time from an attempt to its answer.
  public internal(set) var latency = Latency()

  /// How long answers took.
  public struct Latency: Hashable, Sendable {
    /// How many answers there were.
    public private(set) var count = 0

    /// The longest time.
    public private(set) var maximum = Duration.zero

    /// The sum of all times.
    public private(set) var total = Duration.zero

    /// How many answers took up to each power of two microseconds.
    private var buckets = [Int](repeating: 0, count: 40)

    /// The latency below which `share` of the answers lie (0.99: the 99th percentile), within a factor of two; zero
    /// without answers.
    public func quantile(_ share: Double) -> Duration {
      var rest = Int((share * Double(count)).rounded(.up))
      for (power, answers) in buckets.enumerated() {
        rest -= answers
        if rest <= 0, count > 0 { return min(maximum, .microseconds(1 << power)) }
      }
      return maximum
    }

    /// How many answers took up to 1.024 ms, 2.048 ms, and so on to 67 seconds.
    public var counts: [(time: Duration, count: Int)] {
      var sum = buckets[..<10].reduce(0, +)
      return (10...26).map { power in
        sum += buckets[power]
        return (.microseconds(1 << power), sum)
      }
    }

    mutating func add(_ time: Duration) {
      count += 1
      total += time
      maximum = max(maximum, time)
      let microseconds = max(
        1, time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000)
      let power = Int64.bitWidth - (microseconds - 1).leadingZeroBitCount
      buckets[min(power, buckets.count - 1)] += 1
    }
  }

  mutating func answered(_ response: APNsResponse, isProcessed: Bool, after time: Duration) {
    if isProcessed { sent += 1 } else { notProcessed += 1 }
    latency.add(time)
    if response.isAccepted {
      accepted += 1
    } else {
      count(response.reason, status: response.status)
    }
  }

  mutating func answered(_ answer: StrangeAnswer, after time: Duration) {
    sent += 1
    latency.add(time)
    count(nil, status: answer.status)
  }

  private mutating func count(_ reason: APNsReason?, status: Int) {
    let status = APNsReason(rawValue: String(status))
    let reason = reason ?? status
    let isCounted = refused[reason] != nil || refused.count < Self.maximumReasons
    refused[isCounted ? reason : status, default: 0] += 1
  }
}

/// A client's metrics, which all its routes share.
final class DeliveryCounters: Sendable {
  private let state = Mutex(DeliveryMetrics())

  var metrics: DeliveryMetrics { state.withLock(\.self) }

  func count<Value>(_ change: (inout DeliveryMetrics) -> Value) -> Value { state.withLock { change(&$0) } }
}
