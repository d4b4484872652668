internal import PushCommands
internal import PushCore
internal import PushStore

/// What a store says at once, and what was counted last, for all pages that are open.
///
/// Counting takes a time that grows with the queue: one count runs at a time, and no more than a twentieth of the time.
actor OperatorView {
  private let store: any Store
  private var look: QueueLook?
  private var depths: [QueueDepth] = []
  private var failure: String?
  private var isCounting = false
  private var nextCount = ContinuousClock.now

  /// How many rows of a kind a page gets.
  static let maximumRows = 100

  private static let interval = Duration.seconds(2)

  init(store: any Store) { self.store = store }

  /// The page's state.
  func state() async throws(StoreError) -> JSONObject {
    startCounting()
    let oldest = try await store.oldestReady()
    let steering = try await store.steering()
    let stopped = try await store.stoppedRoutes()
    let enrolments = try await store.waitingEnrolments()
    var state: JSONObject = [
      "time": .number(JSONNumber(UnixTime.now.seconds)),
      "pauses": Self.rows(steering.pauses) { $0.json },
      "rates": Self.rows(steering.sortedRates) { $1.json(of: $0) },
      "stopped": Self.rows(stopped) { $0.json }, "depths": Self.rows(depths) { $0.json },
      "enrolments_waiting": .number(JSONNumber(enrolments.count)),
    ]
    state["counts"] = look.map { .object($0.json) }
    state["count_failure"] = failure.map { .string($0) }
    state["oldest_ready_seconds"] = oldest.map { .number(JSONNumber($0.components.seconds)) }
    return state
  }

  private static func rows<Row>(_ rows: [Row], json: (Row) -> JSONObject) -> JSONValue {
    .array(rows.prefix(maximumRows).map { .object(json($0)) })
  }

  private func startCounting() {
    guard !isCounting, ContinuousClock.now >= nextCount else { return }
    isCounting = true
    Task { await count() }
  }

  private func count() async {
    let start = ContinuousClock.now
    do throws(ToolError) {
      look = try await QueueLook(at: store, after: look)
      depths = try await storing { () async throws(StoreError) in
        try await store.depths(atMost: Self.maximumRows)
      }
      failure = nil
    } catch {
      failure = error.message
    }
    let end = ContinuousClock.now
    nextCount = end + max(Self.interval, (end - start) * 20)
    isCounting = false
  }
}

extension QueueDepth {
  /// It as an object.
  fileprivate var json: JSONObject {
    var object: JSONObject = [
      "push_type": .string(pushType), "waiting": .number(JSONNumber(waiting)),
      "dead": .number(JSONNumber(dead)),
    ]
    object["topic"] = topic.map { .string($0) }
    return object
  }
}

extension StoppedRoute {
  /// It as an object.
  fileprivate var json: JSONObject {
    [
      "topic": .string(route.topic.text), "environment": .string(route.environment.rawValue),
      "reason": .string(reason), "stopped_at": .number(JSONNumber(stoppedAt.seconds)),
    ]
  }
}
