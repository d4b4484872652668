public import PushDelivery
internal import PushEnvelope
public import PushKeys
internal import PushPayload
internal import PushSealer
public import PushStore
private import Synchronization

/// Takes jobs from a queue, seals them to their persons' devices, sends them, and says what became of them.
///
/// ```swift
/// let worker = Worker(store, apns: client, senders: keys)
/// try await worker.run()  // until stop() is called
/// ```
///
/// Several workers, on several machines, share a store. Each job is worked on until each device of its person has it, or
/// never will. A repeat, after a crash or a failure, has the message ID and collapse ID of the first attempt, and is
/// signed with its key if the set still has it: the device shows it once, even if its own keys were rotated meanwhile.
public final class Worker: Sendable {
  private let store: PatientStore
  private let apns: APNsClient
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let clock: any DeliveryClock
  private let report: @Sendable (WorkerEvent) -> Void
  private let board: JobBoard
  private let routes = RouteWatch()
  private let persons: PersonLimiter
  private let stopping = StopSignal()

  /// Makes a worker that does nothing yet.
  ///
  /// - Parameters:
  ///   - senders: The backend's keys: the active one signs, and those that it replaced sign repeats.
  ///   - report: Is called with what an operator should know, on any thread.
  public init(
    _ store: any Store, apns: APNsClient, senders: KeySet,
    configuration: WorkerConfiguration = WorkerConfiguration(),
    clock: any DeliveryClock = SystemDeliveryClock(),
    report: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
  ) {
    (self.apns, self.configuration, self.clock, self.report) = (apns, configuration, clock, report)
    persons = PersonLimiter(configuration.personLimit)
    keys = SigningKeys(senders, configuration.policy)
    let board = JobBoard(configuration)
    self.board = board
    self.store = PatientStore(store, clock) { error, delay in
      board.count { $0.storeFailures += 1 }
      report(.storeFailed(error, retryAfter: delay))
    }
  }

  /// What was done so far.
  public var metrics: WorkerMetrics { board.metrics }

  /// Signs with other keys from now on.
  public func replaceSenders(_ senders: KeySet) { keys.replace(with: senders) }

  /// Claims nothing more.
  ///
  /// ``run()`` returns when what is claimed is done.
  ///
  /// Cancel its task to wait no longer: what is not done then is another worker's at once.
  public func stop() { stopping.give() }

  /// Works until ``stop()`` is called, or the task is cancelled; may be called once.
  ///
  /// - Throws: ``StoreError`` if the store cannot be used at all. What may pass, it waits for.
  public func run() async throws(StoreError) {
    // Not cancelled with the rest: it still writes what becomes of the jobs that are not done.
    let writer = Task { await Self.result { () throws(StoreError) in try await writeAll() } }
    let result = await withTaskGroup(of: Result<Void, StoreError>.self) { group in
      group.addTask {
        let result = await Self.result { () throws(StoreError) in try await self.deliver() }
        self.board.releaseAll()
        if Task.isCancelled { writer.cancel() }
        return result
      }
      group.addTask { await writer.value }
      group.addTask { await Self.result { () throws(StoreError) in try await self.enrol() } }
      return await withDiscardingTaskGroup { others in
        others.addTask { await self.keepClaims() }
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

  private func enrol() async throws(StoreError) {
    try await EnrolmentDesk(store, apns, keys, configuration, clock, board).work(until: stopping)
  }

  // MARK: Delivery

  private func deliver() async throws(StoreError) {
    let pushes = JobPushes { () async throws(StoreError) in try await self.nextPushes() }
    for try await delivered in apns.send(pushes, atATime: configuration.pushesAtATime) {
      await settle(delivered)
    }
  }

  /// Claims and seals until there is something to send; nil when the worker stops.
  private func nextPushes() async throws(StoreError) -> [JobPush]? {
    while !stopping.isGiven, !Task.isCancelled {
      guard board.places > 0 else {
        guard await board.waitForPlaces() else { return nil }
        continue
      }
      let jobs = try await store { (store) async throws(StoreError) in
        try await store.claim(
          atMost: min(configuration.batchSize, board.places), for: configuration.lease,
          sender: try? keys.current(at: clock.now).publicKey.thumbprint)
      }
      guard !jobs.isEmpty else {
        guard !configuration.stopsWhenIdle else { return nil }
        await waitForJobs()
        continue
      }
      let pushes = try await prepare(jobs)
      if !pushes.isEmpty { return pushes }
    }
    return nil
  }

  /// Waits until there may be a job, or the worker stops.
  private func waitForJobs() async {
    await stopping.interrupting { [store, clock, configuration] in
      let answer = await store.once { (store) async throws(StoreError) in
        try await store.jobsArrived(within: configuration.idleTime)
      }
      // A store that cannot say is asked for jobs after the same time.
      if answer == nil { try? await clock.sleep(until: clock.uptime + configuration.idleTime) }
    }
  }

  /// The pushes of claimed jobs; a job that has none ends.
  private func prepare(_ jobs: [ClaimedJob]) async throws(StoreError) -> [JobPush] {
    let now = clock.now
    board.count { $0.claimed += jobs.count }
    let valid = jobs.compactMap { claimed -> (ClaimedJob, Job)? in
      do throws(UselessJob) { return (claimed, try UselessJob.check(claimed, configuration, at: now)) } catch
      {
        discard(JobDiscard(claimed.claim, reason: error.reason))
        return nil
      }
    }
    let names = Array(Set(valid.map { PersonName($0.1) }))
    let found = try await store { (store) async throws(StoreError) in
      try await store.devices(of: names.map(\.text))
    }
    let devices = Dictionary(uniqueKeysWithValues: zip(names, found))
    var preparation = Preparation(keys, configuration.policy, at: now)
    for (claimed, job) in valid {
      let person = PersonName(job)
      let wanted = (devices[person] ?? []).filter { device in
        !claimed.settled.contains(device.identity) && (job.topic == nil || device.device.topic == job.topic)
      }
      guard !wanted.isEmpty else {
        if claimed.settled.isEmpty { board.count { $0.withoutDevices += 1 } }
        board.end(.acknowledge(claimed.claim))
        continue
      }
      if claimed.settled.isEmpty, let wait = persons.wait(of: person, at: clock.uptime) {
        board.end(.retry(JobRetry(claimed, after: wait, reason: "the person has had enough for a while")))
        continue
      }
      board.open(claimed, pushes: wanted.count)
      for device in wanted {
        if let reason = routes.hold(on: device.address, at: clock.uptime) {
          end(claimed.claim.job, device.identity, .later(reason, atLeast: nil))
        } else {
          preparation.add(job, claimed, device)
        }
      }
    }
    let (pushes, failures) = preparation.seal()
    for failure in failures { end(failure.job, failure.device, failure.outcome) }
    return pushes
  }

  private func settle(_ delivered: Delivered<JobPush>) async {
    let push = delivered.job
    let address = push.addressedPush.address
    let outcome: PushOutcome
    switch delivered.result {
    case .success(let response): outcome = PushOutcome(response, from: address)
    case .failure(let error):
      outcome = PushOutcome(error)
      switch error.cause {
      case .routeStopped(let reason), .badDevices(let reason, _):
        await stopRoute(of: address, reason?.rawValue ?? "no reason given")
      default: break
      }
    }
    end(push.job, push.device, outcome)
    guard let refused = routes.note(outcome, at: address, limit: configuration.badDevicesInARow) else {
      return
    }
    // They are not to blame: the environment or the topic must be wrong.
    for address in refused { board.release(address) }
    await stopRoute(of: address, "it refused \(refused.count) devices in a row")
  }

  /// Seals nothing for a route for a while; by the end of it somebody may have mended it.
  private func stopRoute(of address: DeviceAddress, _ reason: String) async {
    let end = clock.uptime + configuration.routePause
    let isNew = routes.stop(address, until: end, "APNs refuses the route: \(reason)")
    for route in await apns.stoppedRoutes.keys
    where route.environment == address.environment && route.topic == address.topic.text {
      await apns.resume(route)
    }
    guard isNew else { return }
    report(
      .routeStopped(topic: address.topic.text, environment: address.environment.rawValue, reason: reason))
  }

  private func end(_ job: JobID, _ device: Thumbprint, _ outcome: PushOutcome) {
    switch board.end(job, device, outcome) {
    case .retry(let retry)?: report(.retried(job, after: retry.delay, reason: retry.reason))
    case .discard(let discard)?: report(.discarded(job, reason: discard.reason))
    case .acknowledge?, nil: break
    }
  }

  private func discard(_ discard: JobDiscard) {
    board.end(.discard(discard))
    report(.discarded(discard.claim.job, reason: discard.reason))
  }

  // MARK: Writing

  private func writeAll() async throws(StoreError) {
    try await board.writeAll { (endings) throws(StoreError) in try await write(endings) }
  }

  private func write(_ endings: JobBoard.Endings) async throws(StoreError) {
    for (address, time) in endings.gone {
      let names = try await store { (store) async throws(StoreError) in
        try await store.remove(address, unregisteredAt: time)
      }
      if !names.isEmpty { board.count { $0.removed += 1 } }
    }
    for address in endings.quarantined {
      let count = try await store { (store) async throws(StoreError) in try await store.quarantine(address) }
      board.count { $0.quarantined += count }
    }
    for address in endings.released {
      _ = try await store { (store) async throws(StoreError) in try await store.release(address) }
    }
    // The ends of jobs come last: after a crash before them, everything is done again.
    if !endings.retries.isEmpty {
      _ = try await store { (store) async throws(StoreError) in try await store.retry(endings.retries) }
    }
    if !endings.discards.isEmpty {
      _ = try await store { (store) async throws(StoreError) in try await store.discard(endings.discards) }
    }
    if !endings.acknowledged.isEmpty {
      _ = try await store { (store) async throws(StoreError) in
        try await store.acknowledge(endings.acknowledged)
      }
    }
  }

  /// Extends the leases of what is open, until the task is cancelled.
  private func keepClaims() async {
    while !Task.isCancelled {
      try? await clock.sleep(until: clock.uptime + configuration.lease / 3)
      let claims = board.claims
      guard !claims.isEmpty, !Task.isCancelled else { continue }
      // After a failure it is tried again in time: the lease lasts for two more.
      _ = await store.once { (store) async throws(StoreError) in
        try await store.extend(claims, for: configuration.lease)
      }
    }
  }
}
