internal import PushCommands
internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushNetwork
internal import PushSealer
internal import PushStore
internal import PushWorker

/// A worker at its work, and the signals that it heeds.
struct WorkSession {
  private let place: StorePlace
  private let rowKey: RowKey?
  private let keys: WorkerKeys
  private let client: APNsClient
  private let configuration: WorkerConfiguration
  private let patience: Duration
  private let metricsPort: UInt16?
  private let address: ListenAddress?
  private let setsPath: String?
  private let log: WorkLog

  init(from arguments: Arguments, console: Console) async throws(ToolError) {
    place = try StorePlace(from: arguments)
    rowKey = try arguments.rowKey()
    configuration = try WorkerConfiguration(from: arguments)
    patience = try arguments[.stopWithin] ?? .seconds(20)
    var retries = RetryPolicy()
    // What takes longer waits in the queue, where every worker finds it.
    let time = try arguments[.timeout] ?? .seconds(60)
    guard time > .zero else { throw .usage("\(Option.timeout) must be at least 1s") }
    retries.totalTime = time
    // A route that is slow or gone does not hold the others up for longer: its jobs wait a little in the queue.
    retries.patience = min(.seconds(2), retries.totalTime / 4)
    let log = WorkLog(isQuiet: console.isQuiet)
    let troubles = RouteTroubles()
    client = try await APNsClient(from: arguments, retries: retries) { event in
      if let trouble = troubles.news(in: event) { log.write(trouble) }
    }
    keys = try WorkerKeys(from: arguments)
    metricsPort = try arguments[.metrics]
    address = try arguments[.listenAddress]
    setsPath = arguments[.senders]
    guard setsPath == nil || metricsPort != nil || address != nil else {
      throw .usage("\(Option.senders) needs \(Option.metrics) PORT or \(Option.listenAddress) ADDRESS")
    }
    self.log = log
  }

  /// Works until a signal comes, or, if that is asked for, until there is nothing to do.
  func run(console: Console) async throws(ToolError) {
    let loaded = try keys.load()
    // Before anybody learns that it works, and may end it.
    try Interruption.watch()
    Interruption.watchHangups()
    let store = try await place.open(making: true, rowKey: rowKey, console: console)
    let worker: Worker
    do throws(ConfigurationError) {
      worker = try Worker(
        store: store, apns: client, senders: loaded.senders, configuration: configuration,
        report: { [log] in log.write($0) })
    } catch {
      throw .usage("\(error)")
    }
    let apps = { @Sendable [setsPath, configuration] (keys: WorkerKeys.Loaded) in
      FleetWatch.App.all(of: keys, setsPath: setsPath, topic: configuration.topic)
    }
    let fleet = FleetWatch(store: store, apps: apps(loaded))
    let current = CurrentKeys(loaded.senders)
    let (pulse, readiness) = (Pulse(), Readiness(store: store, lack: { current.lack }))
    let text = metricsText(of: worker, store: store, fleet: fleet)
    let metrics = try metricsPort.map { (port) throws(ToolError) in try serve(text, on: port) }
    let probes = try address.map { (address) throws(ToolError) in
      try serve(text, at: address, pulse: pulse, readiness: readiness)
    }
    let counting = metrics == nil && probes == nil ? nil : Task { await fleet.run() }
    let asking = probes.map { _ in Task { await readiness.run() } }
    defer {
      counting?.cancel()
      asking?.cancel()
      metrics?.stop()
      probes?.stop()
    }
    let proxies = client.proxies.map(\.description).joined(separator: ", ")
    log.write("started", texts: proxies.isEmpty ? [] : [("proxy", proxies)])
    if configuration.policy.postQuantum == .preferred, !Suite.xwingAESGCM.isAvailable {
      log.write("post-quantum-unavailable", reason: Suite.xwingAESGCM.unavailability)
    }
    let failure = await work(with: worker, readiness: readiness) {
      pulse.beat()
    } taking: { [client] keys in
      if let teams = keys.apns { client.replaceKeys(with: teams) }
      worker.replaceSenders(with: keys.senders)
      worker.retryRoutes()
      current.replace(with: keys.senders)
      await fleet.replaceApps(with: apps(keys))
    }
    counting?.cancel()
    client.shutdown()
    // Tasks that have ended may refer to it for a moment longer than the process lives.
    await (store as? SQLiteStore)?.close()
    let done = worker.metrics
    let counts = [
      ("done", done.acknowledged), ("without_devices", done.withoutDevices), ("retried", done.retried),
      ("dead", done.discarded),
    ]
    log.write("stopped", numbers: counts)
    if let failure { throw failure.toolError }
    if configuration.stopsWhenIdle { try checkDelivery(of: done) }
  }

  /// Throws if APNs has refused every push, but for those to devices that are gone.
  private func checkDelivery(of done: WorkerMetrics) throws(ToolError) {
    let gone: [APNsReason] = [.unregistered, .expiredToken]
    let refused = client.metrics.refused.filter { !gone.contains($0.key) }.values.reduce(0, +)
    guard done.leased > 0, done.accepted == 0, refused > 0 else { return }
    guard done.retried + done.waited > 0 else {
      throw ToolError(.badData, "APNs refused every push", hint: "sealpushd queue dead shows why")
    }
    throw ToolError(
      .pending, "APNs refused every push, and jobs wait in the queue", hint: "the log above says why")
  }

  /// What makes the text of the metrics, whoever asks for it.
  private func metricsText(
    of worker: Worker, store: any Store, fleet: FleetWatch
  ) -> @Sendable () async -> String {
    let queue = QueueWatch(store: store) { [log] in log.write(uncounted: $0) }
    if metricsPort != nil || address != nil { Task { await queue.startCounting() } }
    return { [client] in
      MetricsText(
        worker: worker.metrics, client: client.metrics, queue: await queue.look(), fleet: await fleet.count
      ).text
    }
  }

  private func serve(
    _ text: @escaping @Sendable () async -> String, on port: UInt16
  ) throws(ToolError) -> MetricsServer {
    let server = try MetricsServer(port: port, text: text)
    log.write("metrics", numbers: [("port", Int(server.port))])
    return server
  }

  private func serve(
    _ text: @escaping @Sendable () async -> String, at address: ListenAddress, pulse: Pulse,
    readiness: Readiness
  ) throws(ToolError) -> ProbeServer {
    let server = try ProbeServer(at: address, pulse: pulse, readiness: readiness, metrics: text)
    log.write("listening", texts: [("address", server.place.description)])
    return server
  }

  /// Runs a worker to its end, and gives what ended it but the signals.
  ///
  /// Once a second it calls `turn`; `taking` gets the keys when they were read again.
  private func work(
    with worker: Worker, readiness: Readiness, turn: @escaping @Sendable () -> Void,
    taking take: @escaping @Sendable (WorkerKeys.Loaded) async -> Void
  ) async -> StoreError? {
    let work = Task { () -> StoreError? in
      do throws(StoreError) {
        try await worker.run()
        return nil
      } catch {
        return error
      }
    }
    let signals = Task { [log, patience] in
      await Interruption.wait()
      readiness.stop()
      log.write("stopping", numbers: [("within", Int(patience.components.seconds))])
      worker.stop()
      try? await Task.sleep(for: patience)
      guard !Task.isCancelled else { return }
      log.write("giving-back", numbers: [("open", worker.metrics.open)])
      work.cancel()
    }
    let watch = Task { await look(after: worker, turn: turn, taking: take) }
    defer {
      signals.cancel()
      watch.cancel()
      log.clear()
    }
    let failure = await work.value
    // A task that was cancelled may find its store closed to it, which is no failure.
    return work.isCancelled ? nil : failure
  }

  /// Once a second: reads the keys again if SIGHUP came, and shows the progress.
  private func look(
    after worker: Worker, turn: () -> Void, taking take: (WorkerKeys.Loaded) async -> Void
  ) async {
    while !Task.isCancelled {
      turn()
      log.show(worker.metrics)
      try? await Task.sleep(for: .seconds(1))
      guard Interruption.takeHangup() else { continue }
      do throws(ToolError) {
        guard keys.isRereadable else { throw .usage("they came through a descriptor") }
        await take(try keys.load())
        log.write("keys-read", numbers: [])
      } catch {
        log.write("keys-kept", reason: error.message)
      }
    }
  }
}

extension Option<Duration> {
  static var stopWithin: Self { .duration("--stop-within") }
  /// How long to try to send.
  static var timeout: Self { .duration("--timeout") }
}

extension Option<UInt16> {
  static var metrics: Self { .port("--metrics") }
}
