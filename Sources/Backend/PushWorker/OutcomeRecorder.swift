internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// Records how pushes and jobs end, and tells the route, the person's limit, and the operator.
struct OutcomeRecorder: Sendable {
  let configuration: WorkerConfiguration
  let jobs: OpenJobs
  let routes: RouteWatch
  let persons: PersonLimiter
  let report: @Sendable (WorkerEvent) -> Void

  /// Records what became of a push that was sent.
  func record(_ delivered: Delivered<JobPush>) async {
    let push = delivered.job
    let (address, pushType) = (push.device.address, push.pushType)
    var outcome: PushOutcome
    switch delivered.result {
    case .success(let response): outcome = PushOutcome(response, from: push.device)
    case .failure(let error):
      outcome = PushOutcome(error)
      await routes.failed(at: address, for: pushType, cause: error.cause)
    }
    let judgement = routes.note(
      outcome, at: address, for: pushType, isProven: push.addressedPush.isProven,
      limit: configuration.badDevicesInARow)
    if case .refused(var refusal) = outcome {
      (refusal.acceptedAgo, refusal.isRouteWrong) = (judgement.acceptedAgo, judgement.isRouteWrong)
      outcome = .refused(refusal)
    }
    record(outcome, on: push.device.identity, for: push.lease)
    for address in judgement.released { jobs.release(address) }
    // The environment or the topic must be wrong.
    if judgement.isRouteWrong {
      await routes.stop(address, for: pushType, reason: "it refused one device after the other")
    }
  }

  /// Records what became of a job's push to a device.
  func record(_ outcome: PushOutcome, on device: Thumbprint, for lease: Lease) {
    guard let (open, ending) = jobs.record(outcome, on: device, for: lease) else { return }
    report(ending, of: open.job, devices: open.outcomes)
    switch ending {
    case .retry(let retry, _) where retry.settled.isEmpty, .wait(let retry, _) where retry.settled.isEmpty:
      guard let end = open.countedUntil, case .success(let job) = open.job.job else { return }
      persons.giveBack(PersonName(of: job), countedUntil: end)
    case .acknowledge, .retry, .wait, .discard: break
    }
  }

  /// Ends a job of which nothing was pushed.
  func end(_ leased: LeasedJob, with ending: JobEnding) {
    jobs.end(ending)
    report(ending, of: leased, devices: leased.outcomes)
  }

  /// Gives up a job of which nothing was pushed, whoever its person's devices are.
  func end(_ leased: LeasedJob, discardedFor reason: String) {
    let left = leased.missing.map { MessageOutcome.missed($0) }
    let outcomes = JobOutcomes(ending: leased, left + [.reachedNobody(reason: reason)])
    end(leased, with: .discard(JobDiscard(leased.lease, reason: reason), outcomes: outcomes))
  }

  private func report(
    _ ending: JobEnding, of leased: LeasedJob, devices: [Thumbprint: JobReport.DeviceOutcome]
  ) {
    if let ended = JobReport(leased, ending: ending, devices: devices) { report(.jobEnded(ended)) }
  }
}
