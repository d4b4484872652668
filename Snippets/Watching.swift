// What a worker and its client report, for swift-log; their counts, for swift-metrics or Prometheus.

#if os(Linux)
  import PushDelivery
  import PushStore
  import PushWorker

  // snippet.hide
  /// What swift-log has.
  struct Logger: Sendable {
    func info(_ message: String, metadata: [String: String]) { print(message, metadata) }
    func warning(_ message: String, metadata: [String: String]) { print(message, metadata) }
  }

  /// What swift-metrics has.
  struct Counter: Sendable {
    let label: String
    func increment() {}
  }

  // snippet.show
  func note(_ event: WorkerEvent, in logger: Logger) {
    switch event {
    case .jobEnded(let report):
      let id = report.messageID?.text ?? "-"
      logger.info("job \(report.ending)", metadata: ["job": "\(report.job.number)", "message": id])
    case .routeStopped(let topic, let environment, let reason):
      logger.warning("route stopped: \(reason)", metadata: ["topic": topic, "environment": environment])
    case .requestsRefused(let count, let topic, _, let reason):
      logger.warning("\(count) proof requests refused: \(reason)", metadata: ["topic": topic])
    case .identitySuspended(let identity):
      logger.warning("two phones have one identity", metadata: ["identity": "\(identity)"])
    case .storeFailed(let error, _): logger.warning("store failed", metadata: ["error": "\(error)"])
    }
  }

  func count(_ event: DeliveryEvent) {
    guard case .answered(let answer, _, _, _) = event else { return }
    Counter(label: "apns_answers_\(answer.status)").increment()
  }
  // snippet.hide

  func watched(_ store: some Store, senders: KeySet, token: ProviderToken) throws -> Worker {
    let client = try APNsClient(token: token, report: count)
    return try Worker(store: store, apns: client, senders: senders) { note($0, in: Logger()) }
  }
#endif
