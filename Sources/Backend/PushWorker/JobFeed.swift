internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// The pushes of a worker's jobs: it leases jobs, prepares their messages, and seals them, batch after batch, until the
/// worker stops.
struct JobFeed: AsyncSequence, Sendable {
  typealias Element = JobPush
  typealias Failure = StoreError

  let store: PatientStore
  let keys: SigningKeys
  let configuration: WorkerConfiguration
  let clock: any PushClock
  let jobs: OpenJobs
  let routes: RouteWatch
  let steering: SteeringWatch
  let recorder: OutcomeRecorder
  let preparer: JobPreparer
  let stopping: Signal
  private let gate = BatchGate()

  func makeAsyncIterator() -> Iterator { Iterator(feed: self) }

  struct Iterator: AsyncIteratorProtocol {
    private let feed: JobFeed
    /// What is sealed and not sent.
    private var sealed: ArraySlice<JobPush> = []
    /// What is leased and not sealed.
    private var prepared: Preparation?
    /// How many jobs are leased at a time: fewer while their persons have many devices.
    private var batchSize: Int
    /// Whether what is leased is worked on with no others.
    private var isApart = false

    fileprivate init(feed: JobFeed) {
      self.feed = feed
      batchSize = feed.configuration.batchSize
    }

    /// The next push that is still to be sent.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(StoreError)
      -> JobPush?
    {
      while true {
        while let push = sealed.popFirst() {
          if feed.isWanted(push) { return push }
        }
        guard let pushes = try await nextBatch() else { return nil }
        sealed = pushes[...]
      }
    }

    /// Leases and seals until there is something to send; nil when the worker stops.
    private mutating func nextBatch() async throws(StoreError) -> [JobPush]? {
      guard feed.gate.begin() else { return nil }
      defer { feed.gate.end() }
      while feed.isWorking {
        if let pushes = sealPrepared() { return pushes }
        guard let (jobs, start) = try await lease() else { return nil }
        prepared = try await prepare(jobs, leasedAt: start)
      }
      return sealPrepared()
    }

    /// Leases jobs to work on together, as soon as some are ready; nil if no more may be leased.
    ///
    /// `start` is the uptime before they were leased.
    private mutating func lease() async throws(StoreError) -> (jobs: [LeasedJob], start: Duration)? {
      var hasWaited = false
      while true {
        guard await hasRoom() else { return nil }
        await feed.waitForRoutes()
        guard await feed.waitWhilePaused() else { return nil }
        guard feed.isWorking else { return nil }
        let (jobs, start) = try await feed.lease(atMost: batchSize)
        feed.jobs.add(jobs, leasedAt: start)
        if let suspects = SuspectJobs(among: jobs, configuration: feed.configuration) {
          isApart = true
          return await feed.begin(suspects).map { ($0, start) }
        }
        if !jobs.isEmpty { return (jobs, start) }
        if feed.configuration.stopsWhenIdle {
          // What has not ended may be ready again at once, and so may be what operators held back.
          if feed.jobs.isEmpty {
            guard await feed.steering.release() ?? 0 > 0 else { return nil }
          } else {
            guard await feed.jobs.waitUntilEmpty() else { return nil }
          }
          continue
        }
        // What is ready may be locked by others.
        if hasWaited { try? await feed.clock.sleep(until: feed.clock.uptime + .milliseconds(50)) }
        hasWaited = await feed.waitForJobs()
      }
    }

    /// Waits until more jobs may be leased; false if no more may be.
    private mutating func hasRoom() async -> Bool {
      guard isApart else { return await feed.jobs.waitForPlaces() }
      isApart = false
      return await feed.jobs.waitUntilEmpty()
    }

    private mutating func prepare(
      _ jobs: [LeasedJob], leasedAt start: Duration
    ) async throws(StoreError) -> Preparation {
      let (preparation, done, rest) = try await feed.preparer.prepare(jobs, leasedAt: start)
      if rest > 0 {
        batchSize = done
      } else if preparation.count < feed.configuration.messagesAtATime {
        batchSize = Swift.min(batchSize * 2, feed.configuration.batchSize)
      }
      return preparation
    }

    /// Seals a part of what is prepared; nil if nothing is.
    private mutating func sealPrepared() -> [JobPush]? {
      while let (pushes, failures) = prepared?.sealSome() {
        if prepared?.isEmpty == true { prepared = nil }
        for failure in failures {
          feed.recorder.record(failure.outcome, on: failure.device, for: failure.lease)
        }
        guard !pushes.isEmpty else { continue }
        feed.jobs.count { metrics in
          for push in pushes { metrics.sealed[push.suite, default: 0] += 1 }
        }
        return pushes
      }
      return nil
    }
  }

  /// Lets no more jobs be leased, and waits until those of the batch that is under way are prepared.
  func close() async { await gate.close() }

  private var isWorking: Bool { !stopping.isGiven && !Task.isCancelled }

  /// Whether a push is still to be sent.
  ///
  /// If it is not, that is recorded with the reason, unless its job is no longer this worker's.
  private func isWanted(_ push: JobPush) -> Bool {
    let now = clock.uptime
    guard let isLeased = jobs.isLeased(push.lease, at: now) else { return false }
    if push.end <= now {
      recorder.record(
        .failed("its time was up before it was sent"), on: push.device.identity, for: push.lease)
      return false
    }
    if !isLeased {
      recorder.record(.later("its lease was over", atLeast: nil), on: push.device.identity, for: push.lease)
      return false
    }
    let route = push.device.route
    if steering.isPaused(route) {
      recorder.record(.held(route, .pause), on: push.device.identity, for: push.lease)
      return false
    }
    if let end = push.turnEnd, end <= now {
      recorder.record(.held(route, .rate), on: push.device.identity, for: push.lease)
      return false
    }
    return true
  }

  /// Leases jobs that are ready, as many as there are places for; `start` is the uptime before.
  private func lease(atMost count: Int) async throws(StoreError) -> (jobs: [LeasedJob], start: Duration) {
    try await store { (store) async throws(StoreError) in
      let start = clock.uptime
      let leased = try await store.lease(
        atMost: Swift.min(count, jobs.places), for: configuration.lease,
        senders: keys.current(at: clock.now))
      return (leased, start)
    }
  }

  /// Gives the others back, and waits until the suspects are all that is leased; nil if the worker stops.
  private func begin(_ suspects: SuspectJobs) async -> [LeasedJob]? {
    preparer.giveBack(suspects.others)
    guard await jobs.waitUntilEmpty() else {
      preparer.giveBack(suspects.group)
      return nil
    }
    return suspects.group
  }

  /// Waits while nothing can be sent anywhere.
  private func waitForRoutes() async {
    guard !configuration.stopsWhenIdle else { return }
    while let end = routes.standstill(at: clock.uptime), isWorking {
      await stopping.interrupting { [clock] in try? await clock.sleep(until: end) }
    }
  }

  /// Waits while operators have paused everything; false if a worker that stops when it is idle need not wait.
  private func waitWhilePaused() async -> Bool {
    while steering.steering.isAllPaused, isWorking {
      guard !configuration.stopsWhenIdle else { return false }
      await stopping.interrupting { [clock] in
        try? await clock.sleep(until: clock.uptime + SteeringWatch.interval)
      }
    }
    return true
  }

  /// Waits until a job may be ready, or the worker stops; true if the store says that one may be.
  private func waitForJobs() async -> Bool {
    let mayBeReady = await stopping.interrupting { [store, clock, configuration] in
      let arrived = await store.once { (store) async throws(StoreError) in
        try await store.jobsArrived(within: configuration.idleTime)
      }
      // A store that cannot say is asked for jobs after the same time.
      if arrived == nil { try? await clock.sleep(until: clock.uptime + configuration.idleTime) }
      return arrived ?? false
    }
    return mayBeReady ?? false
  }
}
