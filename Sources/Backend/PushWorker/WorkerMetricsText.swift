internal import PushCore
internal import PushDelivery

extension WorkerMetrics {
  /// The metrics in Prometheus' text format ("Exposition formats", version 0.0.4), named `sealpush_…`.
  ///
  /// Serve it as `text/plain; version=0.0.4; charset=utf-8`, with the client's `prometheusText`. It names no person, token
  /// or job.
  public var prometheusText: String {
    var text = PrometheusText()
    let jobs = [
      ("claimed", leased, "Jobs that were claimed, each time counted."),
      ("acknowledged", acknowledged, "Jobs that are done."),
      ("without_devices", withoutDevices, "Jobs that are done because their persons have no device."),
      ("retried", retried, "Jobs that are to be tried again."),
      (
        "waited", waited,
        "Jobs that were not tried: held back by operators or their persons' limits, or the worker stopped."
      ),
      ("discarded", discarded, "Jobs that went to the dead letters."),
    ]
    for (name, count, help) in jobs {
      text.counter("sealpush_jobs_\(name)_total", help: help, count: count)
    }
    text.gauge("sealpush_jobs_open", help: "Claimed jobs that are not finished.", value: Double(open))
    text.gauge(
      "sealpush_routes_stopped", help: "Apps in an environment to which nothing can be pushed now.",
      value: Double(stoppedRoutes))
    text.gauge(
      "sealpush_pauses", help: "Pauses that operators have made, of a route, an app or all.",
      value: Double(pauses))
    text.add(
      "sealpush_pushes_held_total", kind: .counter,
      help: "Pushes that were held back, because their route is paused or their topic's limit is reached.",
      samples: [(#"{cause="pause"}"#, Double(pausedPushes)), (#"{cause="rate"}"#, Double(limitedPushes))])
    text.counter(
      "sealpush_devices_removed_total", help: "Devices whose tokens APNs no longer accepts.",
      count: removed)
    text.counter(
      "sealpush_devices_quarantined_total", help: "Devices that went into quarantine.", count: quarantined)
    text.add(
      "sealpush_pushes_sealed_total", kind: .counter, help: "Pushes that were sealed, by suite.",
      samples: Suite.allCases.map { (#"{suite="\#($0.name)"}"#, Double(sealed[$0] ?? 0)) })
    text.counter(
      "sealpush_pushes_failed_total", help: "Pushes that were refused for good, or not sealed.", count: failed
    )
    let answers = [("registered", registered), ("pending", pending), ("refused", refused)]
    text.add(
      "sealpush_enrolments_total", kind: .counter, help: "Enrolments that were answered.",
      samples: answers.map { (#"{answer="\#($0)"}"#, Double($1)) })
    text.counter(
      "sealpush_enrolments_suspended_total",
      help: "Enrolments that were refused because two phones have their identity.", count: suspended)
    text.add(
      "sealpush_proof_requests_total", kind: .counter, help: "Proof requests that were pushed, or refused.",
      samples: [(#"{answer="accepted"}"#, Double(asked)), (#"{answer="refused"}"#, Double(unasked))])
    text.counter(
      "sealpush_store_failures_total", help: "Calls of the store that failed.", count: storeFailures)
    return text.text
  }
}
