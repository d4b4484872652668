internal import PushDelivery
internal import PushStore

/// Writes how jobs end, and extends the leases of those that have not ended.
struct ResultWriter: Sendable {
  let store: PatientStore
  let configuration: WorkerConfiguration
  let clock: any PushClock
  let jobs: OpenJobs
  let routes: RouteWatch

  /// Writes until no more jobs will end, always together what has ended meanwhile.
  func writeAll() async throws(StoreError) {
    while await jobs.waitForEndings() {
      await gather()
      try await writeOnce()
    }
    try await writeOnce()
    // For the last time: other workers lease what is still held when its lease ends.
    jobs.retryHeld()
    try await writeOnce()
  }

  /// Waits until more has ended: otherwise most transactions would be of a few jobs.
  private func gather() async {
    guard configuration.gatheringTime > .zero else { return }
    try? await clock.sleep(until: clock.uptime + configuration.gatheringTime)
  }

  private func writeOnce() async throws(StoreError) {
    let writes = jobs.takeEnded()
    guard !writes.isEmpty else { return }
    jobs.finish(writes, except: try await write(writes))
  }

  /// Writes what it can, and returns the jobs whose rows others hold.
  private func write(_ writes: PendingWrites) async throws(StoreError) -> [JobEnding] {
    for device in writes.gone.values {
      let names = try await store.unlessHeld { (store) async throws(StoreError) in
        try await store.unregister(device)
      }
      if names?.isEmpty == false { jobs.count { $0.removed += 1 } }
    }
    for (address, pushType) in writes.endedTokens {
      _ = try await store.unlessHeld { (store) async throws(StoreError) in
        try await store.endToken(at: address, for: pushType)
      }
    }
    for (address, age) in writes.refused {
      let count = try await store.unlessHeld { (store) async throws(StoreError) in
        try await store.countRefusal(of: address, acceptedAgo: age)
      }
      if let count { jobs.count { $0.quarantined += count } }
    }
    for address in writes.released {
      _ = try await store.unlessHeld { (store) async throws(StoreError) in try await store.release(address) }
    }
    // The ends of jobs come last: after a crash before them, everything is done again.
    var held: [JobEnding] = []
    for group in writes.groups { held += try await write(group) }
    return held
  }

  /// Writes the ends of jobs together or, if others hold a row, one by one; returns those whose rows others hold.
  private func write(_ endings: [JobEnding]) async throws(StoreError) -> [JobEnding] {
    if try await isWritten(endings) { return [] }
    guard endings.count > 1 else { return endings }
    var held: [JobEnding] = []
    for ending in endings {
      if try await !isWritten([ending]) { held.append(ending) }
    }
    return held
  }

  private func isWritten(_ endings: [JobEnding]) async throws(StoreError) -> Bool {
    var (retries, discards, acknowledged): ([JobRetry], [JobDiscard], [Lease]) = ([], [], [])
    for ending in endings {
      switch ending {
      case .acknowledge(let lease, _): acknowledged.append(lease)
      case .retry(let retry, _), .wait(let retry, _): retries.append(retry)
      case .discard(let discard, _): discards.append(discard)
      }
    }
    let outcomes = endings.compactMap(\.outcomes)
    return try await store.isDone { [retries, discards, acknowledged] (store) async throws(StoreError) in
      // If one of these fails, those before it are done again, and change nothing then.
      if !outcomes.isEmpty { try await store.record(outcomes) }
      if !retries.isEmpty { try await store.retry(retries) }
      if !discards.isEmpty { try await store.discard(discards) }
      if !acknowledged.isEmpty { try await store.acknowledge(acknowledged) }
    }
  }

  /// Extends the leases of jobs whose results are not written, and forgets jobs that have become another worker's or
  /// were removed, until the task is cancelled; in between, it removes old rows.
  func keepLeases() async {
    var sweep = OldRowSweep(store: store, configuration: configuration, clock: clock)
    var wait = configuration.lease / 3
    // A worker that soon stops removes old rows, too.
    repeat {
      let end = clock.uptime + wait
      await sweep.run(until: end)
      // Others have refused addresses that this worker's pushes may reach.
      let refused = await store.once { (store) async throws(StoreError) in
        try await store.refusedAddresses(atMost: RouteWatch.maximumSuspects)
      }
      if let refused { routes.suspect(refused) }
      try? await clock.sleep(until: end)
      jobs.retryHeld()
      let leases = jobs.leases
      guard !leases.isEmpty, !Task.isCancelled else { continue }
      let start = clock.uptime
      let extended = await store.once { (store) async throws(StoreError) in
        try await store.extend(leases, for: configuration.lease)
      }
      if let extended { jobs.keep(Set(extended), of: leases, at: start) }
      wait = configuration.lease / (extended == nil ? 10 : 3)
    } while !Task.isCancelled
  }
}
