internal import PushCore
internal import PushDelivery
internal import PushEnrolment
internal import PushKeys
internal import PushSealer
internal import PushStore
private import Synchronization

/// Pushes the proof requests that are due in the store's outbox.
///
/// Each is sealed from its registration when it is pushed. The store says who may be asked, and counts it before anything is
/// sent, so a worker that crashes asks nobody twice.
final class ProofAsker: Sendable {
  private let store: PatientStore
  private let apns: any PushSending
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let clock: any PushClock
  private let jobs: OpenJobs
  private let routes: RouteWatch
  private let steering: SteeringWatch
  private let report: @Sendable (WorkerEvent) -> Void

  /// How many requests are on their way.
  private let sending = Atomic(0)
  /// Is given when there may be a request, or room for one, that the last look at the store has not seen.
  private let news = Mutex(Signal())
  /// Refusals that were not reported yet, and the uptime of the last report.
  private let refusals = Mutex((count: 0, lastReport: Duration?.none))

  /// How many requests may be on their way.
  private static let maximumSending = 256

  /// How long to wait before the store is asked again.
  private static let idleTime = Duration.seconds(1)

  /// How often what counts no longer is removed.
  private static let sweepTime = Duration.seconds(3600)

  /// How many rows are removed together.
  private static let sweepSize = 2000

  /// How often refusals are reported.
  private static let reportTime = Duration.seconds(60)

  init(
    store: PatientStore, apns: any PushSending, keys: SigningKeys, configuration: WorkerConfiguration,
    clock: any PushClock, jobs: OpenJobs, routes: RouteWatch, steering: SteeringWatch,
    report: @escaping @Sendable (WorkerEvent) -> Void
  ) {
    self.store = store
    self.apns = apns
    self.keys = keys
    self.configuration = configuration
    self.clock = clock
    self.jobs = jobs
    self.routes = routes
    self.steering = steering
    self.report = report
  }

  /// Says that there may be a request.
  func wake() { news.withLock(\.self).give() }

  /// Pushes requests until `stop` is given; if the worker stops when it is idle, until there are none after `answered` was
  /// given.
  func work(until stop: Signal, after answered: Signal) async throws(StoreError) {
    guard configuration.audience != nil else { return }
    let result = await withDiscardingTaskGroup { pushes -> Result<Void, StoreError> in
      do throws(StoreError) {
        var nextSweep = clock.uptime
        while !stop.isGiven, !Task.isCancelled {
          if clock.uptime >= nextSweep, await sweep() { nextSweep = clock.uptime + Self.sweepTime }
          let mayBeLast = answered.isGiven
          let news = Signal()
          self.news.withLock { $0 = news }
          let places = Self.maximumSending - sending.load(ordering: .relaxed)
          let leased = try await lease(atMost: places)
          for lease in leased.leases {
            sending.add(1, ordering: .relaxed)
            pushes.addTask {
              await self.ask(lease)
              self.sending.subtract(1, ordering: .relaxed)
              self.wake()
            }
          }
          guard places == 0 || leased.isComplete, clock.uptime < nextSweep else { continue }
          if configuration.stopsWhenIdle, mayBeLast, places > 0, leased.leases.isEmpty { break }
          // Requests that had to wait may be due after a while.
          await stop.interrupting { [clock] in
            await news.interrupting { try? await clock.sleep(until: clock.uptime + Self.idleTime) }
          }
        }
        return .success(())
      } catch {
        pushes.cancelAll()
        return .failure(error)
      }
    }
    try result.get()
  }

  private func lease(atMost count: Int) async throws(StoreError) -> LeasedRequests {
    let leased = try await store.unlessHeld { (store) async throws(StoreError) in
      try await store.leaseRequests(atMost: count, for: configuration.lease)
    }
    return leased ?? LeasedRequests(leases: [], isComplete: true)
  }

  /// Removes what counts no longer, and returns whether there may be no more of it.
  private func sweep() async -> Bool {
    let removed = await store.once { (store) async throws(StoreError) in
      try await store.removeAsked(atMost: Self.sweepSize)
    }
    return removed ?? 0 < Self.sweepSize
  }

  // MARK: One request

  /// What comes of a request.
  private enum Outcome {
    case end(RequestEnding)
    /// It was not sent.
    case later(Duration)
    /// It may have arrived: it is leased again when the lease ends and its token may be asked.
    case unknown
  }

  private func ask(_ lease: RequestLease) async {
    // A store that cannot be used says so again at the next lease.
    switch await outcome(of: lease) {
    case .end(let ending):
      _ = try? await store.unlessHeld { (store) async throws(StoreError) in
        try await store.finish(lease, as: ending)
      }
    case .later(let delay):
      _ = try? await store.unlessHeld { (store) async throws(StoreError) in
        try await store.giveBack(lease, after: delay)
      }
    case .unknown: break
    }
  }

  private func outcome(of lease: RequestLease) async -> Outcome {
    let known: VersionedRegistration??
    do throws(StoreError) {
      known = try await store.unlessDamaged { (store) async throws(StoreError) in
        try await store.registration(named: lease.registration)
      }
    } catch {
      return .unknown
    }
    // The registration may have changed since, or another system may have the key's suite.
    guard let pending = known??.registration.pending, pending.possession == .keyAndToken,
      pending.address == .apns(lease.address), pending.recipient.suite.isAvailable
    else { return .end(.done) }
    if steering.isPaused(Route(of: lease.address)) { return .later(configuration.routePause) }
    if let end = routes.holdEnd(on: lease.address, at: clock.uptime) { return .later(end - clock.uptime) }
    let push: SealedNotification
    do {
      let options = HeaderOptions(expiration: lease.isHolder ? nil : UnixTime(clamping: 0))
      push = try keys.sealer(of: .background, for: pending.address.topic, preferring: [], at: clock.now)
        .seal(pending.request, to: pending.recipient, at: clock.now, headers: options)
    } catch let error as SealError {
      refused(reason: "it cannot be sealed: \(error)", at: lease.address)
      return .end(.done)
    } catch {
      // The sender has no key now, but an operator's next key may begin soon.
      return .later(configuration.lease)
    }
    return await send(push, under: lease)
  }

  private func send(_ push: SealedNotification, under lease: RequestLease) async -> Outcome {
    do throws(DeliveryError) {
      // What APNs asks to repeat later is sent at another lease: it would take another request's place until then.
      let response = try await apns.send(
        AddressedPush(push, to: lease.address, isProven: false), within: configuration.lease / 2)
      switch response.verdict {
      case .accepted:
        jobs.count { $0.asked += 1 }
        return .end(.done)
      case .keep: return .later(configuration.lease)
      case .removeToken, .quarantineDevice, .discard:
        refused(reason: response.reason?.rawValue ?? "status \(response.status)", at: lease.address)
        return .end(response.verdict == .removeToken ? .gone : .done)
      }
    } catch {
      if case .noAnswer = error.cause {
        await routes.stop(lease.address, reason: "it takes too long")
      } else {
        await routes.failed(at: lease.address, cause: error.cause)
      }
      return error.mayBeDelivered ? .unknown : .later(configuration.lease)
    }
  }

  /// Counts a refusal, which concerns this request alone, and reports the first, and then all together once a minute.
  private func refused(reason: String, at address: DeviceAddress) {
    jobs.count { $0.unasked += 1 }
    let now = clock.uptime
    let count = refusals.withLock { refusals -> Int? in
      refusals.count += 1
      if let last = refusals.lastReport, now < last + Self.reportTime { return nil }
      defer { refusals = (0, now) }
      return refusals.count
    }
    guard let count else { return }
    report(
      .requestsRefused(
        count: count, topic: address.topic.text, environment: address.environment.rawValue, reason: reason))
  }
}
