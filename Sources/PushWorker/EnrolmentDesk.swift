internal import PushDelivery
internal import PushEnvelope
internal import PushKeys
internal import PushSealer
internal import PushStore

/// Answers the enrolments that applications have handed in, and has devices prove what is new.
struct EnrolmentDesk: Sendable {
  private let store: PatientStore
  private let apns: APNsClient
  private let keys: SigningKeys
  private let configuration: WorkerConfiguration
  private let clock: any DeliveryClock
  private let board: JobBoard
  private let routes: RouteWatch

  /// How many enrolments are claimed at a time.
  private static let batchSize = 32

  /// How long it waits before it asks the store again.
  private static let idleTime = Duration.seconds(1)

  init(
    _ store: PatientStore, _ apns: APNsClient, _ keys: SigningKeys, _ configuration: WorkerConfiguration,
    _ clock: any DeliveryClock, _ board: JobBoard, _ routes: RouteWatch
  ) {
    (self.store, self.apns, self.keys) = (store, apns, keys)
    (self.configuration, self.clock, self.board) = (configuration, clock, board)
    self.routes = routes
  }

  /// Answers enrolments until the signal is given.
  func work(until stop: StopSignal) async throws(StoreError) {
    guard let audience = configuration.audience else { return }
    while !stop.isGiven, !Task.isCancelled {
      let claimed = try await store { (store) async throws(StoreError) in
        try await store.claimEnrolments(atMost: Self.batchSize, for: configuration.lease)
      }
      try await settle(claimed, audience, unless: stop)
      guard claimed.isEmpty else { continue }
      guard !configuration.stopsWhenIdle else { return }
      await stop.interrupting { [clock] in try? await clock.sleep(until: clock.uptime + Self.idleTime) }
    }
  }

  /// Answers enrolments together, because each may wait for APNs.
  private func settle(
    _ all: [ClaimedEnrolment], _ audience: Audience, unless stop: StopSignal
  ) async throws(StoreError) {
    let failure = await withTaskGroup(of: StoreError?.self) { group in
      for claimed in all where !stop.isGiven {
        group.addTask {
          do throws(StoreError) {
            try await settle(claimed, audience)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let failure { throw failure }
  }

  private func settle(_ claimed: ClaimedEnrolment, _ audience: Audience) async throws(StoreError) {
    guard let answer = try await answer(to: claimed.request, audience) else { return }
    let isOurs = try await store { (store) async throws(StoreError) in
      try await store.answer(claimed.claim, answer)
    }
    guard isOurs else { return }
    board.count { metrics in
      switch answer {
      case .taken: metrics.enrolled += 1
      case .pending: metrics.pending += 1
      case .refused: metrics.refused += 1
      }
    }
  }

  /// The answer to an enrolment; nil if it is to be claimed again, because its proof request could not be sent.
  private func answer(
    to request: Result<EnrolmentRequest, EnrolmentFault>, _ audience: Audience
  ) async throws(StoreError) -> EnrolmentAnswer? {
    let enrolment: EnrolmentRequest
    switch request {
    case .failure(let fault): return .refused(reason: fault.description)
    case .success(let value): enrolment = value
    }
    let accepted = try await store { (store) async throws(StoreError) in
      try await store.accept(enrolment, for: configuration.topic, audience: audience)
    }
    switch accepted {
    case .failure(let error): return .refused(reason: error.description)
    case .success(let acceptance):
      guard acceptance.change == .pending else { return .taken(acceptance.change) }
      // A key whose suite this system lacks waits for a system that has it.
      guard let pending = acceptance.pending, pending.recipient.suite.isAvailable else {
        return .pending(request: nil)
      }
      return await ask(pending)
    }
  }

  /// Seals what a device must prove, and sends it, or gives it to the application for its answer to the app.
  private func ask(_ pending: PendingProof) async -> EnrolmentAnswer? {
    let push: SealedPush
    do {
      push = try keys.sealer(for: pending.address.topic, nil, at: clock.now)
        .seal(pending.request, to: pending.recipient, at: clock.now)
    } catch let error as SealError {
      return .refused(reason: "the proof request cannot be sealed: \(error)")
    } catch {
      // The sender's keys: an operator's next key may begin soon.
      return nil
    }
    guard pending.possession == .keyAndToken else {
      return .pending(request: String(decoding: push.payload, as: UTF8.self))
    }
    do throws(DeliveryError) {
      let response = try await apns.send(push, to: pending.address)
      switch response.verdict {
      case .accepted: return .pending(request: nil)
      case .keep: return nil
      case .removeToken, .quarantineDevice, .discard:
        return .refused(reason: "APNs: \(response.reason?.rawValue ?? "status \(response.status)")")
      }
    } catch {
      switch error.cause {
      case .routeStopped(let reason), .badDevices(let reason, _):
        await routes.stop(pending.address, reason?.rawValue ?? "no reason given")
      default: break
      }
      return nil
    }
  }
}
