internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// Prepares the messages of leased jobs: it looks up their persons' devices, and ends or postpones the jobs for which
/// nothing can be sent.
struct JobPreparer: Sendable {
  let store: PatientStore
  let keys: SigningKeys
  let configuration: WorkerConfiguration
  let clock: any PushClock
  let jobs: OpenJobs
  let routes: RouteWatch
  let steering: SteeringWatch
  let persons: PersonLimiter
  let recorder: OutcomeRecorder

  /// Prepares the messages of jobs that were leased after the uptime `start`.
  ///
  /// Five hundred persons may have a million devices, too many for memory. Jobs for which there is no room go back to the
  /// queue: `done` and `rest` say how many were prepared, and how many went back.
  func prepare(
    _ leased: [LeasedJob], leasedAt start: Duration
  ) async throws(StoreError) -> (preparation: Preparation, done: Int, rest: Int) {
    let time = storeTime(of: leased, leasedAt: start)
    let valid = leased.compactMap { leased -> (LeasedJob, Job)? in
      do throws(UselessJob) {
        return (leased, try UselessJob.check(leased, at: time, configuration: configuration))
      } catch {
        recorder.end(leased, discardedFor: error.reason)
        return nil
      }
    }
    var preparation = Preparation(keys: keys, policy: configuration.policy, at: time, clock: clock)
    var rest = valid[...]
    do throws(StoreError) {
      while !rest.isEmpty, preparation.count < configuration.messagesAtATime {
        let part = rest.prefix(configuration.personsAtATime)
        let devices = try await devices(of: Set(part.map { PersonName(of: $0.1) }))
        let unknown = try await unknownTopics(of: part.map(\.1), whosePersonsHave: devices)
        let tokens = try await tokens(for: part.map(\.1), among: devices)
        var shares = try await shares(for: part, of: devices, with: tokens)
        add(
          part, for: devices, with: tokens, ofNoDevice: unknown, at: time, within: &shares, to: &preparation)
        rest = rest.dropFirst(part.count)
      }
    } catch {
      giveBack(rest.map(\.0))
      throw error
    }
    giveBack(rest.map(\.0))
    return (preparation, valid.count - rest.count, rest.count)
  }

  /// Gives jobs back that were not prepared.
  func giveBack(_ leased: [LeasedJob]) {
    for job in leased {
      recorder.end(job, with: .wait(job.untried(after: .zero, reason: "its worker did not begin")))
    }
  }

  /// The store's time now: all jobs were leased at one time, and may have waited since.
  private func storeTime(of leased: [LeasedJob], leasedAt start: Duration) -> UnixTime {
    let time = leased[0].leaseEnd.advanced(by: .zero - configuration.lease)
    return time.advanced(by: clock.uptime - start)
  }

  /// The devices of persons; a person is left out if one of the rows is damaged.
  private func devices(of names: Set<PersonName>) async throws(StoreError) -> [PersonName: [StoredDevice]] {
    let names = Array(names)
    let all = try await store.unlessDamaged { (store) async throws(StoreError) in
      try await store.devices(of: names.map(\.text), includingUnreachable: true)
    }
    if let all { return Dictionary(uniqueKeysWithValues: zip(names, all)) }
    guard names.count > 1 else { return [:] }
    // Bisection finds the person whose row it is.
    let half = names.count / 2
    let first = try await devices(of: Set(names[..<half]))
    return try await first.merging(devices(of: Set(names[half...]))) { first, _ in first }
  }

  /// The other tokens of the devices that jobs of types with tokens of their own are for.
  private func tokens(
    for part: [Job], among devices: [PersonName: [StoredDevice]]
  ) async throws(StoreError) -> OtherTokens {
    let persons = Set(part.filter { $0.tokenUse != nil }.map { PersonName(of: $0) })
    let wanted = persons.flatMap { devices[$0] ?? [] }.filter(\.isReachable)
    guard !wanted.isEmpty else { return OtherTokens() }
    let found = try await store { (store) async throws(StoreError) in try await store.tokens(of: wanted) }
    return OtherTokens(zip(wanted, found))
  }

  /// The jobs' topics that no registration in the store has, which are probably mistyped.
  ///
  /// The worker's own topic is right, even before the first device has registered.
  private func unknownTopics(
    of part: [Job], whosePersonsHave devices: [PersonName: [StoredDevice]]
  ) async throws(StoreError) -> Set<Topic> {
    let topics = part.filter { job in
      devices[PersonName(of: job)]?.contains { $0.address.topic == job.topic } == false
    }.compactMap(\.topic)
    var unknown: Set<Topic> = []
    for topic in Set(topics) where topic != configuration.topic {
      let isKnown = try await store { (store) async throws(StoreError) in
        try await store.hasRegistration(of: topic)
      }
      if !isKnown { unknown.insert(topic) }
    }
    return unknown
  }

  /// Takes shares of the limits of topics, for the messages of jobs to the devices of their persons.
  private func shares(
    for part: some Sequence<(LeasedJob, Job)>, of devices: [PersonName: [StoredDevice]],
    with tokens: OtherTokens
  ) async throws(StoreError) -> RateShares {
    var shares = RateShares()
    let limits = steering.steering.rates
    guard !limits.isEmpty else { return shares }
    let now = clock.uptime
    var counts: [Topic: Int] = [:]
    for (leased, job) in part {
      let all = devices[PersonName(of: job)] ?? []
      for device in Self.wanted(of: all, with: tokens, for: job, of: leased)
      where device.isReachable && limits[device.address.topic] != nil {
        guard hold(on: device, for: job.pushType, at: now) == nil else { continue }
        counts[device.address.topic, default: 0] += 1
      }
    }
    for (topic, count) in counts {
      let (share, start) = try await store { (store) async throws(StoreError) in
        let start = clock.uptime
        return (try await store.takeShare(of: topic, atMost: count), start)
      }
      if let share { shares.add(share, of: topic, at: start) }
    }
    return shares
  }

  /// The devices of a person that a job is for, at the addresses that its push type goes to.
  private static func wanted(
    of all: [StoredDevice], with tokens: OtherTokens, for job: Job, of leased: LeasedJob
  ) -> [StoredDevice] {
    tokens.devices(all.atAddressesOfTheirOwn.filter { leased.wants($0, for: job) }, for: job)
  }

  /// Adds the messages of jobs to the devices of their persons.
  private func add(
    _ part: some Sequence<(LeasedJob, Job)>, for devices: [PersonName: [StoredDevice]],
    with tokens: OtherTokens, ofNoDevice unknown: Set<Topic>, at time: UnixTime,
    within shares: inout RateShares, to preparation: inout Preparation
  ) {
    // The look-up may have taken longer than a lease.
    for (leased, job) in part where jobs.isPreparing(leased.lease) {
      guard let all = devices[PersonName(of: job)] else {
        postpone(leased)
        continue
      }
      let wanted = Self.wanted(of: all, with: tokens, for: job, of: leased)
      let reachable = wanted.filter(\.isReachable)
      let unreachable = UnreachableDevices(wanted.filter { !$0.isReachable }, of: leased, at: time)
      if reachable.isEmpty {
        end(leased, withNoneBut: unreachable, isMisaddressed: job.topic.map(unknown.contains) ?? false)
      } else {
        add(job, of: leased, for: reachable, besides: unreachable, within: &shares, to: &preparation)
      }
    }
  }

  /// Lets a job wait until an operator mends its person's row.
  private func postpone(_ leased: LeasedJob) {
    let delay = configuration.delay(after: leased.attempt)
    let retry = leased.tried(
      after: delay, reason: "a row of its person's devices is damaged", configuration: configuration)
    recorder.end(leased, with: .retry(retry))
  }

  /// Ends a job for which nothing can be sent now; it is misaddressed if no device in the store has its topic.
  private func end(_ leased: LeasedJob, withNoneBut unreachable: UnreachableDevices, isMisaddressed: Bool) {
    if unreachable.isAwaiting {
      let outcomes = JobOutcomes(ending: leased, unreachable.awaitedOutcomes)
      return recorder.end(leased, with: .wait(leased.waiting(settling: []), outcomes: outcomes))
    }
    // An operator who mends the cause sends it again.
    guard unreachable.missing.isEmpty else {
      let discard = JobDiscard(leased, settled: [], missing: unreachable.missing)
      let outcomes = JobOutcomes(ending: leased, unreachable.outcomes)
      return recorder.end(leased, with: .discard(discard, outcomes: outcomes))
    }
    guard leased.missing.isEmpty else {
      return recorder.end(leased, discardedFor: "the devices that it was sent again to have left")
    }
    guard leased.settled.isEmpty else {
      return recorder.end(leased, with: .acknowledge(leased.lease, outcomes: JobOutcomes(ending: leased)))
    }
    guard !isMisaddressed else {
      return recorder.end(leased, discardedFor: "topic: no registration in the store has it")
    }
    jobs.count { $0.withoutDevices += 1 }
    let reason = "its person has no device that it can be sent to"
    switch configuration.messagesToNobody {
    case .done:
      let outcomes = JobOutcomes(ending: leased, [.reachedNobody(reason: reason)])
      recorder.end(leased, with: .acknowledge(leased.lease, outcomes: outcomes))
    case .deadLetter: recorder.end(leased, discardedFor: reason)
    }
  }

  /// Adds a job's messages to devices, unless its person or their routes must wait.
  private func add(
    _ job: Job, of leased: LeasedJob, for devices: [StoredDevice], besides unreachable: UnreachableDevices,
    within shares: inout RateShares, to preparation: inout Preparation
  ) {
    let now = clock.uptime
    let holds = devices.map { hold(on: $0, for: job.pushType, at: now) }
    var countedUntil: Duration?
    // A message does not count again if a device already has it, nor if no device can get it now.
    if leased.settled.isEmpty, holds.contains(where: { $0 == nil }) {
      switch persons.turn(of: PersonName(of: job), at: now) {
      case .now(let end): countedUntil = end
      case .later(let wait):
        let reason = "the person has had enough for a while"
        return recorder.end(leased, with: .wait(leased.untried(after: wait, reason: reason)))
      }
    }
    jobs.open(leased, for: devices, besides: unreachable, countedUntil: countedUntil)
    for (device, hold) in zip(devices, holds) {
      if let hold {
        recorder.record(hold, on: device.identity, for: leased.lease)
        continue
      }
      switch shares.take(device.address.topic) {
      case .now(let end): preparation.add(job, of: leased, for: device, until: end)
      case .later: recorder.record(.held(device.route, .rate), on: device.identity, for: leased.lease)
      }
    }
  }

  /// What becomes of a push whose route must wait; nil if it need not.
  private func hold(on device: StoredDevice, for pushType: PushType, at now: Duration) -> PushOutcome? {
    if steering.isPaused(device.route) { return .held(device.route, .pause) }
    return routes.hold(on: device.address, for: pushType, at: now).map { .later($0, atLeast: nil) }
  }
}

extension LeasedJob {
  /// Whether its message is for a device of its person, and the device does not have it yet.
  fileprivate func wants(_ device: StoredDevice, for job: Job) -> Bool {
    !settled.contains(device.identity) && (job.topic == nil || device.address.topic == job.topic)
      && (missing.isEmpty || missing.contains { $0.identity == device.identity })
  }
}
