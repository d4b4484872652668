internal import PushDelivery
internal import PushEnrolment
internal import PushStore
internal import PushWorker

/// What `--metrics` and `--listen` serve: what a worker and its client have done, and what is in the queue as far as the store says it.
///
/// Its labels are words of this program's and APNs' reasons: never a person, a token or a job.
struct MetricsText {
  let text: String

  init(
    worker: WorkerMetrics, client: DeliveryMetrics, queue: QueueWatch.Look,
    fleet: FleetWatch.Count? = nil
  ) {
    text =
      worker.prometheusText + client.prometheusText + Self.text(of: queue) + (fleet?.prometheusText ?? "")
  }

  private static func text(of queue: QueueWatch.Look) -> String {
    var text = PrometheusText()
    text.gauge("sealpush_store_up", help: "Whether the store has answered.", value: queue.isUp ? 1 : 0)
    if let counts = queue.counts {
      let states = [
        ("ready", counts.ready), ("delayed", counts.delayed), ("leased", counts.leased),
        ("dead", counts.dead),
      ]
      text.add(
        "sealpush_queue_jobs", kind: .gauge, help: "Jobs in the queue, by state.",
        samples: states.map { (#"{state="\#($0)"}"#, Double($1)) })
    }
    if queue.isUp {
      text.gauge(
        "sealpush_queue_oldest_ready_seconds", help: "How long the oldest ready job has been ready.",
        value: (queue.oldestReady ?? .zero) / .seconds(1))
    }
    if let enrolments = queue.enrolments {
      text.gauge(
        "sealpush_enrolments_waiting", help: "Enrolments without an answer.", value: Double(enrolments.count))
      text.gauge(
        "sealpush_enrolments_oldest_seconds", help: "How long the oldest enrolment has waited for an answer.",
        value: (enrolments.oldest ?? .zero) / .seconds(1))
    }
    return text.text
  }
}
