internal import PushCore
internal import PushDelivery
internal import PushEnrolment
internal import PushKeys
internal import PushStore
internal import PushWorker

/// What the phones of a store have, counted seldom and a little at a time, beside a worker that has other things to do.
actor FleetWatch {
  /// How long to wait between two counts.
  private static let pause: Duration = .seconds(15 * 60)

  /// How many devices are read at a time: a worker's next call waits for one such page at most.
  private static let pageSize = 200

  private let store: any Store
  private var apps: [App]

  /// Phones that are counted together: those of an app.
  struct App: Sendable {
    /// The app; nil for that of the signed sets, or for all.
    let topic: Topic?
    /// The files of the signed sets that phones can have.
    let setsPaths: [String]
    /// The app's sender; nil if it has none.
    let sender: KeySet?

    /// The apps of a file of routes, or the only one.
    static func all(of keys: WorkerKeys.Loaded, setsPath: String?, topic: Topic?) -> [App] {
      guard let routes = keys.routes, !routes.topics.isEmpty else {
        return [App(topic: topic, setsPaths: setsPath.map { [$0] } ?? [], sender: keys.senders.standard)]
      }
      return routes.topics.sorted { $0.text < $1.text }.map { topic in
        let paths = routes.entries.filter { $0.topics?.contains(topic) == true }.flatMap(\.senderSets)
        return App(topic: topic, setsPaths: paths, sender: keys.senders.keys(for: topic))
      }
    }
  }

  /// What a count has found.
  struct Count: Sendable {
    /// The phones that messages go to, an app a report.
    let reports: [FleetReport]
    /// All devices, by state.
    let states: [StoredDevice.State: Int]
  }

  /// What was counted last; nil before the first time.
  private(set) var count: Count?

  /// Watches a store.
  init(store: any Store, apps: [App]) { (self.store, self.apps) = (store, apps) }

  /// Takes the apps and their senders' keys after a change.
  func replaceApps(with apps: [App]) { self.apps = apps }

  /// Counts again and again, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      // What fails is counted at another time; until then the last numbers hold.
      if let count = try? await countAll() { self.count = count }
      try? await Task.sleep(for: Self.pause)
    }
  }

  private func countAll() async throws -> Count {
    Count(reports: try await countPhones(), states: try await countStates())
  }

  private func countPhones() async throws -> [FleetReport] {
    var reports = try apps.map { app in
      // The files of a route are for all its apps.
      let sets = try app.setsPaths.flatMap { try SenderSets.read(from: $0) }
      let own = sets.filter { app.topic == nil || $0.topic == app.topic }
      return FleetReport(sets: own, sender: app.sender, topic: app.topic, at: .now)
    }
    var last: String?
    while true {
      let start = ContinuousClock.now
      let page = try await store.fleet(after: last, atMost: Self.pageSize)
      for device in page {
        for number in reports.indices { reports[number].add(device) }
      }
      guard page.count == Self.pageSize else { return reports }
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
    text.add(reports)
    return text.text
  }
}

extension PrometheusText {
  /// Writes what reports say; they count phones, and name none.
  ///
  /// Each sample has the app if there is more than one.
  fileprivate mutating func add(_ reports: [FleetReport]) {
    func samples(_ all: (FleetReport) -> [(label: String, value: Int)]) -> [(String, Double)] {
      reports.flatMap { report in
        let topic = reports.count > 1 ? report.topic.map { #"topic="\#($0)""# } : nil
        return all(report).map { label, value in
          let labels = [topic, label.isEmpty ? nil : label].compactMap(\.self)
          return (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}", Double(value))
        }
      }
    }
    add(
      "sealpush_fleet_devices", kind: .gauge,
      help: "Production devices that enrolled within 45 days, by the set of senders' keys that they report.",
      samples: samples { report in
        FleetReport.SetState.allCases.map { (#"set="\#($0.rawValue)""#, report[$0]) }
      })
    add(
      "sealpush_fleet_silent_devices", kind: .gauge,
      help: "Production devices that did not enrol within 45 days.", samples: samples { [("", $0.silent)] })
    add(
      "sealpush_fleet_key_devices", kind: .gauge, help: "Devices that have the sender's active and next key.",
      samples: samples { [(#"key="active""#, $0.withActiveKey), (#"key="next""#, $0.withNextKey)] })
    let suites = Suite.allCases.filter { $0 != .sharedChaChaPoly }
    add(
      "sealpush_fleet_suite_devices", kind: .gauge, help: "Devices with proven keys, by suite.",
      samples: samples { report in suites.map { (#"suite="\#($0.name)""#, report[$0]) } })
    add(
      "sealpush_fleet_counting_devices", kind: .gauge, help: "Devices that count the pushes that they open.",
      samples: samples { [("", $0.counting)] })
    add(
      "sealpush_fleet_opening_devices", kind: .gauge, help: "Devices that have opened any push.",
      samples: samples { [("", $0.opening)] })
    add(
      "sealpush_fleet_degraded_devices", kind: .gauge,
      help: "Devices that have failed to open any push, by reason.",
      samples: samples { report in
        report.degraded.sorted { $0.key < $1.key }.map { (#"reason="\#($0.key)""#, $0.value) }
      })
  }
}
