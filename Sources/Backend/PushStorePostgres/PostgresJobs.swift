internal import PushCore
internal import PushStore

/// The table `job` in PostgreSQL, whose times are all the server's.
struct PostgresJobs: JobTable {
  let server: Server

  func enqueue(_ jobs: [Job]) throws(PostgresError) -> [JobID] {
    // A statement cannot conflict with a row that it has inserted itself.
    var (new, seen): ([JobRow], Set<MessageID>) = ([], [])
    for job in jobs where seen.insert(job.messageID).inserted { new.append(JobRow(job)) }
    guard !new.isEmpty else { return [] }
    let columns = JobColumn.allCases.map { column in
      Value.texts(new.map { row in row[column].map { String(decoding: $0, as: UTF8.self) } })
    }
    // A row that is already there is written unchanged, so that it stays until the end and its number is returned.
    let rows = try server.run(
      Command(
        """
        INSERT INTO sealpush.job (message_id, person, payload, topic, priority, not_before, expires_at, lifetime,
          apns_priority, collapse_id, created_at, push_type, outcome, job_key, on_key, unique_for, replaces,
          traceparent, activity, run_at)
        SELECT message_id, person, payload, topic, priority, to_timestamp(not_before), to_timestamp(expires_at),
          lifetime, apns_priority, collapse_id, to_timestamp(created_at), push_type, outcome,
          job_key, on_key, unique_for, replaces, traceparent, activity,
          coalesce(to_timestamp(not_before), (SELECT sealpush.now()))
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::float8[], $7::float8[],
          $8::integer[], $9::integer[], $10::text[], $11::float8[], $12::text[], $13::boolean[],
          $14::text[], $15::text[], $16::integer[], $17::uuid[], $18::text[], $19::text[])
          WITH ORDINALITY
          AS new (message_id, person, payload, topic, priority, not_before, expires_at, lifetime, apns_priority,
            collapse_id, created_at, push_type, outcome, job_key, on_key, unique_for, replaces,
            traceparent, activity, position)
        ORDER BY position
        ON CONFLICT (message_id) DO UPDATE SET message_id = excluded.message_id
        RETURNING message_id, id
        """, with: columns))
    let (messageID, id) = (rows.column("message_id"), rows.column("id"))
    let ids = Dictionary(rows.all.map { ($0.text(in: messageID), $0.integer(in: id)) }) { first, _ in first }
    return jobs.compactMap { ids[$0.messageID.text].map { JobID($0) } }
  }

  func cancel(_ cancellations: [Cancellation]) throws(PostgresError) -> Int {
    guard !cancellations.isEmpty else { return 0 }
    // The count is taken before the rows are carried out, by the snapshot of the statement.
    return try server.run(
      """
      WITH new AS (
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[])
          AS new (message_id, job_key, person, topic, take_back)),
      made AS (
        INSERT INTO sealpush.cancellation (message_id, job_key, person, topic, take_back) SELECT * FROM new)
      SELECT count(DISTINCT job.id) FROM new JOIN sealpush.job ON job.message_id = new.message_id
        OR left(job.job_key, 255) = new.job_key AND job.job_key = new.job_key
      """, with: .texts(cancellations.map { $0.messageID?.text }), .texts(cancellations.map(\.key)),
      .texts(cancellations.map(\.person)), .texts(cancellations.map { $0.topic?.text }),
      .booleans(cancellations.map(\.takesBack))
    ).first.map { Int($0.integer(in: .only)) } ?? 0
  }

  func removeKeys(olderThan age: Duration, atMost count: Int) throws(PostgresError) -> Int {
    try server.run(
      """
      DELETE FROM sealpush.keyed WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM sealpush.keyed
        WHERE made_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
        ORDER BY made_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED))
      """, with: .seconds(age), .limit(count)
    ).changes
  }

  // MARK: Leases

  func hasReady() throws(PostgresError) -> Bool {
    try server.run(
      """
      SELECT EXISTS (
        SELECT FROM (SELECT sealpush.now() AS time) AS clock, generate_series(0, 19) AS levels (level), LATERAL (
          SELECT FROM sealpush.job WHERE dead_at IS NULL AND job.level = levels.level AND due <= clock.time LIMIT 1
        ) AS ready)
      """
    ).first?.boolean(in: .only) ?? false
  }

  func oldestReady() throws(PostgresError) -> Duration? {
    try server.run(
      """
      SELECT extract(epoch FROM max(clock.time)) - extract(epoch FROM min(ready.due))
      FROM (SELECT sealpush.now() AS time) AS clock, generate_series(0, 19) AS levels (level), LATERAL (
        SELECT due FROM sealpush.job WHERE dead_at IS NULL AND job.level = levels.level AND due <= clock.time
        ORDER BY due LIMIT 1) AS ready
      """
    ).first?.real(in: .only).flatMap { $0.isFinite ? .seconds($0) : nil }
  }

  /// The view has null for a sequence that was never used, or that this user may not read.
  func lastJob() throws(PostgresError) -> JobID? {
    try server.run(
      """
      SELECT last_value FROM pg_sequences
      WHERE format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence('sealpush.job', 'id')
      """
    ).first?.text(in: .only).flatMap { Int64($0) }.map { JobID($0) }
  }

  /// Probes the index once for each level, so that the ready jobs are never sorted.
  ///
  /// Rows that other transactions have locked are skipped.
  static let leasing: StaticString =
    """
    WITH clock AS MATERIALIZED (SELECT sealpush.now() AS time),
    ready AS MATERIALIZED (
      SELECT ARRAY(
        SELECT job.id FROM unnest($4::smallint[]) AS levels (level), LATERAL (
          SELECT id FROM sealpush.job
          WHERE dead_at IS NULL AND job.level = levels.level AND due <= (SELECT time FROM clock)
          ORDER BY due, id LIMIT $1::bigint FOR UPDATE SKIP LOCKED) AS job
        LIMIT $1::bigint) AS ids),
    taken AS (
      UPDATE sealpush.job SET run_at = (SELECT time FROM clock) + make_interval(secs => $2::float8),
        attempt = attempt % 1000000000000000000 + 1, leased = true, sender = coalesce(sender, $3::text),
        held = NULL
      WHERE id = ANY ((SELECT ids FROM ready)::bigint[])
      RETURNING job.*)
    SELECT message_id, left(person, 256) AS person, left(payload, 65537) AS payload, left(topic, 256) AS topic, priority,
      trim_scale(extract(epoch FROM not_before)) AS not_before, trim_scale(extract(epoch FROM expires_at)) AS expires_at,
      lifetime, apns_priority, left(collapse_id, 256) AS collapse_id,
      trim_scale(extract(epoch FROM created_at)) AS created_at, left(push_type, 256) AS push_type,
      outcome::integer AS outcome, left(job_key, 256) AS job_key, left(on_key, 256) AS on_key, unique_for, replaces,
      left(traceparent, 256) AS traceparent, left(activity, 256) AS activity, id, attempt, forgiven, left(sender, 2048) AS sender,
      left(settled, 67108864) AS settled, left(missing, 67108864) AS missing,
      extract(epoch FROM waits_until) AS waits_until, extract(epoch FROM run_at) AS lease_end,
      (SELECT extract(epoch FROM time) FROM clock) AS now
    FROM taken ORDER BY array_position((SELECT ids FROM ready), id)
    """

  /// Leases jobs, in a transaction that survives a crash of the server.
  ///
  /// Otherwise a later lease would have the same number,
  /// and the worker with the first lease could decide what becomes of the second.
  func lease(
    atMost count: Int, for time: Duration, senders: Set<Thumbprint>
  ) throws(PostgresError) -> [LeasedJob] {
    guard count > 0 else { return [] }
    return try server.run(
      Self.leasing, with: .limit(count), .seconds(time), .text(FirstSenders(senders).text),
      .integers(JobLevel.mostUrgentFirst())
    ).map(LeasedJobColumns.self) { $1.leasedJob(in: $0) }
  }

  /// Extends leases, and gives those that are valid.
  ///
  /// A row that another transaction holds is not changed, so that the other leases need not wait for it. Nobody else can
  /// lease it meanwhile either.
  static let extending: StaticString =
    """
    WITH valid AS MATERIALIZED (
      SELECT job.id, job.attempt FROM unnest($1::bigint[], $2::bigint[]) AS claim (id, attempt)
      JOIN sealpush.job ON job.id = claim.id AND job.attempt = claim.attempt AND leased),
    free AS MATERIALIZED (
      SELECT id FROM sealpush.job WHERE id = ANY (ARRAY(SELECT id FROM valid)) FOR UPDATE SKIP LOCKED),
    extended AS (
      UPDATE sealpush.job SET run_at = (SELECT sealpush.now()) + make_interval(secs => $3::float8)
      FROM valid WHERE job.id = valid.id AND job.attempt = valid.attempt AND leased
        AND job.id = ANY (ARRAY(SELECT id FROM free))
      RETURNING job.id)
    SELECT id, attempt FROM valid
    WHERE id IN (SELECT id FROM extended) OR id NOT IN (SELECT id FROM free)
    """

  func extend(_ leases: [Lease], for time: Duration) throws(PostgresError) -> [Lease] {
    let rows = try server.runForgetfully(
      Self.extending, with: .jobs(of: leases), .numbers(of: leases), .seconds(time))
    let (id, attempt) = (rows.column("id"), rows.column("attempt"))
    let valid = Set(rows.all.map { Lease(job: JobID($0.integer(in: id)), number: $0.integer(in: attempt)) })
    return leases.filter(valid.contains)
  }

  /// Removes leased jobs, by the primary key.
  ///
  /// It does not ask for `dead_at IS NULL`, which is true for all leased jobs: if the statistics are of an empty queue, the
  /// planner may then choose the index of ready jobs, and read all of it.
  static let acknowledging: StaticString =
    """
    DELETE FROM sealpush.job USING unnest($1::bigint[], $2::bigint[]) AS claim (id, attempt)
    WHERE job.id = claim.id AND job.attempt = claim.attempt AND leased
    """

  func acknowledge(_ leases: [Lease]) throws(PostgresError) -> Int {
    try server.runForgetfully(Self.acknowledging, with: .jobs(of: leases), .numbers(of: leases)).changes
  }

  func retry(_ retries: [JobRetry]) throws(PostgresError) -> Int {
    let leases = retries.map(\.lease)
    let count = try server.runForgetfully(
      """
      UPDATE sealpush.job SET run_at = CASE
          WHEN claim.delay > 0 THEN (SELECT sealpush.now()) + make_interval(secs => claim.delay)
          ELSE greatest(least((SELECT sealpush.now()), coalesce(not_before, created_at)), to_timestamp(0)) END,
        settled = claim.settled, reason = claim.reason, forgiven = job.attempt - claim.attempts, leased = false,
        waits_until = CASE WHEN claim.waits
          THEN coalesce(waits_until, (SELECT sealpush.now()) + make_interval(secs => $8::float8)) ELSE waits_until END,
        held = claim.held
      FROM unnest($1::bigint[], $2::bigint[], $3::float8[], $4::text[], $5::text[], $6::bigint[], $7::boolean[],
        $9::text[]) AS claim (id, attempt, delay, settled, reason, attempts, waits, held)
      WHERE job.id = claim.id AND job.attempt = claim.attempt AND leased
      """, with: .jobs(of: leases), .numbers(of: leases), .seconds(retries.map(\.delay)),
      .texts(retries.map { SettledDevices.text(of: $0.settled) }), .texts(retries.map(\.reason)),
      .integers(retries.map(\.attempts)), .booleans(retries.map(\.isWaiting)), .seconds(JobRetry.longestWait),
      .texts(retries.map { $0.heldFor?.text })
    ).changes
    for retry in retries where retry.isWaiting { try displace(besides: retry.lease.job) }
    return count
  }

  /// Gives up the oldest of too many jobs of a person that wait for a device.
  private func displace(besides job: JobID) throws(PostgresError) {
    _ = try server.runForgetfully(
      """
      UPDATE sealpush.job SET dead_at = (SELECT sealpush.now()), reason = $2::text WHERE id = ANY (ARRAY(
        SELECT waiting.id FROM sealpush.job AS new JOIN sealpush.job AS waiting
          ON left(waiting.person, 255) = left(new.person, 255) AND waiting.person = new.person
        WHERE new.id = $1::bigint AND waiting.waits_until IS NOT NULL AND waiting.dead_at IS NULL AND NOT waiting.leased
        ORDER BY waiting.id DESC OFFSET $3::bigint)) AND dead_at IS NULL AND NOT leased
      """, with: .integer(job.number), .text(JobRetry.displaced), .integer(Int64(JobRetry.maximumWaiting)))
  }

  func discard(_ discards: [JobDiscard]) throws(PostgresError) -> Int {
    let leases = discards.map(\.lease)
    return try server.runForgetfully(
      """
      UPDATE sealpush.job SET dead_at = (SELECT sealpush.now()), reason = claim.reason,
        settled = coalesce(claim.settled, job.settled), missing = coalesce(claim.missing, job.missing), leased = false
      FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[])
        AS claim (id, attempt, reason, settled, missing)
      WHERE job.id = claim.id AND job.attempt = claim.attempt AND leased
      """, with: .jobs(of: leases), .numbers(of: leases), .texts(discards.map(\.reason)),
      .texts(discards.map { $0.settled.flatMap(SettledDevices.text) }),
      .texts(discards.map { MissingDevices.text(of: $0.missing) })
    ).changes
  }

  // MARK: Dead letters

  func deadLetters(after job: JobID?, atMost count: Int) throws(PostgresError) -> [DeadLetter] {
    try server.run(
      """
      SELECT message_id, left(person, 65537) AS person, left(payload, 65537) AS payload, left(topic, 65537) AS topic,
        priority, trim_scale(extract(epoch FROM not_before)) AS not_before,
        trim_scale(extract(epoch FROM expires_at)) AS expires_at, lifetime, apns_priority,
        left(collapse_id, 65537) AS collapse_id, trim_scale(extract(epoch FROM created_at)) AS created_at,
        left(push_type, 65537) AS push_type, outcome::integer AS outcome, left(job_key, 65537) AS job_key,
        left(on_key, 65537) AS on_key, unique_for, replaces, left(traceparent, 65537) AS traceparent,
        left(activity, 65537) AS activity, id,
        left(reason, 500) AS reason,
        left(missing, 67108864) AS missing, extract(epoch FROM dead_at) AS dead_at, attempt, forgiven
      FROM sealpush.job WHERE dead_at IS NOT NULL AND id > $1::bigint ORDER BY id LIMIT $2::bigint
      """, with: .integer(job?.number ?? .min), .limit(count)
    ).map(DeadLetterColumns.self) { $1.deadLetter(in: $0) }
  }

  func resend(_ jobs: [JobID]) throws(PostgresError) -> Int {
    try server.run(
      """
      UPDATE sealpush.job SET dead_at = NULL, reason = NULL, run_at = (SELECT sealpush.now()), forgiven = attempt,
        waits_until = NULL
      WHERE id = ANY ($1::bigint[]) AND dead_at IS NOT NULL
      """, with: .integers(jobs.map(\.number))
    ).changes
  }

  func delete(_ jobs: [JobID]) throws(PostgresError) -> Int {
    try server.run(
      "DELETE FROM sealpush.job WHERE id = ANY ($1::bigint[]) AND dead_at IS NOT NULL",
      with: .integers(jobs.map(\.number))
    ).changes
  }

  func removeDeadLetters(olderThan age: Duration, atMost count: Int) throws(PostgresError) -> Int {
    try server.run(
      """
      DELETE FROM sealpush.job WHERE dead_at IS NOT NULL AND id = ANY (ARRAY(
        SELECT id FROM sealpush.job WHERE dead_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
        ORDER BY dead_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED))
      """, with: .seconds(age), .limit(count)
    ).changes
  }
}

extension Value {
  fileprivate static func jobs(of leases: [Lease]) -> Value { integers(leases.map(\.job.number)) }

  fileprivate static func numbers(of leases: [Lease]) -> Value { integers(leases.map(\.number)) }
}
