internal import PushStore

/// What is in a queue, looked at no more often than the look is worth: it takes a time that grows with the queue.
actor QueueWatch {
  private let store: any Store
  private var last: (statistics: QueueStatistics?, end: ContinuousClock.Instant)?

  init(_ store: any Store) { self.store = store }

  /// The queue's statistics, a few seconds old at the most; nil if the store does not say them.
  func statistics() async -> QueueStatistics? {
    let start = ContinuousClock.now
    if let last, start < last.end { return last.statistics }
    let statistics: QueueStatistics?
    do throws(StoreError) { statistics = try await store.statistics() } catch { statistics = nil }
    let end = ContinuousClock.now
    // A queue that takes long to count is counted a twentieth of the time.
    last = (statistics, end + max(.seconds(1), (end - start) * 20))
    return statistics
  }
}
