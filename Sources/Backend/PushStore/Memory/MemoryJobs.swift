internal import PushCore

/// The table `job` in memory: what every engine's queue does, in the simplest way.
struct MemoryJobs {
  private struct Entry {
    let row: JobRow
    var runAt: Duration
    var number: Int64 = 0
    var forgiven: Int64 = 0
    var isLeased = false
    var sender: Thumbprint?
    var settled: Set<Thumbprint> = []
    var missing: [MissingDevice] = []
    var waitsUntil: Duration?
    var reason = ""
    var diedAt: Duration?

    /// The text of a column that is text.
    func text(in column: JobColumn) -> String? {
      row[column].map { String(decoding: $0, as: UTF8.self) }
    }

    var priority: JobPriority {
      text(in: .priority).flatMap { Int($0) }.flatMap(JobPriority.init) ?? .standard
    }

    /// UUIDs are the same in either case.
    var messageID: String? { text(in: .messageID)?.lowercased() }

    var attempt: Int { Int(number - forgiven) }

    var isWaiting: Bool { waitsUntil != nil && diedAt == nil && !isLeased }

    /// When it was first ready, as its row says.
    var due: Duration {
      let column = row[.notBefore] ?? row[.createdAt]
      return .seconds(column.flatMap { StoreTime.seconds(in: String(decoding: $0, as: UTF8.self)) } ?? 0)
    }
  }

  private var entries: [Int64: Entry] = [:]
  private var lastID: Int64 = 0

  // MARK: Enqueueing

  var lastJob: JobID? { lastID > 0 ? JobID(lastID) : nil }

  mutating func enqueue(_ job: Job, at now: Duration) -> JobID {
    insert(Entry(row: JobRow(job), runAt: job.notBefore.map { .seconds($0.seconds) } ?? now))
  }

  /// Adds a row as it was written.
  mutating func insert(_ row: JobRow) -> JobID {
    var entry = Entry(row: row, runAt: .zero)
    entry.runAt = entry.due
    return insert(entry)
  }

  /// Adds a job unless its message ID is there.
  private mutating func insert(_ entry: Entry) -> JobID {
    if let messageID = entry.messageID,
      let other = entries.first(where: { $0.value.messageID == messageID })
    {
      return JobID(other.key)
    }
    lastID += 1
    entries[lastID] = entry
    return JobID(lastID)
  }

  // MARK: Leases

  func hasReady(at now: Duration) -> Bool { !ready(at: now).isEmpty }

  mutating func lease(
    atMost count: Int, for time: Duration, sender: Thumbprint?, at now: Duration
  ) -> [LeasedJob] {
    ready(at: now).prefix(max(count, 0)).map { id in
      change(id) { entry in
        entry.runAt = now + time
        entry.number += 1
        entry.isLeased = true
        entry.sender = entry.sender ?? sender
        return LeasedJob(
          lease: Lease(job: JobID(id), number: entry.number), attempt: entry.attempt,
          leaseEnd: entry.runAt.unixTime, job: Self.job(from: entry.row, at: now), sender: entry.sender,
          settled: entry.settled, missing: entry.missing, waitsUntil: entry.waitsUntil?.unixTime,
          outcomeRequest: entry.row.outcomeRequest)
      }
    }
  }

  mutating func extend(_ leases: [Lease], for time: Duration, at now: Duration) -> [Lease] {
    leases.filter { lease in
      guard isValid(lease) else { return false }
      change(lease.job.number) { $0.runAt = now + time }
      return true
    }
  }

  mutating func acknowledge(_ leases: [Lease]) -> Int {
    leases.count { lease in isValid(lease) && entries.removeValue(forKey: lease.job.number) != nil }
  }

  mutating func retry(_ retries: [JobRetry], at now: Duration) -> Int {
    retries.count { retry in
      guard isValid(retry.lease) else { return false }
      change(retry.lease.job.number) { entry in
        entry.isLeased = false
        entry.runAt = retry.delay > .zero ? now + retry.delay : min(now, max(.zero, entry.due))
        entry.settled = retry.settled
        entry.forgiven = entry.number - Int64(retry.attempts)
        entry.reason = retry.reason
        if retry.isWaiting { entry.waitsUntil = entry.waitsUntil ?? now + JobRetry.longestWait }
      }
      if retry.isWaiting { displace(besides: retry.lease.job, at: now) }
      return true
    }
  }

  /// Gives up the oldest of too many jobs of a person that wait for a device.
  private mutating func displace(besides job: JobID, at now: Duration) {
    let person = entries[job.number]?.row[.person]
    let waiting = entries.filter { $0.value.row[.person] == person && $0.value.isWaiting }.keys.sorted(by: >)
    for id in waiting.dropFirst(JobRetry.maximumWaiting) {
      change(id) { ($0.diedAt, $0.reason) = (now, JobRetry.displaced) }
    }
  }

  /// Makes the jobs ready that wait for a device of this person.
  mutating func wake(_ person: String, at now: Duration) {
    let waiting = entries.filter { $0.value.row[.person] == Array(person.utf8) && $0.value.isWaiting }
    for id in waiting.keys { change(id) { $0.runAt = min($0.runAt, now) } }
  }

  mutating func discard(_ discards: [JobDiscard], at now: Duration) -> Int {
    discards.count { discard in
      guard isValid(discard.lease) else { return false }
      change(discard.lease.job.number) { entry in
        entry.isLeased = false
        entry.diedAt = now
        entry.reason = discard.reason
        entry.settled = discard.settled ?? entry.settled
        if !discard.missing.isEmpty { entry.missing = discard.missing }
      }
      return true
    }
  }

  // MARK: Dead letters

  func deadLetters(after job: JobID?, atMost count: Int) -> [DeadLetter] {
    entries.filter { $0.key > job?.number ?? .min }.sorted { $0.key < $1.key }.compactMap { (id, entry) in
      entry.diedAt.map {
        DeadLetter(
          id: JobID(id), row: entry.row, reason: entry.reason, missing: entry.missing, diedAt: $0.unixTime,
          attempts: entry.attempt)
      }
    }.prefix(max(count, 0)).map { $0 }
  }

  mutating func resend(_ jobs: [JobID], at now: Duration) -> Int {
    jobs.count { job in
      guard entries[job.number]?.diedAt != nil else { return false }
      change(job.number) { entry in
        entry.diedAt = nil
        entry.runAt = now
        entry.waitsUntil = nil
        // The numbers of leases go on, so that an old lease never equals a new one.
        entry.forgiven = entry.number
      }
      return true
    }
  }

  mutating func delete(_ jobs: [JobID]) -> Int {
    jobs.count { entries[$0.number]?.diedAt != nil && entries.removeValue(forKey: $0.number) != nil }
  }

  mutating func removeDeadLetters(before end: Duration, atMost count: Int) -> Int {
    let dead = entries.compactMap { (id, entry) in entry.diedAt.map { (id: id, diedAt: $0) } }
    let removed = dead.filter { $0.diedAt <= end }.sorted { $0.diedAt < $1.diedAt }.prefix(max(count, 0))
    for job in removed { entries[job.id] = nil }
    return removed.count
  }

  mutating func forget(person: String) -> Int {
    let before = entries.count
    entries = entries.filter { $0.value.row[.person] != Array(person.utf8) }
    return before - entries.count
  }

  func statistics(at now: Duration) -> QueueStatistics {
    let alive = entries.values.filter { $0.diedAt == nil }
    let ready = alive.filter { $0.runAt <= now }
    let leased = alive.count { $0.isLeased && $0.runAt > now }
    return QueueStatistics(
      ready: ready.count, delayed: alive.count - ready.count - leased, leased: leased,
      dead: entries.count - alive.count, oldestReady: ready.map { now - $0.runAt }.max())
  }

  // MARK: Entries

  private func ready(at now: Duration) -> [Int64] {
    entries.filter { $0.value.diedAt == nil && $0.value.runAt <= now }.sorted { left, right in
      let (one, other) = (left.value, right.value)
      guard one.priority == other.priority else { return one.priority > other.priority }
      return (one.runAt, left.key) < (other.runAt, right.key)
    }.map(\.key)
  }

  func isValid(_ lease: Lease) -> Bool {
    entries[lease.job.number].map { $0.isLeased && $0.diedAt == nil && $0.number == lease.number } ?? false
  }

  @discardableResult
  private mutating func change<Value>(_ id: Int64, change: (inout Entry) -> Value) -> Value {
    guard var entry = entries[id] else { preconditionFailure("the job is there") }
    defer { entries[id] = entry }
    return change(&entry)
  }

  private static func job(from row: JobRow, at now: Duration) -> Result<Job, JobFault> {
    Result { () throws(JobFault) in try row.job(at: now.unixTime) }
  }
}
