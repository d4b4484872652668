internal import PushCore
internal import PushEnrolment
internal import PushKeys
internal import PushSealer
internal import PushStore

/// Answers the enrolments that applications have handed in.
///
/// Accepting one writes its proof request into the store's outbox, so no answer waits for a push: see ``ProofAsker``.
final class EnrolmentAnswerer: Sendable {
  private let store: PatientStore
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let clock: any PushClock
  private let jobs: OpenJobs
  private let asker: ProofAsker
  private let report: @Sendable (WorkerEvent) -> Void

  /// How many enrolments are leased at a time.
  private static let batchSize = 32

  /// How often an enrolment is leased before it is refused: usually an hour.
  private static let maximumLeases = 60

  /// How long an answer stays in its row.
  private static let answerTime = Duration.seconds(7 * 86_400)

  /// How often old answers are removed.
  private static let sweepTime = Duration.seconds(3600)

  /// How many old answers are removed together.
  private static let sweepSize = 2000

  /// How long to wait before the store is asked again, unless it says that enrolments have arrived.
  private static let idleTime = Duration.seconds(1)

  /// How long to wait for what is ready, but locked by others.
  private static let lockTime = Duration.milliseconds(50)

  /// What comes of an enrolment.
  private enum Step {
    case answer(EnrolmentAnswer, account: AccountTag? = nil)
    /// Nothing yet: it is leased again, unless it was removed.
    case wait
  }

  init(
    store: PatientStore, keys: SigningKeys, configuration: WorkerConfiguration, clock: any PushClock,
    jobs: OpenJobs, asker: ProofAsker, report: @escaping @Sendable (WorkerEvent) -> Void
  ) {
    self.store = store
    self.keys = keys
    self.configuration = configuration
    self.clock = clock
    self.jobs = jobs
    self.asker = asker
    self.report = report
  }

  /// Answers enrolments until the signal is given.
  func work(until stop: Signal) async throws(StoreError) {
    guard let audience = configuration.audience else { return }
    var (nextSweep, hasArrived) = (clock.uptime, false)
    while !stop.isGiven, !Task.isCancelled {
      // Many old answers are removed in parts, and enrolments are answered in between.
      if clock.uptime >= nextSweep, await sweep() { nextSweep = clock.uptime + Self.sweepTime }
      let all = try await store { (store) async throws(StoreError) in
        try await store.leaseEnrolments(atMost: Self.batchSize, for: configuration.lease)
      }
      // If one of them crashes the worker, the others come before it when they are leased again.
      let isAgain = all.first?.lease.number.isMultiple(of: 2) ?? false
      for leased in isAgain ? all.reversed() : all where !stop.isGiven {
        try await settle(leased, audience: audience)
      }
      if !all.isEmpty { hasArrived = false }
      guard all.isEmpty, clock.uptime < nextSweep else { continue }
      guard !configuration.stopsWhenIdle else { break }
      hasArrived = await wait(until: stop, isLocked: hasArrived)
    }
  }

  /// Waits until an enrolment may be ready, and returns whether one is; `isLocked` is whether one was, and could not be
  /// leased.
  private func wait(until stop: Signal, isLocked: Bool) async -> Bool {
    let isReady = await stop.interrupting { [store, clock] in
      if isLocked { try? await clock.sleep(until: clock.uptime + Self.lockTime) }
      return await withTaskGroup { waits in
        waits.addTask {
          try? await clock.sleep(until: clock.uptime + Self.idleTime)
          return false
        }
        waits.addTask {
          while !Task.isCancelled {
            let arrived = await store.once { (store) async throws(StoreError) in
              try await store.enrolmentsArrived(within: Self.idleTime)
            }
            // A store that cannot say is asked for enrolments when the time is up.
            guard let arrived else { break }
            if arrived { return true }
          }
          try? await clock.sleep(until: clock.uptime + Self.idleTime)
          return false
        }
        defer { waits.cancelAll() }
        return await waits.next() ?? false
      }
    }
    return isReady ?? false
  }

  /// Removes old answers and challenges, and returns whether there may be no more of them.
  private func sweep() async -> Bool {
    let answers = await store.once { (store) async throws(StoreError) in
      try await store.removeAnswered(olderThan: Self.answerTime, atMost: Self.sweepSize)
    }
    let challenges = await store.once { (store) async throws(StoreError) in
      try await store.removeOldChallenges(atMost: Self.sweepSize)
    }
    return max(answers ?? 0, challenges ?? 0) < Self.sweepSize
  }

  /// Answers an enrolment.
  private func settle(_ leased: LeasedEnrolment, audience: Audience) async throws(StoreError) {
    guard leased.lease.number <= Self.maximumLeases else {
      return try await write(.refused(reason: "it could not be answered for too long"), to: leased.lease)
    }
    switch try await step(for: leased, audience: audience) {
    case .answer(let answer, let account): try await write(answer, account: account, to: leased.lease)
    case .wait: break
    }
  }

  private func write(
    _ answer: EnrolmentAnswer, account: AccountTag? = nil, to lease: EnrolmentLease
  ) async throws(StoreError) {
    let isOurs = try await store.unlessHeld { (store) async throws(StoreError) in
      try await store.answer(lease, with: answer, account: account)
    }
    guard isOurs == true else { return }
    jobs.count { metrics in
      switch answer {
      case .taken: metrics.registered += 1
      case .removed: break
      case .pending: metrics.pending += 1
      case .refused: metrics.refused += 1
      }
    }
  }

  private func step(
    for leased: LeasedEnrolment, audience: Audience
  ) async throws(StoreError) -> Step {
    let enrolment: EnrolmentRequest
    switch leased.request {
    case .failure(let fault): return .answer(.refused(reason: fault.description))
    case .success(let value): enrolment = value
    }
    if enrolment.isLeave { return try await step(forLeave: enrolment, audience: audience) }
    if enrolment.hasTokens { return try await step(forTokens: enrolment, audience: audience) }
    let accepted = try await store.unlessHeld { (store) async throws(StoreError) in
      try await store.accept(enrolment, under: leased.lease, for: configuration.topic, audience: audience)
    }
    switch accepted ?? nil {
    case nil: return .wait
    case .failure(let error):
      if error == .suspended, let refused = try? Enrolment(verifying: enrolment.body.span) {
        jobs.count { $0.suspended += 1 }
        report(.identitySuspended(refused.identity.thumbprint))
      }
      return refused(for: error)
    case .success(let acceptance):
      let account = acceptance.account
      guard acceptance.change == .pending else {
        return .answer(.taken(acceptance.change), account: account)
      }
      // A key whose suite this system lacks waits for a system that has it.
      guard let pending = acceptance.pending, pending.recipient.suite.isAvailable else {
        return .answer(.pending(request: nil), account: account)
      }
      guard pending.possession == .keyAlone else {
        asker.wake()
        return .answer(.pending(request: nil), account: account)
      }
      return seal(pending, account: account)
    }
  }

  private func refused(for error: SignedSetError) -> Step { .answer(.refused(reason: error.code)) }

  /// Removes a device that leaves; what it had removed already, it removes again.
  private func step(forLeave request: EnrolmentRequest, audience: Audience) async throws(StoreError) -> Step {
    let leave: Leave
    do throws(SignedSetError) {
      leave = try Leave(parsing: request.body.span, for: configuration.topic, audience: audience)
    } catch {
      return refused(for: error)
    }
    let result = try await store.unlessHeld { (store) async throws(StoreError) in
      try await store.leave(leave)
    }
    switch result {
    case nil: return .wait
    case .success: return .answer(.removed)
    case .failure(let error): return refused(for: error)
    }
  }

  /// Takes a device's other tokens.
  private func step(forTokens request: EnrolmentRequest, audience: Audience) async throws(StoreError) -> Step
  {
    let tokens: DeviceTokens
    do throws(SignedSetError) {
      tokens = try DeviceTokens(parsing: request.body.span, for: configuration.topic, audience: audience)
    } catch {
      return refused(for: error)
    }
    let result = try await store.unlessHeld { (store) async throws(StoreError) in
      try await store.accept(tokens)
    }
    switch result {
    case nil: return .wait
    case .success: return .answer(.taken(.updated))
    case .failure(let error): return refused(for: error)
    }
  }

  /// Seals a proof request, to be given to the app by the application together with the account's tag.
  private func seal(_ pending: PendingProof, account: AccountTag?) -> Step {
    do {
      let push = try keys.sealer(of: .background, for: pending.address.topic, preferring: [], at: clock.now)
        .seal(pending.request, to: pending.recipient, at: clock.now)
      return .answer(.pending(request: String(decoding: push.payload, as: UTF8.self)), account: account)
    } catch let error as SealError {
      return .answer(.refused(reason: "the proof request cannot be sealed: \(error)"))
    } catch {
      // The sender has no key now, but an operator's next key may begin soon.
      return .wait
    }
  }
}
