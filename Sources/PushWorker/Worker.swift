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
  /// What is claimed and not sealed.
  private let prepared = Mutex<Preparation?>(nil)

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
        await self.board.close()
        self.board.releaseAll()
        return result
      }
      group.addTask { [board] in
        await withTaskCancellationHandler {
          await writer.value
        } onCancel: {
          board.atFinish { writer.cancel() }
        }
      }
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
    let desk = EnrolmentDesk(store, apns, keys, configuration, clock, board) { address, reason in
      await self.stopRoute(of: address, reason)
    }
    try await desk.work(until: stopping)
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
    guard board.beginBatch() else { return nil }
    defer { board.endBatch() }
    var hasWaited = false
    while !stopping.isGiven, !Task.isCancelled {
      if let pushes = sealPrepared() { return pushes }
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
        // What is ready may be locked by others.
        if hasWaited { try? await clock.sleep(until: clock.uptime + .milliseconds(50)) }
        hasWaited = await waitForJobs()
        continue
      }
      hasWaited = false
      board.prepare(jobs)
      do throws(StoreError) {
        let preparation = try await prepare(jobs)
        prepared.withLock { $0 = preparation }
      } catch {
        giveBack(jobs)
        throw error
      }
    }
    return sealPrepared()
  }

  /// Seals a part of what is prepared; nil if nothing is.
  private func sealPrepared() -> [JobPush]? {
    while true {
      let sealed = prepared.withLock { preparation -> (pushes: [JobPush], failures: [Preparation.Failure])? in
        defer { if preparation?.isEmpty == true { preparation = nil } }
        return preparation?.sealSome()
      }
      guard let (pushes, failures) = sealed else { return nil }
      for failure in failures { end(failure.claim, failure.device, failure.outcome) }
      if !pushes.isEmpty { return pushes }
    }
  }

  /// Gives jobs back that were not prepared.
  private func giveBack(_ jobs: [ClaimedJob]) {
    for job in jobs { board.end(.retry(JobRetry(job, after: .zero, reason: "the worker stopped"))) }
  }

  /// Waits until there may be a job, or the worker stops; true if the store says that there may be one.
  private func waitForJobs() async -> Bool {
    let answer = Mutex(false)
    await stopping.interrupting { [store, clock, configuration] in
      let arrived = await store.once { (store) async throws(StoreError) in
        try await store.jobsArrived(within: configuration.idleTime)
      }
      answer.withLock { $0 = arrived ?? false }
      // A store that cannot say is asked for jobs after the same time.
      if arrived == nil { try? await clock.sleep(until: clock.uptime + configuration.idleTime) }
    }
    return answer.withLock { $0 }
  }

  /// The messages of claimed jobs; a job that has none ends.
  private func prepare(_ jobs: [ClaimedJob]) async throws(StoreError) -> Preparation {
    let valid = jobs.compactMap { claimed -> (ClaimedJob, Job)? in
      do throws(UselessJob) { return (claimed, try UselessJob.check(claimed, configuration)) } catch {
        discard(JobDiscard(claimed.claim, reason: error.reason))
        return nil
      }
    }
    let names = Array(Set(valid.map { PersonName($0.1) }))
    let found = try await store { (store) async throws(StoreError) in
      try await store.devices(of: names.map(\.text))
    }
    let devices = Dictionary(uniqueKeysWithValues: zip(names, found))
    var preparation = Preparation(keys, configuration.policy, at: clock.now)
    for (claimed, job) in valid {
      let wanted = (devices[PersonName(job)] ?? []).filter { device in
        !claimed.settled.contains(device.identity) && (job.topic == nil || device.device.topic == job.topic)
      }
      if wanted.isEmpty {
        if claimed.settled.isEmpty { board.count { $0.withoutDevices += 1 } }
        board.end(.acknowledge(claimed.claim))
      } else {
        prepare(job, claimed, for: wanted, in: &preparation)
      }
    }
    return preparation
  }

  /// Adds a job's messages to devices, unless its person or their routes must wait.
  private func prepare(
    _ job: Job, _ claimed: ClaimedJob, for devices: [StoredDevice], in preparation: inout Preparation
  ) {
    let now = clock.uptime
    let holds = devices.map { routes.hold(on: $0.address, at: now) }
    if claimed.settled.isEmpty, holds.contains(nil), let wait = persons.wait(of: PersonName(job), at: now) {
      board.end(.retry(JobRetry(claimed, after: wait, reason: "the person has had enough for a while")))
      return
    }
    board.open(claimed, pushes: devices.count)
    for (device, reason) in zip(devices, holds) {
      if let reason {
        end(claimed.claim, device.identity, .later(reason, atLeast: nil))
      } else {
        preparation.add(job, claimed, device)
      }
    }
  }

  private func settle(_ delivered: Delivered<JobPush>) async {
    let push = delivered.job
    let address = push.addressedPush.address
    let outcome: PushOutcome
    switch delivered.result {
    case .success(let response): outcome = PushOutcome(response, from: address)
    case .failure(let error):
      outcome = PushOutcome(error)
      await routeFailed(error.cause, address)
    }
    end(push.claim, push.device, outcome)
    let blameless = routes.note(outcome, at: address, limit: configuration.badDevicesInARow)
    guard !blameless.isEmpty else { return }
    // The environment or the topic must be wrong.
    for address in blameless { board.release(address) }
    await stopRoute(of: address, "it refused one device after the other")
  }

  /// Holds a route whose pushes would only take the places of others'.
  private func routeFailed(_ cause: DeliveryError.Cause, _ address: DeviceAddress) async {
    switch cause {
    case .routeStopped(let reason), .badDevices(let reason, _):
      await stopRoute(of: address, reason?.rawValue ?? "no reason given")
    case .routeHeldUp: await stopRoute(of: address, "it takes too long")
    case .noConnection: await stopRoute(of: address, "there is no connection")
    default: break
    }
  }

  /// Seals nothing for a route for a while; by the end of it somebody may have mended it.
  private func stopRoute(of address: DeviceAddress, _ reason: String) async {
    let end = clock.uptime + configuration.routePause
    let isNew = routes.stop(address, until: end, "the route waits: \(reason)")
    for route in await apns.stoppedRoutes.keys
    where route.environment == address.environment && route.topic == address.topic.text {
      await apns.resume(route)
    }
    guard isNew else { return }
    report(
      .routeStopped(topic: address.topic.text, environment: address.environment.rawValue, reason: reason))
  }

  private func end(_ claim: Claim, _ device: Thumbprint, _ outcome: PushOutcome) {
    guard let (job, ending) = board.end(claim, device, outcome) else { return }
    switch ending {
    case .retry(let retry):
      report(.retried(claim.job, after: retry.delay, reason: retry.reason))
      if retry.settled.isEmpty, case .success(let job) = job.job { persons.giveBack(PersonName(job)) }
    case .discard(let discard): report(.discarded(claim.job, reason: discard.reason))
    case .acknowledge: break
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

  /// Extends the leases of what is not done, until the task is cancelled.
  private func keepClaims() async {
    var wait = configuration.lease / 3
    while !Task.isCancelled {
      try? await clock.sleep(until: clock.uptime + wait)
      let claims = board.claims
      guard !claims.isEmpty, !Task.isCancelled else { continue }
      let extended = await store.once { (store) async throws(StoreError) in
        try await store.extend(claims, for: configuration.lease)
      }
      wait = configuration.lease / (extended == nil ? 10 : 3)
    }
  }
}
