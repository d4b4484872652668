internal import PushStore

/// What is in a queue, as far as the store says it.
///
/// Counting takes a time that grows with the queue, so it is done beside, and no more often than it is worth.
actor QueueWatch {
  /// What a look has found.
  struct Look: Sendable {
    /// Whether the store has answered.
    let isUp: Bool
    /// How long the oldest ready job has been ready.
    let oldestReady: Duration?
    /// The enrolments that wait for an answer.
    let enrolments: WaitingEnrolments?
    /// What was counted last; nil before the first time.
    let counts: QueueStatistics?
  }

  private let store: any Store
  private let failed: @Sendable (StoreError) -> Void
  private var failure: StoreError?
  private var counts: QueueStatistics?
  private var isCounting = false
  private var nextCount = ContinuousClock.now

  /// Watches a store; `failed` gets why it could not be counted, when that is another reason than the last time.
  init(store: any Store, failed: @escaping @Sendable (StoreError) -> Void) {
    self.store = store
    self.failed = failed
  }

  /// What the store says at once, and what it has counted last.
  func look() async -> Look {
    startCounting()
    do throws(StoreError) {
      let oldest = try await store.oldestReady()
      let enrolments = try await waitingEnrolments()
      return Look(isUp: true, oldestReady: oldest, enrolments: enrolments, counts: counts)
    } catch {
      return Look(isUp: false, oldestReady: nil, enrolments: nil, counts: counts)
    }
  }

  /// Counts the enrolments; nil while an application has locked their table.
  private func waitingEnrolments() async throws(StoreError) -> WaitingEnrolments? {
    do throws(StoreError) {
      return try await store.waitingEnrolments()
    } catch {
      guard case .busy = error else { throw error }
      return nil
    }
  }

  /// Counts beside, unless that is under way or was done lately.
  func startCounting() {
    guard !isCounting, ContinuousClock.now >= nextCount else { return }
    isCounting = true
    Task { await count() }
  }

  private func count() async {
    let start = ContinuousClock.now
    do throws(StoreError) {
      counts = try await store.statistics()
      failure = nil
    } catch {
      // It is counted at another time; until then the last numbers hold.
      if failure != error { failed(error) }
      failure = error
    }
    let end = ContinuousClock.now
    // A queue that takes long to count is counted a twentieth of the time.
    nextCount = end + max(.seconds(1), (end - start) * 20)
    isCounting = false
  }
}
