internal import PushDelivery
internal import PushStore

/// Writes what becomes of jobs, and keeps those that have not ended.
struct ResultWriter: Sendable {
  private let store: PatientStore
  private let configuration: WorkerConfiguration
  private let clock: any PushClock
  private let board: OpenJobs

  init(
    store: PatientStore, configuration: WorkerConfiguration, clock: any PushClock, board: OpenJobs
  ) {
    (self.store, self.configuration, self.clock, self.board) = (store, configuration, clock, board)
  }

  /// Writes until no more jobs will end.
  func writeAll() async throws(StoreError) {
    // Otherwise most transactions would be of a few jobs.
    let gather = { [configuration, clock] () async in
      guard configuration.gatheringTime > .zero else { return }
      try? await clock.sleep(until: clock.uptime + configuration.gatheringTime)
    }
    try await board.writeAll(gather: gather) { (endings) throws(StoreError) in try await write(endings) }
  }

  /// Writes all that it can, and returns the jobs whose rows others hold.
  private func write(_ endings: PendingWrites) async throws(StoreError) -> [JobEnding] {
    for (address, time) in endings.gone {
      let names = try await store.unlessHeld { (store) async throws(StoreError) in
        try await store.remove(address, unregisteredAt: time)
      }
      if names?.isEmpty == false { board.count { $0.removed += 1 } }
    }
    for address in endings.quarantined {
      let count = try await store.unlessHeld { (store) async throws(StoreError) in
        try await store.quarantine(address)
      }
      if let count { board.count { $0.quarantined += count } }
    }
    for address in endings.released {
      _ = try await store.unlessHeld { (store) async throws(StoreError) in try await store.release(address) }
    }
    // The ends of jobs come last: after a crash before them, everything is done again.
    var held: [JobEnding] = []
    for group in endings.groups { held += try await write(group) }
    return held
  }

  /// Writes the ends of jobs together or, if others hold a row, one by one; returns those whose rows they hold.
  private func write(_ jobs: [JobEnding]) async throws(StoreError) -> [JobEnding] {
    if try await isWritten(jobs) { return [] }
    guard jobs.count > 1 else { return jobs }
    var held: [JobEnding] = []
    for job in jobs {
      if try await !isWritten([job]) { held.append(job) }
    }
    return held
  }

  private func isWritten(_ jobs: [JobEnding]) async throws(StoreError) -> Bool {
    var (retries, discards, acknowledged): ([JobRetry], [JobDiscard], [Lease]) = ([], [], [])
    for job in jobs {
      switch job {
      case .acknowledge(let claim): acknowledged.append(claim)
      case .retry(let retry), .wait(let retry): retries.append(retry)
      case .discard(let discard): discards.append(discard)
      }
    }
    return try await store.isDone { [retries, discards, acknowledged] (store) async throws(StoreError) in
      // What was done before a part that fails is done again, and does nothing then.
      if !retries.isEmpty { try await store.retry(retries) }
      if !discards.isEmpty { try await store.discard(discards) }
      if !acknowledged.isEmpty { try await store.acknowledge(acknowledged) }
    }
  }

  /// Extends the leases of what is not done, and lets go of what is another's or nobody's, until the task is cancelled.
  func keepClaims() async {
    var wait = configuration.lease / 3
    while !Task.isCancelled {
      try? await clock.sleep(until: clock.uptime + wait)
      board.tryHeldAgain()
      let claims = board.claims
      guard !claims.isEmpty, !Task.isCancelled else { continue }
      let start = clock.uptime
      let extended = await store.once { (store) async throws(StoreError) in
        try await store.extend(claims, for: configuration.lease)
      }
      if let extended { board.keep(Set(extended), of: claims, at: start) }
      wait = configuration.lease / (extended == nil ? 10 : 3)
    }
  }
}
