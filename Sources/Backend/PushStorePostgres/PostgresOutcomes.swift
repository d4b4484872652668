internal import PushCore
internal import PushEnrolment
internal import PushStore

/// The table `outcome` in PostgreSQL.
struct PostgresOutcomes: OutcomeTable {
  let server: Server

  /// It holds the jobs' rows, so that a person who is forgotten meanwhile is forgotten after it.
  func record(_ outcomes: [JobOutcomes]) throws(PostgresError) {
    guard !outcomes.isEmpty else { return }
    let rows = outcomes.flatMap { job in job.outcomes.map { (job, $0) } }
    let leases = Value.leases(of: outcomes)
    try server.runForgetfully([
      // Devices were found since.
      Command(
        """
        DELETE FROM sealpush.outcome USING unnest($1::bigint[], $2::bigint[], $3::uuid[]) AS claim (id, attempt, message_id)
          JOIN sealpush.job ON job.id = claim.id AND job.attempt = claim.attempt AND leased
        WHERE outcome.message_id = claim.message_id AND outcome.identity = ''
        """, with: leases + [.texts(outcomes.map(\.messageID.text))]),
      Command(
        """
        WITH valid AS MATERIALIZED (
          SELECT job.id, job.attempt FROM unnest($1::bigint[], $2::bigint[]) AS claim (id, attempt)
          JOIN sealpush.job ON job.id = claim.id AND job.attempt = claim.attempt AND leased FOR KEY SHARE OF job)
        INSERT INTO sealpush.outcome
          (message_id, identity, person, registration, outcome, reason, device_message_id, decided_at)
        SELECT DISTINCT ON (message_id, identity) message_id, identity, person, registration, outcome, reason,
          device_message_id, (SELECT sealpush.now())
        FROM unnest($3::bigint[], $4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
            $11::uuid[])
          AS new (id, attempt, message_id, identity, person, registration, outcome, reason, device_message_id)
        WHERE (id, attempt) IN (SELECT id, attempt FROM valid)
        ORDER BY message_id, identity, outcome = 'accepted' DESC
        ON CONFLICT (message_id, identity) DO UPDATE SET person = excluded.person, registration = excluded.registration,
          outcome = excluded.outcome, reason = excluded.reason, decided_at = excluded.decided_at,
          device_message_id = excluded.device_message_id
        WHERE outcome.outcome <> 'accepted'
        """,
        with: leases + Value.leases(of: rows.map(\.0)) + [
          .texts(rows.map(\.0.messageID.text)), .texts(rows.map(\.1.identityText)),
          .texts(rows.map(\.0.person)), .texts(rows.map(\.1.registration)),
          .texts(rows.map(\.1.kind.rawValue)), .texts(rows.map(\.1.reason)),
          .texts(rows.map { $0.deviceMessageID(of: $1)?.text }),
        ]),
    ])
  }

  /// It locks the rows in the order in which outcomes are recorded.
  func take(_ receipt: Receipt) throws(PostgresError) -> Int {
    try server.run(
      """
      WITH own AS MATERIALIZED (
        SELECT message_id, identity FROM sealpush.outcome
        WHERE device_message_id = ANY ($1::uuid[]) AND identity = $2::text AND shown_at IS NULL
        ORDER BY message_id, identity FOR UPDATE)
      UPDATE sealpush.outcome SET shown_at = (SELECT sealpush.now()) FROM own
      WHERE outcome.message_id = own.message_id AND outcome.identity = own.identity
      """, with: .texts(receipt.messages.map(\.text)), .text(receipt.identity.thumbprint.text)
    ).changes
  }

  func outcomes(of message: MessageID) throws(PostgresError) -> [RecordedOutcome] {
    try server.run(
      """
      SELECT person, registration, identity, outcome, left(reason, 500) AS reason,
        extract(epoch FROM decided_at) AS decided_at, extract(epoch FROM shown_at) AS shown_at
      FROM sealpush.outcome WHERE message_id = $1::uuid ORDER BY identity
      """, with: .text(message.text)
    ).map(OutcomeColumns.self) { $1.outcome(in: $0) }.compactMap(\.self)
  }

  func remove(olderThan age: Duration, atMost count: Int) throws(PostgresError) -> Int {
    try server.run(
      """
      WITH old AS MATERIALIZED (
        SELECT message_id, identity FROM sealpush.outcome
        WHERE decided_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
        ORDER BY decided_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED)
      DELETE FROM sealpush.outcome USING old
      WHERE outcome.message_id = old.message_id AND outcome.identity = old.identity
      """, with: .seconds(age), .limit(count)
    ).changes
  }
}

extension Value {
  /// The jobs' numbers, and the leases'.
  fileprivate static func leases(of outcomes: [JobOutcomes]) -> [Value] {
    [.integers(outcomes.map(\.lease.job.number)), .integers(outcomes.map(\.lease.number))]
  }
}
