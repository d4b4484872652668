internal import PushCommands
internal import PushCore
internal import PushEnrolment
internal import PushNetwork
internal import PushStore
internal import PushWorker

/// A service at its work, and the signals that it heeds.
struct ServiceSession {
  private let store: StorePlace
  private let rowKey: RowKey?
  private let place: LoopbackPlace
  private let secrets: ServiceSecrets
  private let apps: ServiceApps
  private let audience: Audience?
  private let identity: ServiceIdentity
  private let probes: ListenAddress?
  private let log: WorkLog

  /// How many connections may be open.
  private static let maximumConnections = 256

  /// How long requests may take to be answered after a signal.
  private static let endingTime = Duration.seconds(5)

  init(from arguments: Arguments, console: Console) throws(ToolError) {
    store = try StorePlace(from: arguments)
    rowKey = try arguments.rowKey()
    place = try arguments.required(.listen)
    let log = WorkLog(isQuiet: true)
    secrets = try ServiceSecrets(from: arguments)
    apps = try ServiceApps(from: arguments) { log.note("senders-kept", reason: $0) }
    audience = try arguments[.audience]
    identity = try ServiceIdentity(from: arguments)
    probes = try arguments[.probes]
    self.log = log
  }

  /// Serves until a signal comes, or its store's file is no longer the one that it has opened.
  func run(console: Console) async throws(ToolError) {
    try place.checkFolder()
    // Before anybody learns that it serves, and may end it.
    try Interruption.watch()
    Interruption.watchHangups()
    let store = try await store.open(making: true, rowKey: rowKey, console: console)
    let server = try listen()
    let service = EnrolmentService(
      store: store, apps: apps, audience: audience, secrets: secrets, identity: identity, log: log)
    server.serve(refusing: PlainAnswer.init(refusing:)) { request in
      BlockingWait.value { await service.answer(to: request) }
    }
    let pulse = Pulse()
    let readiness = Readiness(store: store) { [log] in log.note("store-failed", reason: $0.description) }
    let probing = try serveProbes(of: pulse, readiness)
    defer { probing?.stop() }
    let asking = probing.map { _ in Task { await readiness.run() } }
    defer { asking?.cancel() }
    log.write("started", texts: [("listen", server.place.description)])
    let (endings, ending) = AsyncStream<StoreError?>.makeStream()
    let signals = Task {
      await Interruption.wait()
      ending.yield(nil)
    }
    let watch = Task { ending.yield(await look(after: store, pulse)) }
    let failure = await endings.first { _ in true } ?? nil
    signals.cancel()
    readiness.stop()
    watch.cancel()
    log.write("stopping", numbers: [])
    server.stop()
    let end = ContinuousClock.now + Self.endingTime
    while !server.isIdle, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
    await (store as? SQLiteStore)?.close()
    log.write("stopped", numbers: [])
    if let failure { throw failure.toolError }
  }

  private func listen() throws(ToolError) -> PlainServer {
    var rules = PlainRules()
    rules.maximumConnections = Self.maximumConnections
    rules.maximumBody = EnrolmentService.maximumBody
    rules.isForBrowsers = false
    rules.tellsWhenFull = true
    // A proxy may repeat headers of its own, and those that say who it is are checked.
    rules.takesRepeatedHeaders = true
    do throws(ListenError) {
      return try PlainServer(at: .loopback(place), rules: rules)
    } catch {
      throw ToolError(.failed, error.description, hint: "another service may use it")
    }
  }

  private func serveProbes(of pulse: Pulse, _ readiness: Readiness) throws(ToolError) -> ProbeServer? {
    try probes.map { (address) throws(ToolError) in
      let server = try ProbeServer(at: address, pulse: pulse, readiness: readiness)
      log.write("listening", texts: [("address", server.place.description)])
      return server
    }
  }

  /// Once a second: reads the secrets and routes again if SIGHUP came, and looks whether the store's file is still there; returns when it
  /// is not.
  private func look(after store: any Store, _ pulse: Pulse) async -> StoreError? {
    while !Task.isCancelled {
      pulse.beat()
      try? await Task.sleep(for: .seconds(1))
      do throws(StoreError) { try (store as? SQLiteStore)?.checkThere() } catch { return error }
      guard Interruption.takeHangup() else { continue }
      do throws(ToolError) {
        try secrets.readAgain()
        log.write("secrets-read", numbers: [])
      } catch {
        log.write("secrets-kept", reason: error.message)
      }
      do throws(ToolError) { try apps.readAgain() } catch {
        log.write("routes-kept", reason: error.message)
      }
    }
    return nil
  }
}
