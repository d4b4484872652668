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
  init(worker: WorkerMetrics, client: DeliveryMetrics, queue: QueueWatch.Look) {
    add(worker)
    add(client)
    add(
      "sealpush_store_up", kind: .gauge, help: "Whether the store has answered.",
      samples: [("", queue.isUp ? 1 : 0)])
    add(queue)
  }

  private mutating func add(_ metrics: WorkerMetrics) {
    let jobs = [
      ("claimed", metrics.leased), ("acknowledged", metrics.acknowledged),
      ("without_devices", metrics.withoutDevices), ("retried", metrics.retried), ("waited", metrics.waited),
      ("discarded", metrics.discarded),
    ]
    for (name, count) in jobs {
      counter("sealpush_jobs_\(name)_total", help: Self.help[name] ?? "", count: count)
    }
    add(
      "sealpush_jobs_open", kind: .gauge, help: "Claimed jobs that are not finished.",
      samples: [("", Double(metrics.open))])
    let devices = [("removed", metrics.removed), ("quarantined", metrics.quarantined)]
    for (name, count) in devices {
      counter("sealpush_devices_\(name)_total", help: Self.help[name] ?? "", count: count)
    }
    counter(
      "sealpush_pushes_failed_total", help: "Pushes that were refused for good, or not sealed.",
      count: metrics.failed)
    add(
      "sealpush_enrolments_total", kind: .counter, help: "Enrolments that were answered.",
      samples: [("enrolled", metrics.enrolled), ("pending", metrics.pending), ("refused", metrics.refused)]
        .map {
          (#"{answer="\#($0)"}"#, Double($1))
        })
    counter(
      "sealpush_store_failures_total", help: "Calls of the store that failed.", count: metrics.storeFailures)
  }

  private mutating func add(_ metrics: DeliveryMetrics) {
    counter(
      "sealpush_apns_sent_total", help: "Pushes that were sent, each attempt counted.", count: metrics.sent)
    counter("sealpush_apns_accepted_total", help: "Answers with status 200.", count: metrics.accepted)
    // APNs' reasons are letters and digits: see APNsReason.
    let refused = metrics.refused.map { (#"{reason="\#($0.rawValue)"}"#, Double($1)) }.sorted { $0.0 < $1.0 }
    add("sealpush_apns_refused_total", kind: .counter, help: "Other answers, by reason.", samples: refused)
    counter("sealpush_apns_retried_total", help: "Attempts after a push's first one.", count: metrics.retried)
    counter("sealpush_apns_unknown_total", help: "Attempts that had no answer.", count: metrics.unknown)
    counter(
      "sealpush_apns_not_processed_total", help: "Attempts that APNs did not process.",
      count: metrics.notProcessed)
    counter(
      "sealpush_apns_connections_total", help: "Connections that were made.", count: metrics.connections)
    counter(
      "sealpush_apns_failed_connections_total", help: "Attempts to connect that failed.",
      count: metrics.failedConnections)
    let latency = metrics.latency
    add(
      "sealpush_apns_latency_seconds", kind: .summary, help: "The time from an attempt to its answer.",
      samples: [0.5, 0.99].map { (#"{quantile="\#($0)"}"#, latency.quantile($0) / .seconds(1)) }
        + [("_sum", latency.total / .seconds(1)), ("_count", Double(latency.count))])
    let counts = latency.counts.map { ("\($0.time / .seconds(1))", $0.count) } + [("+Inf", latency.count)]
    add(
      "sealpush_apns_answer_seconds", kind: .histogram,
      help: "The time from an attempt to its answer, for rates.",
      samples: counts.map { (#"_bucket{le="\#($0)"}"#, Double($1)) }
        + [("_sum", latency.total / .seconds(1)), ("_count", Double(latency.count))])
  }

  private mutating func add(_ queue: QueueWatch.Look) {
    if let counts = queue.counts {
      let states = [
        ("ready", counts.ready), ("delayed", counts.delayed), ("leased", counts.leased),
        ("dead", counts.dead),
      ]
      add(
        "sealpush_queue_jobs", kind: .gauge, help: "Jobs in the queue, by state.",
        samples: states.map { (#"{state="\#($0)"}"#, Double($1)) })
    }
    guard queue.isUp else { return }
    add(
      "sealpush_queue_oldest_ready_seconds", kind: .gauge,
      help: "How long the oldest ready job has been ready.",
      samples: [("", (queue.oldestReady ?? .zero) / .seconds(1))])
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

  private mutating func counter(_ name: String, help: String, count: Int) {
    add(name, kind: .counter, help: help, samples: [("", Double(count))])
  }

  /// Writes a metric: each sample with what follows its name, labels or a summary's ending.
  private mutating func add(_ name: String, kind: Kind, help: String, samples: [(String, Double)]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (ending, value) in samples { text += "\(name)\(ending) \(Self.number(value))\n" }
  }

  /// A count without a fraction.
  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
