internal import PushCore
internal import PushKeys
internal import PushStore
private import Synchronization

/// A ledger of the jobs that a worker has leased: those that it prepares, those whose pushes are on their way, and those
/// that have ended and whose results are not written.
///
/// ``JobFeed`` adds jobs, ``OutcomeRecorder`` ends them, and ``ResultWriter`` takes those that have ended. The ledger
/// calls none of them: it only wakes the one that waits.
final class OpenJobs: Sendable {
  private struct State {
    /// The jobs that are being prepared, and the uptime before each was leased or its lease last extended.
    var preparing: [Lease: Duration] = [:]
    /// By lease: the outcome of an earlier lease of the same job does not count for a later one.
    var open: [Lease: OpenJob] = [:]
    var ended = PendingWrites()
    var writing = PendingWrites()
    /// Jobs that have ended and whose rows others hold: they are written later.
    var held: [JobEnding] = []
    var metrics = WorkerMetrics()

    mutating func note(_ outcome: PushOutcome, as result: JobReport.DeviceOutcome) {
      if case .held(_, let cause) = outcome { metrics.count(cause) }
      switch result {
      case .accepted: metrics.accepted += 1
      case .failed: metrics.failed += 1
      case .unregistered, .postponed: break
      }
      ended.note(outcome)
    }
  }

  private let configuration: WorkerConfiguration
  private let state = Mutex(State())
  /// Rings for the writer when something has ended.
  private let endings = Bell()
  /// Rings for the feed when there may be room for more jobs.
  private let room = Bell()

  init(configuration: WorkerConfiguration) { self.configuration = configuration }

  var metrics: WorkerMetrics {
    state.withLock { state in
      var metrics = state.metrics
      metrics.open = state.open.count + state.ended.count + state.writing.count + state.held.count
      return metrics
    }
  }

  func count(_ change: (inout WorkerMetrics) -> Void) { state.withLock { change(&$0.metrics) } }

  // MARK: Room

  /// How many more jobs may be leased.
  var places: Int { max(0, configuration.openJobs - metrics.open) }

  /// Whether all jobs have ended, and all results are written, except where others hold a row.
  var isEmpty: Bool {
    state.withLock { $0.open.isEmpty && $0.ended.count == 0 && $0.writing.count == 0 }
  }

  /// Waits until more jobs may be leased; false once the ledger is closed.
  func waitForPlaces() async -> Bool { await wait { places > 0 } }

  /// Waits until ``isEmpty``; false once the ledger is closed.
  func waitUntilEmpty() async -> Bool { await wait { isEmpty } }

  private func wait(until condition: () -> Bool) async -> Bool {
    while !condition() {
      guard await room.wait() else { return false }
    }
    return true
  }

  // MARK: Leases

  /// Adds jobs, to be prepared; `start` is the uptime before they were leased.
  func add(_ jobs: [LeasedJob], leasedAt start: Duration) {
    state.withLock { state in
      for job in jobs { state.preparing[job.lease] = start }
      state.metrics.leased += jobs.count
    }
  }

  /// Whether a job that is being prepared is still this worker's, as far as it knows.
  func isPreparing(_ lease: Lease) -> Bool { state.withLock { $0.preparing[lease] != nil } }

  /// Opens a job that is being prepared: its pushes to these devices will have outcomes.
  ///
  /// If the job is no longer this worker's, their outcomes are ignored.
  func open(
    _ job: LeasedJob, for devices: [StoredDevice], besides unreachable: UnreachableDevices,
    countedUntil end: Duration?
  ) {
    state.withLock { state in
      guard let start = state.preparing.removeValue(forKey: job.lease) else { return }
      state.open[job.lease] = OpenJob(
        job: job, leasedAt: start, devices: devices, unreachable: unreachable, countedUntil: end)
    }
  }

  /// Whether an open job's lease has not ended: a worker that does not reach the store cannot know that it was extended.
  ///
  /// It is nil if the job is no longer this worker's, as far as it knows, or all of its pushes have ended.
  func isLeased(_ lease: Lease, at now: Duration) -> Bool? {
    state.withLock { state in
      guard let index = state.open.index(forKey: lease) else { return nil }
      return now < state.open.values[index].leasedAt + configuration.lease
    }
  }

  /// The leases to extend: those of all jobs whose results are not written.
  var leases: [Lease] {
    state.withLock { state in
      let ended = state.ended.all + state.writing.all + state.held
      return Array(state.preparing.keys) + Array(state.open.keys) + ended.map(\.lease)
    }
  }

  /// Takes note of which leases were extended after `start`, and forgets the jobs of the others: other workers have
  /// leased them, or their persons were forgotten.
  func keep(_ extended: Set<Lease>, of leases: [Lease], at start: Duration) {
    state.withLock { state in
      for lease in leases {
        let isLost = !extended.contains(lease)
        if let index = state.open.index(forKey: lease) {
          if isLost { state.open.remove(at: index) } else { state.open.values[index].leasedAt = start }
        } else if state.preparing[lease] != nil {
          state.preparing[lease] = isLost ? nil : start
        }
      }
    }
    if extended.count < leases.count { room.ring() }
  }

  // MARK: Outcomes

  /// Takes note of what became of a push; returns its job and how that ends, if the push was the job's last.
  func record(
    _ outcome: PushOutcome, on device: Thumbprint, for lease: Lease
  ) -> (job: OpenJob, ending: JobEnding)? {
    change { state in
      guard let index = state.open.index(forKey: lease) else { return nil }
      let result = state.open.values[index].record(outcome, on: device, configuration: configuration)
      state.note(outcome, as: result)
      guard state.open.values[index].remaining == 0 else { return nil }
      let job = state.open.remove(at: index).value
      let ending = job.ending(configuration: configuration)
      state.ended.add(ending)
      return (job, ending)
    }
  }

  /// Ends a job of which nothing was pushed.
  func end(_ ending: JobEnding) {
    change { state in
      state.preparing[ending.lease] = nil
      state.ended.add(ending)
    }
  }

  /// Ends a device's quarantine, and forgets that APNs has refused it.
  func release(_ address: DeviceAddress) { change { $0.ended.release(address) } }

  /// Releases all open jobs, for other workers to begin at once, and closes the ledger: no more jobs may be added.
  func close() {
    state.withLock { state in
      for job in state.open.values { state.ended.add(job.release) }
      state.open = [:]
    }
    endings.end()
    room.end()
  }

  /// Changes the state, and wakes the writer if something has ended since it last took what had.
  private func change<Value>(_ change: (inout State) -> Value) -> Value {
    let (value, isFirst) = state.withLock { state in
      let wasEmpty = state.ended.isEmpty
      let value = change(&state)
      return (value, wasEmpty && !state.ended.isEmpty)
    }
    if isFirst { endings.ring() }
    return value
  }

  // MARK: Writing

  /// Waits until something has ended; false once the ledger is closed.
  func waitForEndings() async -> Bool { await endings.wait() }

  /// Takes what has ended, to be written.
  func takeEnded() -> PendingWrites {
    state.withLock { state in
      state.writing = state.ended
      state.ended = PendingWrites()
      return state.writing
    }
  }

  /// Takes note that what ``takeEnded()`` returned is written, except for jobs whose rows others hold.
  func finish(_ writes: PendingWrites, except held: [JobEnding]) {
    let others = Set(held.map(\.lease))
    state.withLock { state in
      state.writing = PendingWrites()
      state.held += held
      for ending in writes.all where !others.contains(ending.lease) { state.metrics.count(ending) }
    }
    room.ring()
  }

  /// Lets the jobs be written again whose rows others held.
  func retryHeld() {
    change { state in
      state.ended.held += state.held
      state.held = []
    }
  }
}

/// Wakes a task that waits.
///
/// Several rings before it waits again count as one.
private struct Bell: Sendable {
  private let rings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring() { continuation.yield() }

  /// Wakes the task for the last time.
  func end() { continuation.finish() }

  /// Waits for a ring; false once the bell has ended, or if the task is cancelled.
  func wait() async -> Bool {
    for await _ in rings { return true }
    return false
  }
}
