internal import PushDelivery
internal import PushStore
internal import PushWorker

/// Metrics in Prometheus' text format ("Exposition formats", version 0.0.4).
///
/// Its labels are words of this program's and APNs' reasons: never a person, a token or a job.
struct MetricsText {
  /// The type of the answer that carries it.
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String {
    case counter, gauge, summary, histogram
  }

  private(set) var text = ""

  /// Writes what a worker has done, what its client has done, and what is in the queue as far as the store says it.
  init(_ worker: WorkerMetrics, _ client: DeliveryMetrics, _ queue: QueueWatch.Look) {
    add(worker)
    add(client)
    add("sealpush_store_up", .gauge, "Whether the store has answered.", [("", queue.isUp ? 1 : 0)])
    add(queue)
  }

  private mutating func add(_ metrics: WorkerMetrics) {
    let jobs = [
      ("claimed", metrics.claimed), ("acknowledged", metrics.acknowledged),
      ("without_devices", metrics.withoutDevices), ("retried", metrics.retried), ("waited", metrics.waited),
      ("discarded", metrics.discarded),
    ]
    for (name, count) in jobs { counter("sealpush_jobs_\(name)_total", Self.help[name] ?? "", count) }
    add("sealpush_jobs_open", .gauge, "Claimed jobs that are not finished.", [("", Double(metrics.open))])
    let devices = [("removed", metrics.removed), ("quarantined", metrics.quarantined)]
    for (name, count) in devices { counter("sealpush_devices_\(name)_total", Self.help[name] ?? "", count) }
    counter(
      "sealpush_pushes_failed_total", "Pushes that were refused for good, or not sealed.", metrics.failed)
    add(
      "sealpush_enrolments_total", .counter, "Enrolments that were answered.",
      [("enrolled", metrics.enrolled), ("pending", metrics.pending), ("refused", metrics.refused)].map {
        (#"{answer="\#($0)"}"#, Double($1))
      })
    counter("sealpush_store_failures_total", "Calls of the store that failed.", metrics.storeFailures)
  }

  private mutating func add(_ metrics: DeliveryMetrics) {
    counter("sealpush_apns_sent_total", "Pushes that were sent, each attempt counted.", metrics.sent)
    counter("sealpush_apns_accepted_total", "Answers with status 200.", metrics.accepted)
    // APNs' reasons are letters and digits: see APNsReason.
    let refused = metrics.refused.map { (#"{reason="\#($0.rawValue)"}"#, Double($1)) }.sorted { $0.0 < $1.0 }
    add("sealpush_apns_refused_total", .counter, "Other answers, by reason.", refused)
    counter("sealpush_apns_retried_total", "Attempts after a push's first one.", metrics.retried)
    counter("sealpush_apns_unknown_total", "Attempts that had no answer.", metrics.unknown)
    counter("sealpush_apns_not_processed_total", "Attempts that APNs did not process.", metrics.notProcessed)
    counter("sealpush_apns_connections_total", "Connections that were made.", metrics.connections)
    counter(
      "sealpush_apns_failed_connections_total", "Attempts to connect that failed.", metrics.failedConnections)
    let latency = metrics.latency
    add(
      "sealpush_apns_latency_seconds", .summary, "The time from an attempt to its answer.",
      [0.5, 0.99].map { (#"{quantile="\#($0)"}"#, latency.quantile($0) / .seconds(1)) }
        + [("_sum", latency.total / .seconds(1)), ("_count", Double(latency.count))])
    let counts = latency.counts.map { ("\($0.time / .seconds(1))", $0.count) } + [("+Inf", latency.count)]
    add(
      "sealpush_apns_answer_seconds", .histogram, "The time from an attempt to its answer, for rates.",
      counts.map { (#"_bucket{le="\#($0)"}"#, Double($1)) }
        + [("_sum", latency.total / .seconds(1)), ("_count", Double(latency.count))])
  }

  private mutating func add(_ queue: QueueWatch.Look) {
    if let counts = queue.counts {
      let states = [
        ("ready", counts.ready), ("delayed", counts.delayed), ("leased", counts.leased),
        ("dead", counts.dead),
      ]
      add(
        "sealpush_queue_jobs", .gauge, "Jobs in the queue, by state.",
        states.map { (#"{state="\#($0)"}"#, Double($1)) })
    }
    guard queue.isUp else { return }
    add(
      "sealpush_queue_oldest_ready_seconds", .gauge, "How long the oldest ready job has been ready.",
      [("", (queue.oldestReady ?? .zero) / .seconds(1))])
  }

  private static let help = [
    "claimed": "Jobs that were claimed, each time counted.", "acknowledged": "Jobs that are done.",
    "without_devices": "Jobs that are done because their persons have no device.",
    "retried": "Jobs that are to be tried again.",
    "waited":
      "Jobs that were not tried, because their persons have had enough for a while, or the worker stopped.",
    "discarded": "Jobs that went to the dead letters.",
    "removed": "Devices that APNs no longer knows, and that were removed.",
    "quarantined": "Devices that went into quarantine.",
  ]

  private mutating func counter(_ name: String, _ help: String, _ count: Int) {
    add(name, .counter, help, [("", Double(count))])
  }

  /// Writes a metric: each sample with what follows its name, labels or a summary's ending.
  private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [(String, Double)]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (ending, value) in samples { text += "\(name)\(ending) \(Self.number(value))\n" }
  }

  /// A count without a fraction.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
