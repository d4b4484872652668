internal import PushCore
internal import PushStore

/// Removes what is kept for too long, once an hour: outcomes, dead letters, registrations that have proven
/// nothing, and keys of messages.
struct OldRowSweep {
  private let store: PatientStore
  private let configuration: WorkerConfiguration
  private let clock: any PushClock
  private var next: Duration

  /// How often old rows are removed.
  private static let interval = Duration.seconds(3600)

  /// How many old rows of a kind are removed together.
  private static let size = 2000

  /// Begins at once.
  init(store: PatientStore, configuration: WorkerConfiguration, clock: any PushClock) {
    (self.store, self.configuration, self.clock) = (store, configuration, clock)
    next = clock.uptime
  }

  /// Removes what is too old, if it is time for that, in parts, and goes on later if that is not done when `end` has come.
  mutating func run(until end: Duration) async {
    while clock.uptime >= next, clock.uptime < end {
      if await removeSome() { next = clock.uptime + Self.interval }
      if Task.isCancelled { return }
    }
  }

  /// Removes a part of each kind, and returns whether there may be no more.
  private func removeSome() async -> Bool {
    let outcomes = await store.once { (store) async throws(StoreError) in
      try await store.removeOutcomes(olderThan: configuration.outcomeTime, atMost: Self.size)
    }
    let dead = await store.once { (store) async throws(StoreError) in
      try await store.removeDeadLetters(olderThan: configuration.deadLetterTime, atMost: Self.size)
    }
    let unproven = await store.once { (store) async throws(StoreError) in
      try await store.removeIdle(olderThan: configuration.unprovenTime, atMost: Self.size)
    }
    let keys = await store.once { (store) async throws(StoreError) in
      try await store.removeKeys(olderThan: JobKey.longestTime, atMost: Self.size)
    }
    return max(outcomes ?? 0, dead ?? 0, unproven ?? 0, keys ?? 0) < Self.size
  }
}
