internal import PushCore
internal import PushKeys
internal import PushStore

/// The tables `request`, `asked` and `claim` in PostgreSQL.
struct PostgresRequests: RequestTable {
  let server: Server

  // MARK: Changes of registrations

  /// The statements that write what a change of a registration means, each of which gives one row.
  static func commands(for change: RequestChange) -> [Command] {
    var commands: [Command] = []
    let name = Value.text(change.registration)
    switch change.row {
    case .keep: break
    case .remove:
      commands.append(
        Command(
          "WITH gone AS (DELETE FROM sealpush.request WHERE registration = $1::text) SELECT", with: [name]))
    case .due(let due): commands.append(put(due, for: change))
    }
    if let address = change.died {
      commands.append(
        Command(
          """
          WITH gone AS (
            DELETE FROM sealpush.request WHERE token = $1::text AND topic = $2::text AND environment = $3::text),
          dead AS (
            INSERT INTO sealpush.asked (token, topic, environment, holder, dead, touched_at)
            VALUES ($1::text, $2::text, $3::text, $4::text, true, sealpush.now())
            ON CONFLICT (token, topic, environment) DO UPDATE
              SET holder = excluded.holder, dead = true, touched_at = excluded.touched_at)
          SELECT
          """, with: address.values + [name]))
    }
    if let address = change.answered {
      commands.append(
        Command(
          """
          WITH answered AS (
            UPDATE sealpush.asked
            SET holder = NULL, holder_at = NULL, holder_count = 0, others_at = NULL, dead = false, answers = answers + 1
            WHERE token = $1::text AND topic = $2::text AND environment = $3::text),
          settled AS (DELETE FROM sealpush.claim WHERE claimant = $4::text AND token = $1::text)
          SELECT
          """, with: address.values + [.text(change.claimant)]))
    }
    if let change = change.tokenSwitch { commands.append(PostgresAlternations.note(change)) }
    return commands
  }

  /// A registration that another transaction has removed gets no request.
  private static func put(_ due: RequestChange.Due, for change: RequestChange) -> Command {
    Command(
      """
      WITH put AS (
        INSERT INTO sealpush.request AS old (registration, claimant, token, topic, environment, mark, run_at, set_at)
        SELECT name, $2::text, $3::text, $4::text, $5::text, $6::bigint, clock.time, clock.time
        FROM sealpush.device, (SELECT sealpush.now() AS time) AS clock WHERE name = $1::text
        ON CONFLICT (registration) DO UPDATE SET claimant = excluded.claimant, token = excluded.token,
          topic = excluded.topic, environment = excluded.environment, mark = excluded.mark,
          run_at = CASE WHEN $7::boolean OR old.token <> excluded.token OR old.environment <> excluded.environment
            THEN excluded.run_at ELSE old.run_at END,
          set_at = CASE WHEN $7::boolean OR old.token <> excluded.token OR old.environment <> excluded.environment
            THEN excluded.set_at ELSE old.set_at END)
      SELECT
      """,
      with: [.text(change.registration), .text(change.claimant)] + due.address.values
        + [.integer(Int64.random(in: 1 ... .max)), .boolean(due.isFresh)])
  }

  // MARK: Leases

  func lease(atMost count: Int, for time: Duration) throws(PostgresError) -> LeasedRequests {
    let nothing = LeasedRequests(leases: [], isComplete: true)
    guard count > 0, try isAnyDue() else { return nothing }
    return try server.connected { (connection) throws(PostgresError) in
      do throws(PostgresError) {
        return try lease(atMost: count, for: time, on: connection)
      } catch {
        if !error.isLost { _ = try connection.run([.rollback]) }
        throw error
      }
    }
  }

  private func lease(
    atMost count: Int, for time: Duration, on connection: Connection
  ) throws(PostgresError) -> LeasedRequests {
    let found = try connection.run([
      // Two workers that lease at the same time would each ask a token once.
      .begin,
      Command("SELECT pg_advisory_xact_lock($1::integer, 4)", with: [.integer(PostgresSchema.lock)]),
      Command("SELECT extract(epoch FROM sealpush.now())"),
      due(atMost: count),
    ])
    let now = found[2].first?.real(in: .only) ?? 0
    let rows = found[3].map(RequestColumns.self) { $1.candidate(in: $0) }
    let plan = RequestPlan(rows.compactMap(\.candidate), at: now)
    let damaged = rows.filter { $0.candidate == nil }.map(\.registration)
    _ = try connection.run(
      [Self.remove(damaged)] + Self.commands(for: plan, at: now, until: now + time.inSeconds)
        + [.commit])
    return LeasedRequests(leases: plan.turns.map(\.lease), isComplete: rows.count < count)
  }

  private func isAnyDue() throws(PostgresError) -> Bool {
    try server.run(
      """
      WITH clock AS MATERIALIZED (SELECT sealpush.now() AS time)
      SELECT WHERE EXISTS (SELECT FROM sealpush.request WHERE run_at <= (SELECT time FROM clock))
        OR EXISTS (SELECT FROM sealpush.request WHERE set_at > (SELECT time FROM clock))
      """
    ).count > 0
  }

  /// A row that was written later than now was written before the clock went back.
  private func due(atMost count: Int) -> Command {
    Command(
      """
      WITH clock AS MATERIALIZED (SELECT sealpush.now() AS time),
      ready AS MATERIALIZED (
        SELECT * FROM sealpush.request WHERE run_at <= (SELECT time FROM clock)
        ORDER BY run_at, mark LIMIT $1::bigint FOR UPDATE SKIP LOCKED),
      late AS MATERIALIZED (
        SELECT * FROM sealpush.request WHERE set_at > (SELECT time FROM clock) AND run_at > (SELECT time FROM clock)
        LIMIT $1::bigint FOR UPDATE SKIP LOCKED),
      due AS (SELECT * FROM (SELECT * FROM ready UNION ALL SELECT * FROM late) AS found LIMIT $1::bigint)
      SELECT due.registration, due.claimant, due.topic, due.environment, due.token,
        extract(epoch FROM others_at) AS others_at, extract(epoch FROM holder_at) AS holder_at, holder_count, dead, answers,
        coalesce(asked.holder = due.registration, false) OR EXISTS (
          SELECT FROM sealpush.device WHERE name = due.registration AND has_token AND device.token = due.token
            AND device.topic = due.topic AND device.environment = due.environment) AS is_holder,
        claims.count AS claims, extract(epoch FROM claims.first) AS first_claim, extract(epoch FROM claims.last) AS last_claim,
        EXISTS (
          SELECT FROM sealpush.device WHERE device.token = due.token AND has_token AND name <> due.registration) AS is_foreign,
        claims.open AS open_claims
      FROM due LEFT JOIN sealpush.asked
        ON asked.token = due.token AND asked.topic = due.topic AND asked.environment = due.environment
      CROSS JOIN LATERAL (
        SELECT count(*) AS count, min(asked_at) AS first, max(asked_at) FILTER (WHERE claim.token = due.token) AS last,
          string_agg(DISTINCT claim.token, ',') FILTER (
            WHERE since > clock.time - make_interval(secs => $2::float8)
              AND EXISTS (SELECT FROM sealpush.device WHERE name = claim.registration AND pending
                AND coalesce(pending_token, device.token) = claim.token)
              AND EXISTS (SELECT FROM sealpush.device WHERE device.token = claim.token AND has_token
                AND name <> claim.registration)) AS open
        FROM sealpush.claim, clock WHERE claimant = due.claimant
          AND asked_at > clock.time - make_interval(secs => $2::float8) AND asked_at <= clock.time) AS claims
      """, with: [.limit(count), .seconds(.seconds(RequestPlan.personTime))])
  }

  private static func remove(_ registrations: [String]) -> Command {
    Command(
      "DELETE FROM sealpush.request WHERE registration = ANY ($1::text[])", with: [.texts(registrations)])
  }

  private static func commands(for plan: RequestPlan, at now: Double, until end: Double) -> [Command] {
    let turns = plan.turns.map { turn in
      postpone(turn.lease.registration, until: end, mark: turn.lease.mark)
    }
    let delays = plan.delays.map { postpone($0.registration, until: $0.end, mark: $0.mark) }
    return turns + delays + plan.turns.flatMap { reserve($0, at: now) }
  }

  private static func postpone(_ registration: String, until end: Double, mark: Int64) -> Command {
    Command(
      """
      UPDATE sealpush.request SET mark = $2::bigint, run_at = to_timestamp($3::float8), set_at = sealpush.now()
      WHERE registration = $1::text
      """, with: [.text(registration), .integer(mark), .seconds(since1970: end)])
  }

  private static func reserve(_ turn: RequestPlan.Turn, at now: Double) -> [Command] {
    let values = turn.lease.address.values + [.seconds(since1970: now), .integer(turn.lease.mark)]
    guard !turn.lease.isHolder else {
      return [
        Command(
          """
          INSERT INTO sealpush.asked AS old (token, topic, environment, holder_at, holder_mark, holder_count, touched_at)
          VALUES ($1::text, $2::text, $3::text, to_timestamp($4::float8), $5::bigint, 1, to_timestamp($4::float8))
          ON CONFLICT (token, topic, environment) DO UPDATE SET holder_at = excluded.holder_at,
            holder_mark = excluded.holder_mark, holder_count = least(old.holder_count, 1000) + 1,
            touched_at = excluded.touched_at
          """, with: values)
      ]
    }
    return [
      Command(
        """
        INSERT INTO sealpush.asked (token, topic, environment, others_at, others_mark, touched_at)
        VALUES ($1::text, $2::text, $3::text, to_timestamp($4::float8), $5::bigint, to_timestamp($4::float8))
        ON CONFLICT (token, topic, environment) DO UPDATE SET others_at = excluded.others_at,
          others_mark = excluded.others_mark, touched_at = excluded.touched_at
        """, with: values),
      Command(
        """
        INSERT INTO sealpush.claim (mark, claimant, token, asked_at, registration, since)
        SELECT $1::bigint, $2::text, $3::text, to_timestamp($4::float8), $5::text, coalesce(min(since), to_timestamp($4::float8))
        FROM sealpush.claim WHERE claimant = $2::text AND token = $3::text AND asked_at <= to_timestamp($4::float8)
          AND asked_at > to_timestamp($4::float8) - make_interval(secs => $6::float8)
        ON CONFLICT DO NOTHING
        """,
        with: [
          .integer(turn.lease.mark), .text(turn.claimant), .text(turn.lease.address.token.text),
          .seconds(since1970: now), .text(turn.lease.registration),
          .seconds(.seconds(RequestPlan.personTime)),
        ]),
    ]
  }

  func finish(_ lease: RequestLease, as ending: RequestEnding) throws(PostgresError) -> Bool {
    var commands = [
      Command(
        "DELETE FROM sealpush.request WHERE registration = $1::text AND mark = $2::bigint",
        with: [.text(lease.registration), .integer(lease.mark)])
    ]
    if case .gone = ending {
      commands.append(
        Command(
          """
          WITH gone AS (
            UPDATE sealpush.asked SET dead = true
            WHERE token = $1::text AND topic = $2::text AND environment = $3::text AND answers = $4::bigint
            RETURNING asked.token, asked.topic, asked.environment)
          DELETE FROM sealpush.request USING gone WHERE request.token = gone.token AND request.topic = gone.topic
            AND request.environment = gone.environment
          """, with: lease.address.values + [.integer(lease.answers)]))
    }
    return try server.run(commands)[0].changes > 0
  }

  func giveBack(_ lease: RequestLease, after delay: Duration) throws(PostgresError) -> Bool {
    try server.run([
      Command(
        """
        UPDATE sealpush.request SET mark = $3::bigint, set_at = sealpush.now(),
          run_at = (SELECT sealpush.now()) + make_interval(secs => $4::float8)
        WHERE registration = $1::text AND mark = $2::bigint
        """,
        with: [
          .text(lease.registration), .integer(lease.mark), .integer(Int64.random(in: 1 ... .max)),
          .seconds(delay),
        ]),
      Command(
        """
        UPDATE sealpush.asked SET others_at = CASE WHEN others_mark = $4::bigint THEN NULL ELSE others_at END,
          holder_at = CASE WHEN holder_mark = $4::bigint THEN NULL ELSE holder_at END,
          holder_count = CASE WHEN holder_mark = $4::bigint THEN greatest(holder_count - 1, 0) ELSE holder_count END
        WHERE token = $1::text AND topic = $2::text AND environment = $3::text
          AND $4::bigint IN (others_mark, holder_mark)
        """, with: lease.address.values + [.integer(lease.mark)]),
      Command("DELETE FROM sealpush.claim WHERE mark = $1::bigint", with: [.integer(lease.mark)]),
    ])[0].changes > 0
  }

  func removeAsked(atMost count: Int) throws(PostgresError) -> Int {
    let claims = try server.run(
      """
      DELETE FROM sealpush.claim WHERE mark = ANY (ARRAY(
        SELECT mark FROM sealpush.claim WHERE asked_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
        ORDER BY asked_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED))
      """, with: .seconds(.seconds(RequestPlan.personTime)), .limit(count)
    ).changes
    guard claims < count else { return claims }
    let tokens =
      try server.run(
        """
        DELETE FROM sealpush.asked WHERE (token, topic, environment) IN (
          SELECT token, topic, environment FROM sealpush.asked
          WHERE touched_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
          ORDER BY touched_at LIMIT $2::bigint FOR UPDATE SKIP LOCKED)
        """, with: .seconds(.seconds(RequestPlan.tokenTime)), .limit(count - claims)
      ).changes
    let alternations = PostgresAlternations(server: server)
    return try claims + tokens + alternations.remove(atMost: count - claims - tokens)
  }
}
