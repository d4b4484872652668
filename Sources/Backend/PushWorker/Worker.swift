public import PushDelivery
public import PushKeys
public import PushStore

/// Takes jobs from a queue, seals them to their persons' devices, sends them, and says what became of them.
///
/// ```swift
/// let worker = try Worker(store: store, apns: client, senders: keys)
/// try await worker.run()  // until stop() is called
/// ```
///
/// Several workers, on several machines, may share a store. A job is repeated until each device of its person has it or
/// cannot get it. A repeat has the message ID and the collapse ID of the first attempt, and is signed with the same key if
/// the set still has it. So a device shows it once, even if the device's own keys were rotated meanwhile.
public final class Worker: Sendable {
  private let apns: any PushSending
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let jobs: OpenJobs
  private let routes: RouteWatch
  private let stopping = Signal()
  private let steering: SteeringWatch
  private let feed: JobFeed
  private let recorder: OutcomeRecorder
  private let writer: ResultWriter
  private let answerer: EnrolmentAnswerer
  private let asker: ProofAsker

  /// Makes a worker whose apps all have one sender, and which does nothing yet.
  ///
  /// - Throws: `ConfigurationError`, which names the configuration's property that is wrong.
  public convenience init(
    store: any Store, apns: any PushSending, senders: KeySet,
    configuration: WorkerConfiguration = WorkerConfiguration(),
    clock: any PushClock = SystemClock(),
    report: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
  ) throws(ConfigurationError) {
    try self.init(
      store: store, apns: apns, senders: Senders(senders), configuration: configuration, clock: clock,
      report: report)
  }

  /// Makes a worker that does nothing yet.
  ///
  /// - Parameters:
  ///   - store: The queue, the directory and the inbox.
  ///   - apns: An `APNsClient`, or what takes its place; the worker does not shut it down.
  ///   - senders: The backend's keys: the active one signs, and those that it replaced sign repeats.
  ///   - configuration: How it works.
  ///   - clock: The clock by which it waits.
  ///   - report: Is called with what an operator should know, on any thread.
  /// - Throws: `ConfigurationError`, which names the configuration's property that is wrong.
  public init(
    store: any Store, apns: any PushSending, senders: Senders,
    configuration: WorkerConfiguration = WorkerConfiguration(),
    clock: any PushClock = SystemClock(),
    report: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
  ) throws(ConfigurationError) {
    try configuration.check()
    self.apns = apns
    self.configuration = configuration
    let keys = SigningKeys(senders: senders, policy: configuration.policy)
    self.keys = keys
    let jobs = OpenJobs(configuration: configuration)
    self.jobs = jobs
    let store = PatientStore(store: store, clock: clock) { error, delay in
      jobs.count { $0.storeFailures += 1 }
      report(.storeFailed(error, retryAfter: delay))
    }
    let routes = RouteWatch(apns: apns, configuration: configuration, clock: clock, report: report)
    self.routes = routes
    let steering = SteeringWatch(store: store, clock: clock, routes: routes)
    self.steering = steering
    let persons = PersonLimiter(limit: configuration.personLimit)
    recorder = OutcomeRecorder(
      configuration: configuration, jobs: jobs, routes: routes, persons: persons, report: report)
    let preparer = JobPreparer(
      store: store, keys: keys, configuration: configuration, clock: clock, jobs: jobs, routes: routes,
      steering: steering, persons: persons, recorder: recorder)
    feed = JobFeed(
      store: store, keys: keys, configuration: configuration, clock: clock, jobs: jobs, routes: routes,
      steering: steering, recorder: recorder, preparer: preparer, stopping: stopping)
    writer = ResultWriter(
      store: store, configuration: configuration, clock: clock, jobs: jobs, routes: routes)
    asker = ProofAsker(
      store: store, apns: apns, keys: keys, configuration: configuration, clock: clock, jobs: jobs,
      routes: routes, steering: steering, report: report)
    answerer = EnrolmentAnswerer(
      store: store, keys: keys, configuration: configuration, clock: clock, jobs: jobs, asker: asker,
      report: report)
  }

  /// What was done so far.
  public var metrics: WorkerMetrics {
    var metrics = jobs.metrics
    metrics.stoppedRoutes = routes.stoppedCount
    metrics.pauses = steering.steering.pauses.count
    return metrics
  }

  /// Signs with other keys from now on.
  public func replaceSenders(with senders: Senders) { keys.replace(with: senders) }

  /// Signs with other keys from now on, one set for all apps.
  public func replaceSenders(with senders: KeySet) { replaceSenders(with: Senders(senders)) }

  /// Tries the routes again at once that it has stopped for a while, because their keys or proxies are others now.
  public func retryRoutes() { routes.releaseAll() }

  /// Leases no more jobs.
  ///
  /// ``run()`` returns when the leased jobs are done. Cancel its task to wait no longer: other workers get the rest at once.
  public func stop() { stopping.give() }

  /// Works until ``stop()`` is called, or the task is cancelled; may be called once.
  ///
  /// - Throws: `StoreError` if the store cannot be used at all. It waits for failures that may pass.
  public func run() async throws(StoreError) {
    try await steering.begin()
    // This task is not cancelled with the others: it still writes what becomes of the jobs that have not ended.
    let writing = Task { await Self.result { () throws(StoreError) in try await writer.writeAll() } }
    let delivered = Signal()
    let result = await withTaskGroup(of: Result<Void, StoreError>.self) { group in
      group.addTask {
        let result = await Self.result { () throws(StoreError) in try await self.deliver() }
        await self.feed.close()
        self.jobs.close()
        delivered.give()
        return result
      }
      group.addTask {
        await withTaskCancellationHandler {
          await writing.value
        } onCancel: {
          Task {
            await delivered.wait()
            writing.cancel()
          }
        }
      }
      let answered = Signal()
      group.addTask {
        let result = await Self.result { () throws(StoreError) in
          try await self.answerer.work(until: self.stopping)
        }
        answered.give()
        self.asker.wake()
        return result
      }
      group.addTask {
        await Self.result { () throws(StoreError) in
          try await self.asker.work(until: self.stopping, after: answered)
        }
      }
      return await withDiscardingTaskGroup { others in
        others.addTask { await self.writer.keepLeases() }
        others.addTask { await self.steering.watch() }
        let result = await Self.end(of: &group)
        others.cancelAll()
        return result
      }
    }
    try result.get()
  }

  /// Waits for all, or for the first failure, which ends the others.
  private static func end(
    of group: inout TaskGroup<Result<Void, StoreError>>
  ) async -> Result<Void, StoreError> {
    var first = Result<Void, StoreError>.success(())
    for await result in group {
      guard case .success = first, case .failure = result else { continue }
      first = result
      group.cancelAll()
    }
    return first
  }

  private static func result(
    _ work: () async throws(StoreError) -> Void
  ) async -> Result<Void, StoreError> {
    do throws(StoreError) { return .success(try await work()) } catch { return .failure(error) }
  }

  private func deliver() async throws(StoreError) {
    for try await delivered in apns.send(feed, atATime: configuration.pushesAtATime) {
      await recorder.record(delivered)
    }
  }
}
