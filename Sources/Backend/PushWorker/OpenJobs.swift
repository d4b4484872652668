internal import PushCore
internal import PushKeys
internal import PushStore
private import Synchronization

/// A worker's claimed jobs: those that are open, and those whose ends are to be written.
///
/// One task claims, one takes the outcomes of pushes, one writes. What ends while the writer writes is written together.
final class OpenJobs: Sendable {
  private struct State {
    /// By claim: what comes of an earlier claim of the same job says nothing of the later one.
    var open: [Lease: OpenJob] = [:]
    /// Claims that are being prepared, and the uptime before each was made or last extended.
    var preparing: [Lease: Duration] = [:]
    var endings = PendingWrites()
    /// What is being written.
    var writing = PendingWrites()
    /// Ends of jobs whose rows others hold: they are written later.
    var held: [JobEnding] = []
    var batch = Batch.none
    /// What is to be done when no more jobs will be opened; nil when that is so.
    var atFinish: [@Sendable () -> Void]? = []
    var metrics = WorkerMetrics()

    mutating func note(_ outcome: PushOutcome) {
      switch outcome {
      case .accepted: metrics.accepted += 1
      case .failed: metrics.failed += 1
      case .gone, .quarantined, .later: break
      }
      endings.note(outcome)
    }
  }

  /// Whether jobs are being claimed and prepared.
  private enum Batch {
    case none, underWay
    case awaited(CheckedContinuation<Void, Never>)
    /// No more will be.
    case closed
  }

  private let configuration: WorkerConfiguration
  private let state = Mutex(State())
  private let written: (bell: AsyncStream<Void>, ring: AsyncStream<Void>.Continuation)
  private let room: (bell: AsyncStream<Void>, ring: AsyncStream<Void>.Continuation)

  init(configuration: WorkerConfiguration) {
    self.configuration = configuration
    let (first, second) = (Self.bell(), Self.bell())
    (written, room) = (first, second)
  }

  private static func bell() -> (AsyncStream<Void>, AsyncStream<Void>.Continuation) {
    AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  var metrics: WorkerMetrics {
    state.withLock { state in
      var metrics = state.metrics
      metrics.open = state.open.count + state.endings.count + state.writing.count + state.held.count
      return metrics
    }
  }

  func count(_ change: (inout WorkerMetrics) -> Void) { state.withLock { change(&$0.metrics) } }

  // MARK: Claiming

  /// How many more jobs may be claimed.
  var places: Int {
    let open = metrics.open
    return max(0, configuration.openJobs - open)
  }

  /// Waits until jobs may be claimed; false if no more will be.
  func waitForPlaces() async -> Bool {
    for await _ in room.bell where places > 0 { return true }
    return false
  }

  /// Waits until ``isEmpty``; false if no more may be claimed.
  func waitUntilEmpty() async -> Bool {
    if isEmpty { return true }
    for await _ in room.bell where isEmpty { return true }
    return false
  }

  /// Whether all jobs have ended, and that is written where no others hold a row.
  var isEmpty: Bool {
    state.withLock { $0.open.isEmpty && $0.endings.count == 0 && $0.writing.count == 0 }
  }

  /// The claims that are to be extended: of all jobs whose ends are not written.
  var claims: [Lease] {
    state.withLock { state in
      let ended = state.endings.all + state.writing.all + state.held
      return Array(state.preparing.keys) + Array(state.open.keys) + ended.map(\.claim)
    }
  }

  /// Begins to claim and prepare jobs; false if no more may be.
  func beginBatch() -> Bool {
    state.withLock { state in
      guard case .none = state.batch else { return false }
      state.batch = .underWay
      return true
    }
  }

  /// Takes note of what was claimed; `start` is from before the claim.
  func prepare(_ jobs: [LeasedJob], at start: Duration) {
    state.withLock { state in
      for job in jobs { state.preparing[job.claim] = start }
      state.metrics.claimed += jobs.count
    }
  }

  /// Ends what ``beginBatch()`` has begun.
  func endBatch() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.preparing = [:]
      guard case .awaited(let continuation) = state.batch else {
        state.batch = .none
        return nil
      }
      state.batch = .closed
      return continuation
    }
    waiting?.resume()
  }

  /// Lets no more jobs be claimed, and waits for those that are being prepared.
  func close() async {
    await withCheckedContinuation { continuation in
      let isUnderWay = state.withLock { state in
        guard case .underWay = state.batch else {
          state.batch = .closed
          return false
        }
        state.batch = .awaited(continuation)
        return true
      }
      if !isUnderWay { continuation.resume() }
    }
  }

  /// Whether a job that is being prepared is still this worker's, as far as it knows.
  func isPreparing(_ claim: Lease) -> Bool { state.withLock { $0.preparing[claim] != nil } }

  /// Opens a job that is being prepared, so many of whose pushes will have outcomes.
  ///
  /// If it is no longer this worker's, nothing hears of them.
  func open(_ job: LeasedJob, pushes: Int, countedUntil end: Duration?) {
    state.withLock { state in
      guard let start = state.preparing.removeValue(forKey: job.claim) else { return }
      state.open[job.claim] = OpenJob(job: job, leasedAt: start, pushes: pushes, countedUntil: end)
    }
  }

  /// Whether a job is still this worker's, as far as it knows, and not all of its pushes have ended.
  func isOpen(_ claim: Lease) -> Bool { state.withLock { $0.open[claim] != nil } }

  /// Whether an open job's lease is not over: a worker that does not reach the store cannot know that it is longer.
  func isLeased(_ claim: Lease, at now: Duration) -> Bool {
    state.withLock { state in
      guard let job = state.open[claim] else { return false }
      return now < job.leasedAt + configuration.lease
    }
  }

  /// Takes note of which claims were extended after `start`.
  ///
  /// The jobs of the others are forgotten, because others have claimed them, or their persons are forgotten.
  func keep(_ extended: Set<Lease>, of claims: [Lease], at start: Duration) {
    state.withLock { state in
      for claim in claims {
        let isLost = !extended.contains(claim)
        if let index = state.open.index(forKey: claim) {
          if isLost { state.open.remove(at: index) } else { state.open.values[index].leasedAt = start }
        } else if state.preparing[claim] != nil {
          state.preparing[claim] = isLost ? nil : start
        }
      }
    }
    if extended.count < claims.count { room.ring.yield() }
  }

  // MARK: Outcomes

  /// Takes note of what became of a push; returns its job and what becomes of it, if that was the last one.
  func end(
    _ claim: Lease, on device: Thumbprint, with outcome: PushOutcome
  ) -> (job: OpenJob, ending: JobEnding)? {
    change { state in
      guard let index = state.open.index(forKey: claim) else { return nil }
      state.open.values[index].end(on: device, with: outcome)
      state.note(outcome)
      guard state.open.values[index].remaining == 0 else { return nil }
      let open = state.open.remove(at: index).value
      let ending = open.ending(configuration: configuration)
      state.endings.add(ending)
      return (open, ending)
    }
  }

  /// Ends a device's quarantine.
  func release(_ address: DeviceAddress) { change { $0.endings.release(address) } }

  /// Ends a job without a push.
  func end(_ ending: JobEnding) {
    change { state in
      state.preparing[ending.claim] = nil
      state.endings.add(ending)
    }
  }

  /// Changes the state, and rings for the writer if that is what it waits for.
  private func change<Value>(_ change: (inout State) -> Value) -> Value {
    let (value, isFirst) = state.withLock { state in
      let wasEmpty = state.endings.isEmpty
      let value = change(&state)
      return (value, wasEmpty && !state.endings.isEmpty)
    }
    if isFirst { written.ring.yield() }
    return value
  }

  /// Ends all jobs that are open, for other workers to begin at once.
  func releaseAll() {
    state.withLock { state in
      for job in state.open.values { state.endings.add(job.release) }
      state.open = [:]
    }
    finish()
  }

  /// Says that no more jobs will be opened: the writer ends when it has written.
  private func finish() {
    written.ring.finish()
    room.ring.finish()
    let actions = state.withLock { state in
      defer { state.atFinish = nil }
      return state.atFinish ?? []
    }
    for action in actions { action() }
  }

  /// Does something when no more jobs will be opened, or at once.
  func atFinish(_ action: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      state.atFinish?.append(action)
      return state.atFinish == nil
    }
    if isFinished { action() }
  }

  // MARK: Writing

  /// Lets jobs be written whose rows others held.
  func tryHeldAgain() {
    change { state in
      state.endings.held += state.held
      state.held = []
    }
  }

  /// Writes what has ended until no more will, always all that has ended meanwhile.
  ///
  /// `gather` is called when something has ended, and returns when it is time to write; `write` returns the jobs whose rows
  /// others hold.
  func writeAll(
    gather: () async -> Void, write: (PendingWrites) async throws(StoreError) -> [JobEnding]
  ) async throws(StoreError) {
    for await _ in written.bell {
      await gather()
      try await writeOnce(write)
    }
    try await writeOnce(write)
    // The last time: others claim what is still held when its lease ends.
    tryHeldAgain()
    try await writeOnce(write)
  }

  private func writeOnce(
    _ write: (PendingWrites) async throws(StoreError) -> [JobEnding]
  ) async throws(StoreError) {
    let endings = state.withLock { state in
      state.writing = state.endings
      defer { state.endings = PendingWrites() }
      return state.endings
    }
    guard !endings.isEmpty else { return }
    let held = try await write(endings)
    let others = Set(held.map(\.claim))
    state.withLock { state in
      state.writing = PendingWrites()
      state.held += held
      for ending in endings.all where !others.contains(ending.claim) { state.metrics.count(ending) }
    }
    room.ring.yield()
  }
}
