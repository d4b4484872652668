internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// Says what an outcome means for its job, its route, and whoever watches.
struct OutcomeRecorder: Sendable {
  private let configuration: WorkerConfiguration
  private let board: OpenJobs
  private let routes: RouteWatch
  private let persons: PersonLimiter
  private let report: @Sendable (WorkerEvent) -> Void

  init(
    configuration: WorkerConfiguration, board: OpenJobs, routes: RouteWatch, persons: PersonLimiter,
    report: @escaping @Sendable (WorkerEvent) -> Void
  ) {
    (self.configuration, self.board, self.routes, self.persons) = (configuration, board, routes, persons)
    self.report = report
  }

  /// Settles what became of a push that was sent.
  func settle(_ delivered: Delivered<JobPush>) async {
    let push = delivered.job
    let address = push.addressedPush.address
    let outcome: PushOutcome
    switch delivered.result {
    case .success(let response): outcome = PushOutcome(response, from: address)
    case .failure(let error):
      outcome = PushOutcome(error)
      await routes.failed(at: address, cause: error.cause)
    }
    end(push.claim, on: push.device, with: outcome)
    let blameless = routes.note(
      outcome, at: address, isProven: push.addressedPush.isProven, limit: configuration.badDevicesInARow)
    guard !blameless.isEmpty else { return }
    // The environment or the topic must be wrong.
    for address in blameless { board.release(address) }
    await routes.stop(address, reason: "it refused one device after the other")
  }

  /// Settles what became of a push to a device.
  func end(_ claim: Lease, on device: Thumbprint, with outcome: PushOutcome) {
    guard let (open, ending) = board.end(claim, on: device, with: outcome) else { return }
    switch ending {
    case .retry(let retry):
      report(.retried(claim.job, after: retry.delay, reason: retry.reason))
      if retry.settled.isEmpty, let end = open.countedUntil, case .success(let job) = open.job.job {
        persons.giveBack(PersonName(of: job), countedUntil: end)
      }
    case .discard(let discard): report(.discarded(claim.job, reason: discard.reason))
    case .acknowledge, .wait: break
    }
  }

  /// Tries a job again that has no push.
  func retry(_ retry: JobRetry) {
    board.end(.retry(retry))
    report(.retried(retry.claim.job, after: retry.delay, reason: retry.reason))
  }

  /// Gives a job up that has no push.
  func discard(_ discard: JobDiscard) {
    board.end(.discard(discard))
    report(.discarded(discard.claim.job, reason: discard.reason))
  }
}
