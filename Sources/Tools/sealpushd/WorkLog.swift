internal import PushCommands
internal import PushCore
internal import PushDelivery
internal import PushFiles
internal import PushStore
internal import PushWorker
private import Glibc
private import Synchronization

/// What a worker says on standard error: a JSON object a line, and on a terminal its progress below.
///
/// No line names a person, a token, a text or a key.
final class WorkLog: Sendable {
  /// How many lines a second has at the most: an outage is not to fill the disk.
  private static let maximumLines = 20

  private struct State {
    var second: Int64 = 0
    var lines = 0
    var omitted = 0
    var hasProgress = false
    var last: (instant: ContinuousClock.Instant, acknowledged: Int)?
  }

  private let showsProgress: Bool
  private let state = Mutex(State())

  init(isQuiet: Bool) { showsProgress = !isQuiet && isatty(STDERR_FILENO) == 1 }

  /// Writes what a worker reports.
  func write(_ event: WorkerEvent) {
    switch event {
    case .jobEnded(let report): write(report)
    case .routeStopped(let topic, let environment, let reason):
      let members = [("topic", topic), ("environment", environment), ("reason", reason)]
      write("route-stopped", members: members.map { ($0, .string($1)) }, isBounded: false)
    case .requestsRefused(let count, let topic, let environment, let reason):
      let members = [("topic", topic), ("environment", environment), ("reason", reason)]
      write(
        "requests-refused",
        members: [("count", .number(JSONNumber(count)))] + members.map { ($0, .string($1)) }, isBounded: true)
    case .identitySuspended(let identity):
      write("identity-suspended", members: [("identity", .string(identity.text))], isBounded: true)
    case .storeFailed(let error, let delay):
      write(
        "store-failed", members: [("reason", .string(error.description)), ("after", Self.seconds(delay))],
        isBounded: true)
    }
  }

  /// Writes why the queue could not be counted, without which the metrics lack its numbers.
  func write(uncounted error: StoreError) {
    write("count-failed", members: [("reason", .string(error.description))], isBounded: true)
  }

  /// Writes why a route delivers nothing.
  func write(_ trouble: RouteTroubles.Trouble) {
    let members = [
      ("topic", trouble.route.topic), ("environment", trouble.route.environment.rawValue),
      ("reason", trouble.reason),
    ]
    write(trouble.event, members: members.map { ($0, .string($1)) }, isBounded: true)
  }

  /// Writes what became of a job, unless it is done and the application does not record its trace.
  private func write(_ report: JobReport) {
    var job = [("job", JSONValue.number(JSONNumber(report.job.number)))]
    if let trace = report.traceparent { job.append(("traceparent", .string(trace.text))) }
    switch report.ending {
    case .done where report.traceparent?.isSampled == true:
      let count = report.devices.values.count { $0 == .accepted }
      write("done", members: job + [("devices", .number(JSONNumber(count)))], isBounded: false)
    case .done: break
    case .discarded(let reason):
      write("discarded", members: job + [("reason", .string(reason))], isBounded: true)
    case .retry(let delay, let reason):
      write(
        "retried", members: job + [("after", Self.seconds(delay)), ("reason", .string(reason))],
        isBounded: true)
    }
  }

  /// Writes an event with numbers.
  func write(_ event: String, numbers: [(String, Int)]) {
    write(event, members: numbers.map { ($0, .number(JSONNumber($1))) }, isBounded: false)
  }

  /// Writes an event with its reason.
  func write(_ event: String, reason: String) {
    write(event, members: [("reason", .string(reason))], isBounded: false)
  }

  /// Writes an event with texts.
  func write(_ event: String, texts: [(String, String)]) {
    write(event, members: texts.map { ($0, .string($1)) }, isBounded: false)
  }

  /// Writes an event that may come often, with its reason.
  func note(_ event: String, reason: String) {
    write(event, members: [("reason", .string(reason))], isBounded: true)
  }

  private static func seconds(_ time: Duration) -> JSONValue {
    .number(JSONNumber(Int((time / .seconds(1)).rounded(.up))))
  }

  private func write(_ event: String, members: [(String, JSONValue)], isBounded: Bool) {
    let now = UnixTime.now
    state.withLock { state in
      if state.second != now.seconds { Self.begin(&state, at: now) }
      state.lines += 1
      guard !isBounded || state.lines <= Self.maximumLines else {
        state.omitted += 1
        return
      }
      Self.print(event, members: members, at: now, in: &state)
    }
  }

  /// Begins another second, and says how much the one before has left out.
  private static func begin(_ state: inout State, at now: UnixTime) {
    let omitted = state.omitted
    (state.second, state.lines, state.omitted) = (now.seconds, 0, 0)
    if omitted > 0 {
      print("omitted", members: [("count", .number(JSONNumber(omitted)))], at: now, in: &state)
    }
  }

  private static func print(
    _ event: String, members: [(String, JSONValue)], at now: UnixTime, in state: inout State
  ) {
    var line: JSONObject = ["time": .string(now.iso8601), "event": .string(event)]
    for (name, value) in members { line[name] = value }
    clear(&state)
    put(line.jsonLine)
  }

  // MARK: Progress

  /// Shows what is done, on a terminal.
  func show(_ metrics: WorkerMetrics) {
    guard showsProgress else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      let rate = state.last.map { last in
        Int(Double(metrics.acknowledged - last.acknowledged) / ((now - last.instant) / .seconds(1)))
      }
      state.last = (now, metrics.acknowledged)
      state.hasProgress = true
      Self.put(
        """
        \r\u{1b}[K\(metrics.acknowledged) done  \(rate ?? 0)/s  \(metrics.open) at work  \
        \(metrics.retried) retried  \(metrics.discarded) dead
        """)
    }
  }

  /// Takes the progress away, and says what was left out.
  func clear() {
    state.withLock { state in
      Self.begin(&state, at: .now)
      Self.clear(&state)
    }
  }

  private static func clear(_ state: inout State) {
    guard state.hasProgress else { return }
    state.hasProgress = false
    put("\r\u{1b}[K")
  }

  private static func put(_ text: String) {
    try? FileDescriptor(borrowing: STDERR_FILENO).write(Array(text.utf8).span)
  }
}
