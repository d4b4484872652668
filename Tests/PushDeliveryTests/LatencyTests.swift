import Testing

@testable import PushDelivery

/// The counts of how long answers took.
struct LatencyTests {
  private static func latency(_ times: [Duration]) -> DeliveryMetrics.Latency {
    var latency = DeliveryMetrics.Latency()
    for time in times { latency.add(time) }
    return latency
  }

  @Test("A share of the answers came within its quantile, which is less than twice too long")
  func quantiles() {
    let times = Array(repeating: Duration.milliseconds(3), count: 90) + [.milliseconds(70)]
    let latency = Self.latency(times + Array(repeating: .milliseconds(100), count: 9))
    for share in [0.01, 0.5, 0.9] {
      #expect((.milliseconds(3) ..< .milliseconds(6)).contains(latency.quantile(share)))
    }
    #expect((.milliseconds(70)...(.milliseconds(100))).contains(latency.quantile(0.91)))
    #expect(latency.quantile(1) == .milliseconds(100))
    #expect(Self.latency([]).quantile(0.5) == .zero)
  }

  @Test("Each answer is counted in its bucket and in those of longer times")
  func buckets() {
    let latency = Self.latency([.zero, .microseconds(1024), .microseconds(1025), .seconds(60), .seconds(70)])
    let counts = latency.counts
    #expect(counts.first?.time == .microseconds(1024) && counts.first?.count == 2)
    #expect(counts.dropFirst().first?.time == .microseconds(2048) && counts.dropFirst().first?.count == 3)
    #expect(counts.last?.time == .microseconds(1 << 26) && counts.last?.count == 4)
    #expect(latency.count == 5 && latency.maximum == .seconds(70))
  }

  @Test("An answer that took weeks is counted like others")
  func endless() {
    let latency = Self.latency([.seconds(30 * 86_400)])
    #expect(latency.count == 1 && latency.counts.last?.count == 0)
    #expect(latency.quantile(0.5) >= .seconds(6 * 86_400))
  }
}
