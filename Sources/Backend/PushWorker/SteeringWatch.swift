internal import PushCore
internal import PushKeys
internal import PushStore
private import Synchronization

/// Why a push waits that operators hold back.
enum HoldCause: String, CaseIterable {
  /// Its route is paused.
  case pause
  /// Its topic's limit is reached.
  case rate

  /// The cause, for operators.
  var reason: String {
    switch self {
    case .pause: "the route is paused"
    case .rate: "the topic's limit is reached"
    }
  }
}

/// What operators let the worker do, as the store has said it last.
///
/// It also makes jobs ready again that were held, and tells the store which routes the worker has stopped.
final class SteeringWatch: Sendable {
  private let store: PatientStore
  private let clock: any PushClock
  private let routes: RouteWatch
  private let state = Mutex((steering: Steering.none, stopped: [Route: StoppedRoute]()))

  /// How often the store is asked.
  static let interval = Duration.seconds(2)

  /// How often while there are more jobs to release than ``partSize``.
  private static let shortInterval = Duration.milliseconds(200)

  /// How often at least while the store fails.
  private static let longestInterval = Duration.seconds(30)

  /// How many jobs of a route are released together.
  private static let partSize = 2000

  init(store: PatientStore, clock: any PushClock, routes: RouteWatch) {
    (self.store, self.clock, self.routes) = (store, clock, routes)
  }

  /// What operators let it do.
  var steering: Steering { state.withLock(\.steering) }

  /// Whether nothing may be sealed for a route.
  func isPaused(_ route: Route) -> Bool {
    state.withLock { !$0.steering.pauses.isEmpty && $0.steering.isPaused(route) }
  }

  /// Asks the store for the first time.
  func begin() async throws(StoreError) {
    set(try await store { (store) async throws(StoreError) in try await store.steering() })
  }

  private func set(_ steering: Steering) { state.withLock { $0.steering = steering } }

  /// Asks the store again and again, until the task is cancelled.
  func watch() async {
    var wait = Self.interval
    while !Task.isCancelled {
      if let released = await release() {
        await tell()
        wait = released >= Self.partSize ? Self.shortInterval : Self.interval
      } else {
        wait = min(wait * 2, Self.longestInterval)
      }
      try? await clock.sleep(until: clock.uptime + wait)
    }
  }

  /// Asks the store again, makes jobs ready that may go now, and returns how many; nil if the store fails.
  func release() async -> Int? {
    await store.once { (store) async throws(StoreError) in
      set(try await store.steering())
      return try await store.releaseHeld(atMost: Self.partSize)
    }
  }

  /// Tells the store which routes were stopped since the last time, and which go again.
  private func tell() async {
    let stopped = routes.stoppedRoutes
    let (new, going) = state.withLock { state in
      let new = stopped.filter { state.stopped[$0.key] != $0.value }
      return (Array(new.values), state.stopped.keys.filter { stopped[$0] == nil })
    }
    guard !new.isEmpty || !going.isEmpty else { return }
    let told: Void? = await store.once { (store) async throws(StoreError) in
      try await store.note(stopped: new, going: going)
    }
    if told != nil { state.withLock { $0.stopped = stopped } }
  }
}
