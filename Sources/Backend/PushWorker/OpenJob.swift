internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// What became of a job's push to one device.
enum PushOutcome: Sendable {
  /// APNs has it.
  case accepted
  /// The token of the device that was looked up is no longer valid.
  case gone(StoredDevice)
  /// The token may be of another environment or app.
  case refused(PushRefusal)
  /// It would fail at any other time as well.
  case failed(String)
  /// It may succeed later, but not before the time that APNs asks for.
  case later(String, atLeast: Duration?)
  /// It was not tried: operators hold its route back.
  case held(Route, HoldCause)

  /// What APNs' answer means.
  init(_ response: APNsResponse, from device: StoredDevice) {
    let reason = response.reason?.rawValue ?? "status \(response.status)"
    switch response.verdict {
    case .accepted: self = .accepted
    case .removeToken: self = .gone(device)
    case .quarantineDevice: self = .refused(PushRefusal(address: device.address, reason: "APNs: \(reason)"))
    case .discard: self = .failed("APNs: \(reason)")
    case .keep: self = .later("APNs: \(reason)", atLeast: response.retryAfter)
    }
  }

  /// What a push without an answer means.
  init(_ error: DeliveryError) {
    switch error.cause {
    case .wrongTopic, .invalidRequest, .notSealed: self = .failed(error.description)
    default: self = .later(error.description, atLeast: nil)
    }
  }
}

/// A push whose token or topic APNs refuses: the device, the route or the server may be to blame.
struct PushRefusal: Sendable {
  let address: DeviceAddress
  let reason: String
  /// How long ago the route has accepted a push; nil if it has accepted none.
  var acceptedAgo: Duration?
  /// Whether the route refuses one device after the other.
  var isRouteWrong = false

  init(address: DeviceAddress, reason: String) { (self.address, self.reason) = (address, reason) }

  /// Whether the message is given up for the device, at its job's attempt with this number.
  ///
  /// Another attempt shows that it was no whim of the server; if the route accepts other pushes, two are enough.
  func isFinal(atAttempt attempt: Int, configuration: WorkerConfiguration) -> Bool {
    guard !isRouteWrong else { return false }
    if let acceptedAgo, acceptedAgo <= configuration.maximumDelay { return attempt > 1 }
    return attempt >= configuration.triesThatCount
  }
}

/// A leased job, until all of its pushes have ended.
struct OpenJob {
  let job: LeasedJob
  /// The uptime before it was leased or last extended.
  var leasedAt: Duration
  /// The end of the window in which its person's limit counts it; nil if nothing counts it.
  let countedUntil: Duration?
  /// How many pushes have not ended.
  private(set) var remaining: Int
  /// What became of the pushes that have ended, of earlier attempts too.
  private(set) var outcomes: [Thumbprint: JobReport.DeviceOutcome]
  /// The devices that its pushes are for.
  private let devices: [StoredDevice]
  /// The devices that cannot get it now.
  private let unreachable: UnreachableDevices
  /// Whether a device's token was no longer valid.
  private var hasLost = false
  private var later: (reason: String, atLeast: Duration)?
  /// A route that operators hold back, and why.
  private var held: (route: Route, cause: HoldCause)?

  init(
    job: LeasedJob, leasedAt: Duration, devices: [StoredDevice], unreachable: UnreachableDevices,
    countedUntil: Duration?
  ) {
    self.job = job
    self.leasedAt = leasedAt
    self.countedUntil = countedUntil
    self.devices = devices
    self.unreachable = unreachable
    remaining = devices.count
    outcomes = job.outcomes
  }

  /// Takes note of what became of the push to a device, and returns what it means for the device's message.
  mutating func record(
    _ outcome: PushOutcome, on device: Thumbprint, configuration: WorkerConfiguration
  ) -> JobReport.DeviceOutcome {
    remaining -= 1
    let result: JobReport.DeviceOutcome
    switch outcome {
    case .accepted: result = .accepted
    case .gone:
      // The next attempt finds out whether the device is still in the directory, with a newer token.
      hasLost = true
      result = .unregistered
    case .refused(let refusal) where refusal.isFinal(atAttempt: job.attempt, configuration: configuration):
      result = .failed(reason: refusal.reason)
    case .refused(let refusal):
      postpone(reason: "APNs refused a device", atLeast: .zero)
      result = .postponed(reason: refusal.reason)
    case .failed(let reason): result = .failed(reason: reason)
    case .later(let reason, let least):
      postpone(reason: reason, atLeast: least ?? .zero)
      result = .postponed(reason: reason)
    case .held(let route, let cause):
      held = held ?? (route, cause)
      result = .postponed(reason: cause.reason)
    }
    outcomes[device] = result
    return result
  }

  /// The devices that have the message.
  private var settled: Set<Thumbprint> { Set(outcomes.filter { $0.value == .accepted }.keys) }

  private mutating func postpone(reason: String, atLeast least: Duration) {
    later = (later?.reason ?? reason, max(later?.atLeast ?? .zero, least))
  }

  /// What becomes of the job: it is tried again if a device may still get it, and is discarded if none could.
  func ending(configuration: WorkerConfiguration) -> JobEnding {
    if let later {
      let delay = max(configuration.delay(after: job.attempt), later.atLeast)
      return .retry(
        job.tried(after: delay, settling: settled, reason: later.reason, configuration: configuration),
        outcomes: outcomesSoFar)
    }
    if hasLost {
      // At once, because the directory is changed first. A device that stays there must prove something before it counts.
      let delay = job.attempt > 1 ? configuration.delay(after: job.attempt) : .zero
      return .retry(
        job.tried(
          after: delay, settling: settled, reason: "a device's token is no longer valid",
          configuration: configuration),
        outcomes: outcomesSoFar)
    }
    if let held {
      return .wait(
        job.held(
          for: held.route, settling: settled, isWaiting: unreachable.isAwaiting, reason: held.cause.reason,
          configuration: configuration),
        outcomes: outcomesSoFar)
    }
    if unreachable.isAwaiting {
      return .wait(
        job.waiting(settling: settled), outcomes: outcomes(besides: unreachable.awaitedOutcomes))
    }
    let missing = missing
    guard missing.isEmpty else {
      return .discard(
        JobDiscard(job, settled: settled, missing: missing),
        outcomes: outcomes(besides: refused + unreachable.outcomes))
    }
    return .acknowledge(job.lease, outcomes: outcomes(besides: []))
  }

  /// The devices that cannot get it.
  private var missing: [MissingDevice] { failed + unreachable.missing }

  /// The devices for which it was refused, or could not be sealed.
  private var failed: [MissingDevice] {
    devices.compactMap { device in
      guard case .failed(let reason) = outcomes[device.identity] else { return nil }
      return MissingDevice(device, reason: reason)
    }
  }

  /// What becomes of it when its worker stops: another worker goes on at once.
  var release: JobEnding {
    .wait(
      job.untried(after: .zero, settling: settled, reason: "the worker stopped"), outcomes: outcomesSoFar)
  }

  // MARK: What is recorded

  /// The devices that have it, those of earlier attempts without their registrations.
  private var accepted: [MessageOutcome] {
    let names = Dictionary(devices.map { ($0.identity, $0.device.registration) }) { first, _ in first }
    return settled.map { .accepted(by: $0, registration: names[$0] ?? nil) }
  }

  /// What is recorded when it ends: the devices that have it, and others.
  private func outcomes(besides others: @autoclosure () -> [MessageOutcome]) -> JobOutcomes? {
    guard job.outcomeRequest != nil else { return nil }
    return JobOutcomes(of: job, accepted + others())
  }

  private var refused: [MessageOutcome] { failed.map { .missed($0, kind: .refused) } }

  /// What the next attempt would not know: which devices have it, with their registrations, and which have left the
  /// directory.
  private var outcomesSoFar: JobOutcomes? {
    outcomes(
      besides: devices.filter { outcomes[$0.identity] == .unregistered }.map { device in
        .missed(MissingDevice(device, reason: "its token is no longer valid"))
      })
  }
}

/// What becomes of a leased job.
///
/// With it comes what is recorded before, if the job asks for that.
enum JobEnding: Sendable {
  case acknowledge(Lease, outcomes: JobOutcomes? = nil)
  case retry(JobRetry, outcomes: JobOutcomes? = nil)
  /// It was not tried, and has its turn later.
  case wait(JobRetry, outcomes: JobOutcomes? = nil)
  case discard(JobDiscard, outcomes: JobOutcomes? = nil)
}

/// The devices of a job that cannot get it now.
struct UnreachableDevices: Sendable {
  /// Those that cannot get it at all, and why.
  let missing: [MissingDevice]
  /// Those that prove a new token, if the job may wait for them.
  let awaited: [MissingDevice]

  /// Whether the job waits for some.
  var isAwaiting: Bool { !awaited.isEmpty }

  /// Sorts the devices of a job that are not reachable; `time` is the store's.
  init(_ devices: [StoredDevice], of leased: LeasedJob, at time: UnixTime) {
    let isPatient = leased.waitsUntil.map { time < $0 } ?? true
    awaited = devices.filter { isPatient && $0.quarantinedAt == nil }.map {
      MissingDevice($0, reason: "it has not proven a new token yet")
    }
    missing = devices.compactMap { device in
      guard device.quarantinedAt == nil else { return MissingDevice(device, reason: Self.quarantine) }
      return isPatient ? nil : MissingDevice(device, reason: "it has not proven a new token in time")
    }
  }

  static let quarantine = "it is in quarantine: APNs refused it"

  /// What is recorded of those that cannot get it at all.
  var outcomes: [MessageOutcome] { missing.map { .missed($0) } }

  /// What is recorded of those that the job waits for: it may become a dead letter before they have proven a token.
  var awaitedOutcomes: [MessageOutcome] { awaited.map { .missed($0) } }
}

extension MissingDevice {
  init(_ device: StoredDevice, reason: String) {
    self.init(registration: device.device.registration ?? "", identity: device.identity, reason: reason)
  }
}

extension JobDiscard {
  /// Gives up a job whose message some devices did not get, `settled` being those that did.
  init(_ leased: LeasedJob, settled: Set<Thumbprint>, missing: [MissingDevice]) {
    let settled = settled.union(leased.settled)
    let (first, count) = (missing.first?.reason ?? "", missing.count + settled.count)
    let reason =
      if !settled.isEmpty {
        "\(missing.count) of \(count) devices did not get it: \(first)"
      } else if missing.allSatisfy({ $0.reason == UnreachableDevices.quarantine }) {
        "all devices are in quarantine: APNs refused them"
      } else {
        first
      }
    self.init(leased.lease, reason: reason, settled: settled, missing: missing)
  }
}

extension JobOutcomes {
  /// What becomes of a job for which no push is under way: the devices of earlier attempts have it, and the others do not.
  init?(ending leased: LeasedJob, _ outcomes: [MessageOutcome] = []) {
    guard leased.outcomeRequest != nil else { return nil }
    self.init(of: leased, leased.settled.map { .accepted(by: $0) } + outcomes)
  }
}

extension LeasedJob {
  /// Lets it wait for a device that proves a new token.
  ///
  /// It is ready at once when the device has proven that; it is looked at now and then, in case the device is removed.
  func waiting(settling settled: Set<Thumbprint>) -> JobRetry {
    JobRetry(
      self, after: .seconds(15 * 60), settling: settled, attempts: attempt - 1, isWaiting: true,
      reason: "it waits for a device that proves a new token")
  }

  /// The devices that earlier attempts have reached.
  var outcomes: [Thumbprint: JobReport.DeviceOutcome] {
    Dictionary(uniqueKeysWithValues: settled.map { ($0, .accepted) })
  }

  /// Lets it be tried again after an attempt.
  func tried(
    after delay: Duration, settling settled: Set<Thumbprint> = [], reason: String,
    configuration: WorkerConfiguration
  ) -> JobRetry {
    // This attempt did not crash its worker, so it counts only towards the back-off.
    let attempts = min(attempt, configuration.triesThatCount)
    return JobRetry(self, after: delay, settling: settled, attempts: attempts, reason: reason)
  }

  /// Lets it wait until its route goes again, or its time is over; this lease does not count.
  func held(
    for route: Route, settling settled: Set<Thumbprint>, isWaiting: Bool, reason: String,
    configuration: WorkerConfiguration
  ) -> JobRetry {
    let now = leaseEnd.advanced(by: .zero - configuration.lease)
    let rest = (try? job.get()).map { Duration.seconds($0.end.seconds - now.seconds) } ?? .zero
    return JobRetry(
      self, after: max(rest, .seconds(1)), settling: settled, attempts: attempt - 1, isWaiting: isWaiting,
      heldFor: route, reason: reason)
  }

  /// Lets it be leased again as if this lease had not been.
  func untried(
    after delay: Duration, settling settled: Set<Thumbprint> = [], reason: String
  ) -> JobRetry {
    JobRetry(self, after: delay, settling: settled, attempts: attempt - 1, reason: reason)
  }
}
