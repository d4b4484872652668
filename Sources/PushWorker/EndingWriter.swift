internal import PushDelivery
internal import PushStore

/// Writes what becomes of jobs, and keeps those that have not ended.
struct EndingWriter: Sendable {
  private let store: PatientStore
  private let configuration: WorkerConfiguration
  private let clock: any DeliveryClock
  private let board: JobBoard

  init(
    _ store: PatientStore, _ configuration: WorkerConfiguration, _ clock: any DeliveryClock, _ board: JobBoard
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

  private func write(_ endings: Endings) async throws(StoreError) {
    for (address, time) in endings.gone {
      let names = try await store.unlessDamaged { (store) async throws(StoreError) in
        try await store.remove(address, unregisteredAt: time)
      }
      if names?.isEmpty == false { board.count { $0.removed += 1 } }
    }
    for address in endings.quarantined {
      let count = try await store { (store) async throws(StoreError) in try await store.quarantine(address) }
      board.count { $0.quarantined += count }
    }
    for address in endings.released {
      _ = try await store { (store) async throws(StoreError) in try await store.release(address) }
    }
    // The ends of jobs come last: after a crash before them, everything is done again.
    let retries = endings.retries + endings.waits
    if !retries.isEmpty {
      _ = try await store { (store) async throws(StoreError) in try await store.retry(retries) }
    }
    if !endings.discards.isEmpty {
      _ = try await store { (store) async throws(StoreError) in try await store.discard(endings.discards) }
    }
    if !endings.acknowledged.isEmpty {
      _ = try await store { (store) async throws(StoreError) in
        try await store.acknowledge(endings.acknowledged)
      }
    }
  }

  /// Extends the leases of what is not done, and lets go of what is another's or nobody's, until the task is cancelled.
  func keepClaims() async {
    var wait = configuration.lease / 3
    while !Task.isCancelled {
      try? await clock.sleep(until: clock.uptime + wait)
      let claims = board.claims
      guard !claims.isEmpty, !Task.isCancelled else { continue }
      let extended = await store.once { (store) async throws(StoreError) in
        try await store.extend(claims, for: configuration.lease)
      }
      if let extended { board.letGo(Set(claims).subtracting(extended)) }
      wait = configuration.lease / (extended == nil ? 10 : 3)
    }
  }
}
