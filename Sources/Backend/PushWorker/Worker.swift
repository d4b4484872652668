public import PushDelivery
public import PushKeys
public import PushStore

/// Takes jobs from a queue, seals them to their persons' devices, sends them, and says what became of them.
///
/// ```swift
/// let worker = Worker(store: store, apns: client, senders: keys)
/// try await worker.run()  // until stop() is called
/// ```
///
/// Several workers, on several machines, share a store. Each job is worked on until each device of its person has it, or
/// never will. A repeat, after a crash or a failure, has the message ID and collapse ID of the first attempt, and is
/// signed with its key if the set still has it: the device shows it once, even if its own keys were rotated meanwhile.
public final class Worker: Sendable {
  private let apns: APNsClient
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let board: OpenJobs
  private let stopping = StopSignal()
  private let intake: JobFeed
  private let settlement: OutcomeRecorder
  private let writer: ResultWriter
  private let desk: EnrolmentAnswerer

  /// Makes a worker that does nothing yet.
  ///
  /// - Parameters:
  ///   - store: The queue, the directory and the inbox.
  ///   - apns: The client that delivers, which the worker does not shut down.
  ///   - senders: The backend's keys: the active one signs, and those that it replaced sign repeats.
  ///   - configuration: How it works.
  ///   - clock: The time that it waits in.
  ///   - report: Is called with what an operator should know, on any thread.
  public init(
    store: any Store, apns: APNsClient, senders: KeySet,
    configuration: WorkerConfiguration = WorkerConfiguration(),
    clock: any PushClock = SystemClock(),
    report: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
  ) {
    (self.apns, self.configuration) = (apns, configuration)
    let (board, keys) = (
      OpenJobs(configuration: configuration), SigningKeys(keys: senders, policy: configuration.policy)
    )
    (self.board, self.keys) = (board, keys)
    let store = PatientStore(store: store, clock: clock) { error, delay in
      board.count { $0.storeFailures += 1 }
      report(.storeFailed(error, retryAfter: delay))
    }
    let routes = RouteWatch(apns: apns, configuration: configuration, clock: clock, report: report)
    let persons = PersonLimiter(limit: configuration.personLimit)
    settlement = OutcomeRecorder(
      configuration: configuration, board: board, routes: routes, persons: persons, report: report)
    intake = JobFeed(
      store: store, keys: keys, configuration: configuration, clock: clock, board: board, routes: routes,
      persons: persons, settlement: settlement, until: stopping)
    writer = ResultWriter(store: store, configuration: configuration, clock: clock, board: board)
    desk = EnrolmentAnswerer(
      store: store, apns: apns, keys: keys, configuration: configuration, clock: clock, board: board,
      routes: routes)
  }

  /// What was done so far.
  public var metrics: WorkerMetrics { board.metrics }

  /// Signs with other keys from now on.
  public func replaceSenders(with senders: KeySet) { keys.replace(with: senders) }

  /// Claims nothing more.
  ///
  /// ``run()`` returns when what is claimed is done.
  ///
  /// Cancel its task to wait no longer: what is not done then is another worker's at once.
  public func stop() { stopping.give() }

  /// Works until ``stop()`` is called, or the task is cancelled; may be called once.
  ///
  /// - Throws: `StoreError` if the store cannot be used at all. What may pass, it waits for.
  public func run() async throws(StoreError) {
    // Not cancelled with the rest: it still writes what becomes of the jobs that are not done.
    let writing = Task { await Self.result { () throws(StoreError) in try await writer.writeAll() } }
    let result = await withTaskGroup(of: Result<Void, StoreError>.self) { group in
      group.addTask {
        let result = await Self.result { () throws(StoreError) in try await self.deliver() }
        await self.board.close()
        self.board.releaseAll()
        return result
      }
      group.addTask { [board] in
        await withTaskCancellationHandler {
          await writing.value
        } onCancel: {
          board.atFinish { writing.cancel() }
        }
      }
      group.addTask {
        await Self.result { () throws(StoreError) in try await self.desk.work(until: self.stopping) }
      }
      return await withDiscardingTaskGroup { others in
        others.addTask { await self.writer.keepClaims() }
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
    let pushes = JobPushes {
      [intake] () async throws(StoreError) in
      try await intake.nextPushes()
    } where: {
      [intake] push in
      intake.isWanted(push)
    }
    for try await delivered in apns.send(pushes, atATime: configuration.pushesAtATime) {
      await settlement.settle(delivered)
    }
  }
}
