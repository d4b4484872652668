internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// What became of a job's push to one device.
enum PushOutcome: Sendable {
  /// APNs has it.
  case accepted
  /// The device's token is no longer valid; APNs says since when.
  case gone(DeviceAddress, UnixTime?)
  /// The token may be of another environment or app.
  case quarantined(DeviceAddress)
  /// It would fail at any other time as well.
  case failed(String)
  /// It may succeed later, but not before the time that APNs asks for.
  case later(String, atLeast: Duration?)

  /// What APNs' answer means.
  init(_ response: APNsResponse, from address: DeviceAddress) {
    let reason = response.reason?.rawValue ?? "status \(response.status)"
    switch response.verdict {
    case .accepted: self = .accepted
    case .removeToken: self = .gone(address, response.unregisteredAt)
    case .quarantineDevice: self = .quarantined(address)
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
  private var failure: String?
  /// Whether a device's token was no longer valid.
  private var hasLost = false
  private var later: (reason: String, atLeast: Duration)?

  init(job: LeasedJob, leasedAt: Duration, pushes: Int, countedUntil: Duration?) {
    self.job = job
    self.leasedAt = leasedAt
    self.countedUntil = countedUntil
    remaining = pushes
    outcomes = job.outcomes
  }

  /// Takes note of what became of the push to a device.
  mutating func record(_ outcome: PushOutcome, on device: Thumbprint) {
    remaining -= 1
    outcomes[device] = JobReport.DeviceOutcome(outcome)
    switch outcome {
    case .accepted: break
    // The next attempt finds out whether the device is still in the directory, with a newer token.
    case .gone: hasLost = true
    // If the device does not stay in quarantine, the next attempt finds it.
    case .quarantined: postpone(reason: "APNs refused a device", atLeast: .zero)
    case .failed(let reason): failure = failure ?? reason
    case .later(let reason, let least):
      postpone(reason: reason, atLeast: least ?? .zero)
    }
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
        job.tried(after: delay, settling: settled, reason: later.reason, configuration: configuration))
    }
    if hasLost {
      // At once, because the directory is changed first. A device that stays there must prove something before it counts.
      let delay = job.attempt > 1 ? configuration.delay(after: job.attempt) : .zero
      return .retry(
        job.tried(
          after: delay, settling: settled, reason: "a device's token is no longer valid",
          configuration: configuration))
    }
    if let failure, settled.isEmpty { return .discard(JobDiscard(job.lease, reason: failure)) }
    return .acknowledge(job.lease)
  }

  /// What becomes of it when its worker stops: another worker goes on at once.
  var release: JobEnding { .wait(job.untried(after: .zero, settling: settled, reason: "the worker stopped")) }
}

/// What becomes of a leased job.
enum JobEnding: Sendable {
  case acknowledge(Lease)
  case retry(JobRetry)
  /// It was not tried, and has its turn later.
  case wait(JobRetry)
  case discard(JobDiscard)
}

extension LeasedJob {
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

  /// Lets it be leased again as if this lease had not been.
  func untried(
    after delay: Duration, settling settled: Set<Thumbprint> = [], reason: String
  ) -> JobRetry {
    JobRetry(self, after: delay, settling: settled, attempts: attempt - 1, reason: reason)
  }
}
