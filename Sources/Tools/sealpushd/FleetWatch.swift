internal import PushCore
internal import PushDelivery
internal import PushEnrolment
internal import PushKeys
internal import PushStore

/// What the phones of a store have, counted seldom and a little at a time, beside a worker that has other things to do.
actor FleetWatch {
  /// How long to wait between two counts.
  private static let pause: Duration = .seconds(15 * 60)

  /// How many devices are read at a time: a worker's next call waits for one such page at most.
  private static let pageSize = 200

  private let store: any Store
  private let setsPath: String?
  private let topic: Topic?
  private var sender: KeySet

  /// What a count has found.
  struct Count: Sendable {
    /// The phones that messages go to.
    let report: FleetReport
    /// All devices, by state.
    let states: [StoredDevice.State: Int]
  }

  /// What was counted last; nil before the first time.
  private(set) var count: Count?

  /// Watches a store; `setsPath` is a file of the signed sets that phones can have.
  init(store: any Store, setsPath: String?, sender: KeySet, topic: Topic?) {
    (self.store, self.setsPath, self.sender, self.topic) = (store, setsPath, sender, topic)
  }

  /// Takes the sender's keys after a rotation.
  func replaceSender(with sender: KeySet) { self.sender = sender }

  /// Counts again and again, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      // What fails is counted at another time; until then the last numbers hold.
      if let count = try? await countAll() { self.count = count }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private func countAll() async throws -> Count {
    Count(report: try await countPhones(), states: try await countStates())
  }

  private func countPhones() async throws -> FleetReport {
    let sets = try setsPath.map { try SenderSets.read(from: $0) } ?? []
    var report = FleetReport(sets: sets, sender: sender, topic: topic, at: .now)
    var last: String?
    while true {
      let start = ContinuousClock.now
      let page = try await store.fleet(after: last, atMost: Self.pageSize)
      for device in page { report.add(device) }
      guard page.count == Self.pageSize else { return report }
      last = page.last?.name
      try await Self.rest(since: start)
    }
  }

  private func countStates() async throws -> [StoredDevice.State: Int] {
    var states: [StoredDevice.State: Int] = [:]
    var last: String?
    while true {
      let start = ContinuousClock.now
      let page = try await store.devices(after: last, atMost: Self.pageSize)
      for device in page { states[device.state, default: 0] += 1 }
      guard page.count == Self.pageSize else { return states }
      last = page.last?.name
      try await Self.rest(since: start)
    }
  }

  /// Waits, so that a large fleet is counted a tenth of the time.
  private static func rest(since start: ContinuousClock.Instant) async throws {
    try await Task.sleep(for: max(.milliseconds(20), (ContinuousClock.now - start) * 9))
  }
}

extension FleetWatch.Count {
  /// The metrics in Prometheus' text format; they count devices, and name none.
  var prometheusText: String {
    var text = PrometheusText()
    text.add(
      "sealpush_devices", kind: .gauge, help: "Devices in the store, by state; proven ones get messages.",
      samples: StoredDevice.State.allCases.map { (#"{state="\#($0.rawValue)"}"#, Double(states[$0] ?? 0)) })
    return text.text + report.prometheusText
  }
}

extension FleetReport {
  /// The metrics in Prometheus' text format; they count phones, and name none.
  var prometheusText: String {
    var text = PrometheusText()
    let all = SetState.allCases.map { (#"{set="\#($0.rawValue)"}"#, Double(self[$0])) }
    text.add(
      "sealpush_fleet_devices", kind: .gauge,
      help: "Production devices that enrolled within 45 days, by the set of senders' keys that they report.",
      samples: all)
    text.gauge(
      "sealpush_fleet_silent_devices", help: "Production devices that did not enrol within 45 days.",
      value: Double(silent))
    text.add(
      "sealpush_fleet_key_devices", kind: .gauge, help: "Devices that have the sender's active and next key.",
      samples: [
        (#"{key="active"}"#, Double(withActiveKey)), (#"{key="next"}"#, Double(withNextKey)),
      ])
    let suites = Suite.allCases.filter { $0 != .sharedChaChaPoly }
    text.add(
      "sealpush_fleet_suite_devices", kind: .gauge, help: "Devices with proven keys, by suite.",
      samples: suites.map { (#"{suite="\#($0.name)"}"#, Double(self[$0])) })
    text.gauge(
      "sealpush_fleet_counting_devices", help: "Devices that count the pushes that they open.",
      value: Double(counting))
    text.gauge(
      "sealpush_fleet_opening_devices", help: "Devices that have opened any push.", value: Double(opening))
    let reasons = degraded.sorted { $0.key < $1.key }
    text.add(
      "sealpush_fleet_degraded_devices", kind: .gauge,
      help: "Devices that have failed to open any push, by reason.",
      samples: reasons.map { (#"{reason="\#($0.key)"}"#, Double($0.value)) })
    return text.text
  }
}
