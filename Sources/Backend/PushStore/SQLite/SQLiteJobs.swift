internal import PushCore

/// The table `job` in SQLite.
///
/// The transactions of the connection `promises` survive a crash of the machine; the last ones of `leases` may not.
final class SQLiteJobs: JobTable {
  private let promises: Database
  private let leases: Database
  private let clock: any PushClock

  private let insert: Statement
  private let find: Statement
  private let ready: Query<LeasedJobColumns>
  private let oldest: Statement
  private let last: Statement
  private let take: Statement
  private let extend: Statement
  private let acknowledge: Statement
  private let retry: Statement
  private let displace: Statement
  private let discard: Statement
  private let dead: Query<DeadLetterColumns>
  private let resend: Statement
  private let delete: Statement
  private let sweepDead: Statement
  private let cancelled: Statement
  private let cancel: Statement
  private let sweepKeys: Statement

  /// Finds the ready jobs of one level, in the order of the index alone.
  ///
  /// A `not_before` that `due` does not accept as a time must not be read as one, or its job would be sent now.
  static let ready: StaticString = """
    SELECT message_id, person, payload, topic, priority,
      iif(typeof(not_before) IN ('real', 'null'), not_before, 'none') AS not_before, expires_at, lifetime, apns_priority,
      collapse_id, created_at, push_type, outcome, job_key, on_key, unique_for, replaces, traceparent, activity, id,
      attempt % 1000000000000000000 + 1 AS attempt, forgiven,
      coalesce(sender, ?5) AS sender, settled, missing, waits_until, ?2 AS now, ?4 AS lease_end
    FROM job INDEXED BY job_ready WHERE dead_at IS NULL AND level = ?1 AND due <= ?2
    ORDER BY due, id LIMIT ?3
    """

  /// Prepares the statements.
  init(promises: Database, leases: Database, clock: any PushClock) throws(SQLiteError) {
    self.promises = promises
    self.leases = leases
    self.clock = clock
    insert = try Statement(
      on: promises,
      """
      INSERT INTO job (message_id, person, payload, topic, priority, not_before, expires_at, lifetime, apns_priority,
        collapse_id, created_at, push_type, outcome, run_at, job_key, on_key, unique_for, replaces,
        traceparent, activity)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, coalesce(?6, ?14), ?15, ?16, ?17, ?18,
        ?19, ?20)
      ON CONFLICT (message_id) DO NOTHING RETURNING id
      """)
    find = try Statement(on: promises, "SELECT id FROM job WHERE message_id = ?1")
    ready = try Query(on: leases, Self.ready)
    oldest = try Statement(
      on: leases,
      """
      SELECT due FROM job INDEXED BY job_ready WHERE dead_at IS NULL AND level = ?1 AND due <= ?2
      ORDER BY due LIMIT 1
      """)
    last = try Statement(on: leases, "SELECT seq FROM sqlite_sequence WHERE name = 'job'")
    take = try Statement(
      on: leases,
      """
      UPDATE job SET run_at = ?2, attempt = attempt % 1000000000000000000 + 1, leased = 1,
        sender = coalesce(sender, ?3)
      WHERE id IN (SELECT value FROM json_each(?1))
      """)
    extend = try Statement(
      on: leases,
      "UPDATE job SET run_at = ?3 WHERE id = ?1 AND attempt = ?2 AND leased AND dead_at IS NULL")
    acknowledge = try Statement(
      on: leases, "DELETE FROM job WHERE id = ?1 AND attempt = ?2 AND leased AND dead_at IS NULL")
    retry = try Statement(
      on: leases,
      """
      UPDATE job SET run_at = coalesce(?3, min(?7, max(0, coalesce(not_before, created_at, 0)))), settled = ?4,
        reason = ?5, forgiven = attempt - ?6, leased = 0, waits_until = iif(?8, coalesce(waits_until, ?9), waits_until),
        held = ?10
      WHERE id = ?1 AND attempt = ?2 AND leased AND dead_at IS NULL
      """)
    displace = try Statement(
      on: leases,
      """
      UPDATE job SET dead_at = ?2, reason = ?3 WHERE id IN (
        SELECT id FROM job INDEXED BY job_waiting WHERE person = (SELECT person FROM job WHERE id = ?1)
          AND waits_until IS NOT NULL AND dead_at IS NULL AND NOT leased ORDER BY id DESC LIMIT -1 OFFSET ?4)
      """)
    discard = try Statement(
      on: leases,
      """
      UPDATE job SET dead_at = ?3, reason = ?4, settled = coalesce(?5, settled), missing = coalesce(?6, missing), leased = 0
      WHERE id = ?1 AND attempt = ?2 AND leased AND dead_at IS NULL
      """)
    dead = try Query(
      on: promises,
      """
      SELECT message_id, person, payload, topic, priority, not_before, expires_at, lifetime, apns_priority,
        collapse_id, created_at, push_type, outcome, job_key, on_key, unique_for, replaces, traceparent, activity, id,
        reason, missing, dead_at, attempt, forgiven
      FROM job INDEXED BY job_dead WHERE dead_at IS NOT NULL AND id > ?1 ORDER BY id LIMIT ?2
      """)
    resend = try Statement(
      on: promises,
      """
      UPDATE job SET dead_at = NULL, reason = NULL, run_at = ?2, forgiven = attempt, waits_until = NULL
      WHERE id = ?1 AND dead_at IS NOT NULL
      """)
    delete = try Statement(on: promises, "DELETE FROM job WHERE id = ?1 AND dead_at IS NOT NULL")
    sweepDead = try Statement(
      on: promises,
      """
      DELETE FROM job WHERE id IN (
        SELECT id FROM job INDEXED BY job_died WHERE dead_at <= ?1 ORDER BY dead_at LIMIT ?2)
      """)
    cancelled = try Statement(
      on: promises,
      """
      SELECT (SELECT count(*) FROM job WHERE message_id = ?1)
        + (SELECT count(*) FROM job WHERE job_key IS NOT NULL AND job_key = ?2)
      """)
    cancel = try Statement(
      on: promises,
      "INSERT INTO cancellation (message_id, job_key, person, topic, take_back) VALUES (?1, ?2, ?3, ?4, ?5)")
    sweepKeys = try Statement(
      on: promises,
      """
      DELETE FROM keyed WHERE (job_key, message_id) IN (
        SELECT job_key, message_id FROM keyed WHERE made_at <= ?1 ORDER BY made_at LIMIT ?2)
      """)
  }

  /// Seconds since 1970.
  private var now: Double { clock.sinceEpoch.inSeconds }

  func enqueue(_ jobs: [Job]) throws(SQLiteError) -> [JobID] {
    let now = now
    return try promises.transaction(.writing) { () throws(SQLiteError) -> [JobID] in
      var ids: [JobID] = []
      for job in jobs { ids.append(try enqueue(job, at: now)) }
      return ids
    } ?? []
  }

  private func enqueue(_ job: Job, at now: Double) throws(SQLiteError) -> JobID {
    let id = job.messageID.text
    let new = try insert.first(
      .text(id), .text(job.person), .text(String(decoding: job.payload.encoded(), as: UTF8.self)),
      .optional(job.topic?.text), .integer(Int64(job.priority.rawValue)), .optional(job.notBefore?.seconds),
      .optional(job.expiresAt?.seconds), .optional(job.lifetime.map { Int64($0.seconds) }),
      .optional(job.apnsPriority.map { Int64($0.rawValue) }), .optional(job.collapseID),
      .integer(job.createdAt.seconds), .text(job.pushType.rawValue),
      .integer(job.wantsOutcome ? 1 : 0), .real(now), .optional(job.key?.name), .optional(job.key?.onKey),
      .optional(job.key?.uniqueFor), .optional(job.replaces?.text), .optional(job.traceparent?.text),
      .optional(job.activity)
    ) { $0.integer(in: .only) }
    if let new { return JobID(new) }
    guard let old = try find.first(.text(id), read: { $0.integer(in: .only) }) else {
      preconditionFailure("the other job is there")
    }
    return JobID(old)
  }

  func cancel(_ cancellations: [Cancellation]) throws(SQLiteError) -> Int {
    try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      for cancellation in cancellations {
        let (message, key) = (
          Statement.Value.optional(cancellation.messageID?.text), Statement.Value.optional(cancellation.key)
        )
        count += try cancelled.first(message, key) { Int($0.integer(in: .only)) } ?? 0
        try cancel.run(
          message, key, .optional(cancellation.person), .optional(cancellation.topic?.text),
          .integer(cancellation.takesBack ? 1 : 0))
      }
      return count
    } ?? 0
  }

  func removeKeys(olderThan age: Duration, atMost count: Int) throws(SQLiteError) -> Int {
    let end = now - age.inSeconds
    return try sweepKeys.run(.real(end), .integer(Int64(max(count, 0))))
  }

  // MARK: Leases

  func hasReady() throws(SQLiteError) -> Bool { try hasReady(at: now) }

  private func hasReady(at now: Double) throws(SQLiteError) -> Bool {
    for level in JobLevel.all where try firstDue(at: level, now: now) != nil { return true }
    return false
  }

  func oldestReady() throws(SQLiteError) -> Duration? {
    let now = now
    var due: Double?
    for level in JobLevel.all {
      let first = try firstDue(at: level, now: now)
      due = [due, first].compactMap(\.self).min()
    }
    return due.map { .seconds(now - max($0, 0)) }
  }

  private func firstDue(at level: Int, now: Double) throws(SQLiteError) -> Double? {
    try oldest.first(.integer(Int64(level)), .real(now)) { $0.real(in: .only) ?? 0 }
  }

  func lastJob() throws(SQLiteError) -> JobID? { try last.first { JobID($0.integer(in: .only)) } }

  func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>
  ) throws(SQLiteError) -> [LeasedJob] {
    let now = now
    // Polling an empty queue takes no write lock.
    guard count > 0, try hasReady(at: now) else { return [] }
    let (end, signers) = (now + time.inSeconds, FirstSenders(senders).text)
    return try leases.transaction(.writing) { () throws(SQLiteError) -> [LeasedJob] in
      var jobs: [LeasedJob] = []
      // The index is probed once for each level, so the ready jobs are never sorted.
      for level in JobLevel.mostUrgentFirst() where jobs.count < count {
        let rest = Int64(count - jobs.count)
        jobs += try ready.all(
          .integer(Int64(level)), .real(now), .integer(rest), .real(end),
          .optional(signers)
        ) { $1.leasedJob(in: $0) }
      }
      // One statement for all, as for persons.
      try take.run(
        .list(jobs.map { .number(JSONNumber($0.lease.job.number)) }), .real(end), .optional(signers))
      return jobs
    } ?? []
  }

  func extend(_ leases: [Lease], for time: Duration) throws(SQLiteError) -> [Lease] {
    let end = now + time.inSeconds
    return try changed(leases) { (lease) throws(SQLiteError) in
      try extend.run(.integer(lease.job.number), .integer(lease.number), .real(end))
    }
  }

  func acknowledge(_ leases: [Lease]) throws(SQLiteError) -> Int {
    // In the order of the rows, so that each page of the file is changed once.
    try changed(leases.sorted { $0.job.number < $1.job.number }) { (lease) throws(SQLiteError) in
      try acknowledge.run(.integer(lease.job.number), .integer(lease.number))
    }.count
  }

  func retry(_ retries: [JobRetry]) throws(SQLiteError) -> Int {
    let now = now
    return try changed(retries) { (retry) throws(SQLiteError) in
      let later = retry.delay > .zero ? now + retry.delay.inSeconds : nil
      let count = try self.retry.run(
        .integer(retry.lease.job.number), .integer(retry.lease.number), .optional(later),
        .optional(SettledDevices.text(of: retry.settled)), .text(retry.reason),
        .integer(Int64(retry.attempts)), .real(now), .integer(retry.isWaiting ? 1 : 0),
        .real(now + JobRetry.longestWait.inSeconds), .optional(retry.heldFor?.text))
      if retry.isWaiting, count > 0 {
        try displace.run(
          .integer(retry.lease.job.number), .real(now), .text(JobRetry.displaced),
          .integer(Int64(JobRetry.maximumWaiting)))
      }
      return count
    }.count
  }

  func discard(_ discards: [JobDiscard]) throws(SQLiteError) -> Int {
    let now = now
    return try changed(discards) { (discard) throws(SQLiteError) in
      try self.discard.run(
        .integer(discard.lease.job.number), .integer(discard.lease.number), .real(now), .text(discard.reason),
        .optional(discard.settled.flatMap(SettledDevices.text)),
        .optional(MissingDevices.text(of: discard.missing)))
    }.count
  }

  /// The items for which `change` changed a row, in one transaction.
  private func changed<Item>(
    _ items: [Item], change: (Item) throws(SQLiteError) -> Int
  ) throws(SQLiteError) -> [Item] {
    guard !items.isEmpty else { return [] }
    return try leases.transaction(.writing) { () throws(SQLiteError) -> [Item] in
      var changed: [Item] = []
      for item in items where try change(item) > 0 { changed.append(item) }
      return changed
    } ?? []
  }

  // MARK: Dead letters

  func deadLetters(after job: JobID?, atMost count: Int) throws(SQLiteError) -> [DeadLetter] {
    try dead.all(.integer(job?.number ?? .min), .integer(Int64(max(count, 0)))) { $1.deadLetter(in: $0) }
  }

  func resend(_ jobs: [JobID]) throws(SQLiteError) -> Int {
    let now = now
    return try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      for job in jobs { count += try resend.run(.integer(job.number), .real(now)) }
      return count
    } ?? 0
  }

  func delete(_ jobs: [JobID]) throws(SQLiteError) -> Int {
    try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      for job in jobs { count += try delete.run(.integer(job.number)) }
      return count
    } ?? 0
  }

  func removeDeadLetters(olderThan age: Duration, atMost count: Int) throws(SQLiteError) -> Int {
    try sweepDead.run(.real(now - age.inSeconds), .integer(Int64(max(count, 0))))
  }
}
