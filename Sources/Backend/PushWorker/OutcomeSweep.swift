internal import PushCore
internal import PushStore

/// Removes outcomes that are too old, once an hour.
struct OutcomeSweep {
  private let store: PatientStore
  private let time: Duration
  private let clock: any PushClock
  private var next: Duration

  /// How often old outcomes are removed.
  private static let interval = Duration.seconds(3600)

  /// How many old outcomes are removed together.
  private static let size = 2000

  /// Begins at once; `time` is how long an outcome is kept.
  init(store: PatientStore, time: Duration, clock: any PushClock) {
    (self.store, self.time, self.clock) = (store, time, clock)
    next = clock.uptime
  }

  /// Removes what is too old, if it is time for that, in parts, and goes on later if that is not done when `end` has come.
  mutating func run(until end: Duration) async {
    while clock.uptime >= next, clock.uptime < end {
      let removed = await store.once { [time] (store) async throws(StoreError) in
        try await store.removeOutcomes(olderThan: time, atMost: Self.size)
      }
      if removed ?? 0 < Self.size { next = clock.uptime + Self.interval }
      if Task.isCancelled { return }
    }
  }
}
