internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushSealer
internal import PushStore
private import Synchronization

/// Claims jobs, looks up their persons' devices, and seals their pushes.
final class JobFeed: Sendable {
  private let store: PatientStore
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let clock: any PushClock
  private let board: OpenJobs
  private let routes: RouteWatch
  private let persons: PersonLimiter
  private let settlement: OutcomeRecorder
  private let stopping: StopSignal
  /// What is claimed and not sealed.
  private let prepared = Mutex<Preparation?>(nil)
  /// How many jobs are claimed at a time: fewer while their persons have many devices.
  private let claimSize: Mutex<Int>
  /// Whether what is claimed is worked on with no others.
  private let isApart = Atomic(false)

  init(
    store: PatientStore, keys: SigningKeys, configuration: WorkerConfiguration,
    clock: any PushClock, board: OpenJobs, routes: RouteWatch, persons: PersonLimiter,
    settlement: OutcomeRecorder, until stopping: StopSignal
  ) {
    (self.store, self.keys, self.configuration, self.clock) = (store, keys, configuration, clock)
    (self.board, self.routes, self.persons) = (board, routes, persons)
    (self.settlement, self.stopping) = (settlement, stopping)
    claimSize = Mutex(configuration.batchSize)
  }

  /// Claims and seals until there is something to send; nil when the worker stops.
  func nextPushes() async throws(StoreError) -> [JobPush]? {
    guard board.beginBatch() else { return nil }
    defer { board.endBatch() }
    while !stopping.isGiven, !Task.isCancelled {
      if let pushes = sealPrepared() { return pushes }
      guard let (jobs, start) = try await claim() else { return nil }
      let preparation = try await prepare(jobs, claimedAfter: start)
      prepared.withLock { $0 = preparation }
    }
    return sealPrepared()
  }

  /// Whether a push is still to be sent; if its job is still this worker's, it hears why not.
  func isWanted(_ push: JobPush) -> Bool {
    guard board.isOpen(push.claim) else { return false }
    let now = clock.uptime
    if push.end <= now {
      settlement.end(push.claim, on: push.device, with: .failed("its time was up before it was sent"))
      return false
    }
    if !board.isLeased(push.claim, at: now) {
      settlement.end(push.claim, on: push.device, with: .later("its lease was over", atLeast: nil))
      return false
    }
    return true
  }

  /// Claims jobs to work on together, as soon as there are some, and gives the uptime before; nil if no more are to be
  /// claimed.
  private func claim() async throws(StoreError) -> (jobs: [LeasedJob], start: Duration)? {
    var hasWaited = false
    while true {
      guard await isRoomMade() else { return nil }
      await waitForRoutes()
      guard !stopping.isGiven, !Task.isCancelled else { return nil }
      let (jobs, start) = try await store { (store) async throws(StoreError) in
        let start = clock.uptime
        let jobs = try await store.claim(
          atMost: min(claimSize.withLock(\.self), board.places), for: configuration.lease,
          sender: try? keys.current(at: clock.now).publicKey.thumbprint)
        return (jobs, start)
      }
      board.prepare(jobs, at: start)
      if let suspects = SuspectJobs(among: jobs, configuration: configuration) {
        return await begin(suspects).map { ($0, start) }
      }
      if !jobs.isEmpty { return (jobs, start) }
      if configuration.stopsWhenIdle {
        // What has not ended may be ready again at once.
        guard !board.isEmpty, await board.waitUntilEmpty() else { return nil }
        continue
      }
      // What is ready may be locked by others.
      if hasWaited { try? await clock.sleep(until: clock.uptime + .milliseconds(50)) }
      hasWaited = await waitForJobs()
    }
  }

  /// Waits until more jobs may be claimed; false if no more will be.
  private func isRoomMade() async -> Bool {
    if isApart.exchange(false, ordering: .relaxed) { return await board.waitUntilEmpty() }
    if board.places > 0 { return true }
    return await board.waitForPlaces()
  }

  /// Waits as long as nothing can be sent anywhere.
  private func waitForRoutes() async {
    guard !configuration.stopsWhenIdle else { return }
    while let end = routes.standstill(at: clock.uptime), !stopping.isGiven, !Task.isCancelled {
      await stopping.interrupting { [clock] in try? await clock.sleep(until: end) }
    }
  }

  /// Waits until suspects are all that is claimed, and nothing is claimed with them; nil if the worker stops.
  private func begin(_ suspects: SuspectJobs) async -> [LeasedJob]? {
    isApart.store(true, ordering: .relaxed)
    giveBack(suspects.others)
    guard await board.waitUntilEmpty() else {
      giveBack(suspects.group)
      return nil
    }
    return suspects.group
  }

  /// Seals a part of what is prepared; nil if nothing is.
  private func sealPrepared() -> [JobPush]? {
    while true {
      let sealed = prepared.withLock { preparation -> (pushes: [JobPush], failures: [Preparation.Failure])? in
        defer { if preparation?.isEmpty == true { preparation = nil } }
        return preparation?.sealSome()
      }
      guard let (pushes, failures) = sealed else { return nil }
      for failure in failures { settlement.end(failure.claim, on: failure.device, with: failure.outcome) }
      if !pushes.isEmpty { return pushes }
    }
  }

  /// Gives jobs back that were not prepared.
  private func giveBack(_ jobs: [LeasedJob]) {
    for job in jobs { board.end(.wait(job.untried(after: .zero, reason: "its worker did not begin"))) }
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
  ///
  /// Five hundred persons may have a million devices, which is more than memory is to hold: what is too much goes back.
  private func prepare(
    _ jobs: [LeasedJob], claimedAfter start: Duration
  ) async throws(StoreError) -> Preparation {
    let time = storeTime(of: jobs, claimedAfter: start)
    let valid = jobs.compactMap { claimed -> (LeasedJob, Job)? in
      do throws(UselessJob) {
        return (claimed, try UselessJob.check(claimed, at: time, configuration: configuration))
      } catch {
        settlement.discard(JobDiscard(claimed.claim, reason: error.reason))
        return nil
      }
    }
    var preparation = Preparation(keys: keys, policy: configuration.policy, at: time, clock: clock)
    var rest = valid[...]
    do throws(StoreError) {
      while !rest.isEmpty, preparation.count < configuration.messagesAtATime {
        let part = rest.prefix(configuration.personsAtATime)
        prepare(part, for: try await devices(of: Set(part.map { PersonName(of: $0.1) })), in: &preparation)
        rest = rest.dropFirst(part.count)
      }
    } catch {
      giveBack(rest.map(\.0))
      throw error
    }
    giveBack(rest.map(\.0))
    claimSize.withLock { size in
      if !rest.isEmpty {
        size = valid.count - rest.count
      } else if preparation.count < configuration.messagesAtATime {
        size = min(size * 2, configuration.batchSize)
      }
    }
    return preparation
  }

  /// The store's time now: all jobs were claimed at one time, and may have waited since.
  private func storeTime(of jobs: [LeasedJob], claimedAfter start: Duration) -> UnixTime {
    let claimed = jobs[0].leaseEnd.advanced(by: -configuration.lease.components.seconds)
    return claimed.advanced(by: (clock.uptime - start).components.seconds)
  }

  /// Adds the messages of jobs to the devices of their persons.
  private func prepare(
    _ jobs: some Sequence<(LeasedJob, Job)>, for devices: [PersonName: [StoredDevice]],
    in preparation: inout Preparation
  ) {
    // The look-up may have taken longer than a lease.
    for (claimed, job) in jobs where board.isPreparing(claimed.claim) {
      guard let all = devices[PersonName(of: job)] else {
        postpone(claimed)
        continue
      }
      let wanted = all.atAddressesOfTheirOwn.filter { device in
        !claimed.settled.contains(device.identity) && (job.topic == nil || device.device.topic == job.topic)
      }
      let reachable = wanted.filter { $0.quarantinedAt == nil }
      if reachable.isEmpty {
        end(claimed, withNoneBut: wanted)
      } else {
        prepare(job, of: claimed, for: reachable, in: &preparation)
      }
    }
  }

  /// The devices of persons, without a person of whom a row is damaged.
  private func devices(of names: Set<PersonName>) async throws(StoreError) -> [PersonName: [StoredDevice]] {
    let names = Array(names)
    let all = try await store.unlessDamaged { (store) async throws(StoreError) in
      try await store.devices(of: names.map(\.text), includingQuarantined: true)
    }
    if let all { return Dictionary(uniqueKeysWithValues: zip(names, all)) }
    guard names.count > 1 else { return [:] }
    // Whose row it is, is found by halves.
    let half = names.count / 2
    let first = try await devices(of: Set(names[..<half]))
    return try await first.merging(devices(of: Set(names[half...]))) { first, _ in first }
  }

  /// Lets a job wait for somebody to mend its person's row.
  private func postpone(_ claimed: LeasedJob) {
    let delay = configuration.delay(after: claimed.attempt)
    let retry = claimed.tried(
      after: delay, reason: "a row of its person's devices is damaged", configuration: configuration)
    settlement.retry(retry)
  }

  /// Ends a job that nothing can be sent for: the devices that still want it are in quarantine.
  private func end(_ claimed: LeasedJob, withNoneBut quarantined: [StoredDevice]) {
    guard claimed.settled.isEmpty else { return board.end(.acknowledge(claimed.claim)) }
    // An operator who mends the cause sends it again.
    guard quarantined.isEmpty else {
      return settlement.discard(
        JobDiscard(claimed.claim, reason: "all devices are in quarantine: APNs refused them"))
    }
    board.count { $0.withoutDevices += 1 }
    board.end(.acknowledge(claimed.claim))
  }

  /// Adds a job's messages to devices, unless its person or their routes must wait.
  private func prepare(
    _ job: Job, of claimed: LeasedJob, for devices: [StoredDevice], in preparation: inout Preparation
  ) {
    let now = clock.uptime
    let holds = devices.map { routes.hold(on: $0.address, at: now) }
    var countedUntil: Duration?
    // What another device has got, or what no device can get now, is not counted.
    if claimed.settled.isEmpty, holds.contains(nil) {
      switch persons.turn(of: PersonName(of: job), at: now) {
      case .now(let end): countedUntil = end
      case .later(let wait):
        return board.end(.wait(claimed.untried(after: wait, reason: "the person has had enough for a while")))
      }
    }
    board.open(claimed, pushes: devices.count, countedUntil: countedUntil)
    for (device, reason) in zip(devices, holds) {
      if let reason {
        settlement.end(claimed.claim, on: device.identity, with: .later(reason, atLeast: nil))
      } else {
        preparation.add(job, of: claimed, for: device)
      }
    }
  }
}
