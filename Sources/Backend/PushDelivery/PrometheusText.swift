/// Metrics in Prometheus' text format ("Exposition formats", version 0.0.4).
package struct PrometheusText {
  /// The type of an answer that carries it.
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  package enum Kind: String {
    case counter, gauge, summary, histogram
  }

  package private(set) var text = ""

  package init() {}

  package mutating func counter(_ name: String, help: String, count: Int) {
    add(name, kind: .counter, help: help, samples: [("", Double(count))])
  }

  package mutating func gauge(_ name: String, help: String, value: Double) {
    add(name, kind: .gauge, help: help, samples: [("", value)])
  }

  /// Writes a metric: each sample with what follows its name, labels or a summary's ending.
  package mutating func add(_ name: String, kind: Kind, help: String, samples: [(String, Double)]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (ending, value) in samples { text += "\(name)\(ending) \(Self.number(value))\n" }
  }

  /// A count without a fraction.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}

extension DeliveryMetrics {
  /// The metrics in Prometheus' text format ("Exposition formats", version 0.0.4), named `sealpush_apns_…`.
  ///
  /// Serve it as `text/plain; version=0.0.4; charset=utf-8`. Its labels are APNs' reasons, and never a person, a token or
  /// a job.
  public var prometheusText: String {
    var text = PrometheusText()
    text.counter(
      "sealpush_apns_sent_total", help: "Pushes that were sent, each attempt counted.", count: sent)
    text.counter("sealpush_apns_accepted_total", help: "Answers with status 200.", count: accepted)
    // APNs' reasons are letters and digits: see APNsReason.
    let refused = refused.map { (#"{reason="\#($0.rawValue)"}"#, Double($1)) }.sorted { $0.0 < $1.0 }
    text.add(
      "sealpush_apns_refused_total", kind: .counter, help: "Other answers, by reason.", samples: refused)
    text.counter("sealpush_apns_retried_total", help: "Attempts after a push's first one.", count: retried)
    text.counter("sealpush_apns_unknown_total", help: "Attempts that had no answer.", count: unknown)
    text.counter(
      "sealpush_apns_not_processed_total", help: "Attempts that APNs did not process.", count: notProcessed)
    text.counter("sealpush_apns_connections_total", help: "Connections that were made.", count: connections)
    text.counter(
      "sealpush_apns_failed_connections_total", help: "Attempts to connect that failed.",
      count: failedConnections)
    text.add(
      "sealpush_apns_latency_seconds", kind: .summary, help: "The time from an attempt to its answer.",
      samples: [0.5, 0.99].map { (#"{quantile="\#($0)"}"#, latency.quantile($0) / .seconds(1)) }
        + latency.sums)
    let counts = latency.counts.map { ("\($0.time / .seconds(1))", $0.count) } + [("+Inf", latency.count)]
    text.add(
      "sealpush_apns_answer_seconds", kind: .histogram,
      help: "The time from an attempt to its answer, for rates.",
      samples: counts.map { (#"_bucket{le="\#($0)"}"#, Double($1)) } + latency.sums)
    return text.text
  }
}

extension DeliveryMetrics.Latency {
  /// How a summary or a histogram ends.
  fileprivate var sums: [(String, Double)] { [("_sum", total / .seconds(1)), ("_count", Double(count))] }
}
