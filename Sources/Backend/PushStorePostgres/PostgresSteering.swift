internal import PushCore
internal import PushStore

extension PostgresSchema {
  /// What operators let workers do.
  ///
  /// `held` is the route for which a job waits that is not leased. Only such jobs are in its index, so that others cost what they
  /// did. In `pause`, an empty text stands for all.
  static let steering = """
    ALTER TABLE sealpush.job ADD COLUMN held text COLLATE "C";
    CREATE INDEX job_held ON sealpush.job (left(held, 300), level DESC, id) WHERE held IS NOT NULL AND dead_at IS NULL;
    CREATE TABLE sealpush.pause (
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      since timestamptz NOT NULL,
      PRIMARY KEY (topic, environment)
    );
    CREATE TABLE sealpush.rate (
      topic text COLLATE "C" PRIMARY KEY,
      count bigint NOT NULL,
      seconds float8 NOT NULL
    );
    CREATE TABLE sealpush.rate_use (
      topic text COLLATE "C" NOT NULL,
      slot float8 NOT NULL,
      count bigint NOT NULL,
      PRIMARY KEY (topic, slot)
    );
    CREATE TABLE sealpush.stopped_route (
      topic text COLLATE "C" NOT NULL,
      environment text COLLATE "C" NOT NULL,
      reason text NOT NULL,
      stopped_at timestamptz NOT NULL,
      PRIMARY KEY (topic, environment)
    );
    """
}

/// What operators let workers do, in PostgreSQL.
struct PostgresSteering: SteeringTable {
  let server: Server

  func steering() throws(PostgresError) -> Steering {
    let rows = try server.run([
      Command("SELECT topic, environment, extract(epoch FROM since) AS since FROM sealpush.pause"),
      Command("SELECT topic, count, seconds FROM sealpush.rate"),
    ])
    let rates = rows[1].map(RateColumns.self) { $1.rate(in: $0) }.compactMap(\.self)
    return Steering(
      pauses: rows[0].map(PauseColumns.self) { $1.pause(in: $0) }.compactMap(\.self),
      rates: Dictionary(rates.map { ($0.topic, $0.limit) }) { first, _ in first })
  }

  func pause(_ scope: RouteScope) throws(PostgresError) -> Bool {
    let (topic, environment) = scope.columns
    return try server.run(
      """
      INSERT INTO sealpush.pause (topic, environment, since) VALUES ($1::text, $2::text, sealpush.now())
      ON CONFLICT DO NOTHING
      """, with: .text(topic), .text(environment)
    ).changes > 0
  }

  func resume(_ scope: RouteScope) throws(PostgresError) -> Int {
    let (topic, environment) = scope.columns
    return try server.run(
      "DELETE FROM sealpush.pause WHERE $1::text IN ('', topic) AND $2::text IN ('', environment)",
      with: .text(topic), .text(environment)
    ).changes
  }

  func limit(_ topic: Topic, to rate: RateLimit?) throws(PostgresError) {
    guard let rate else {
      _ = try server.run("DELETE FROM sealpush.rate WHERE topic = $1::text", with: .text(topic.text))
      return
    }
    _ = try server.run(
      """
      INSERT INTO sealpush.rate (topic, count, seconds) VALUES ($1::text, $2::bigint, $3::float8)
      ON CONFLICT (topic) DO UPDATE SET count = excluded.count, seconds = excluded.seconds
      """, with: .text(topic.text), .integer(rate.count), .seconds(rate.time))
  }

  func share(of topic: Topic, atMost count: Int, isLook: Bool) throws(PostgresError) -> RateShare? {
    try server.connected { (connection) throws(PostgresError) in
      do throws(PostgresError) {
        return try share(of: topic, atMost: count, isLook: isLook, on: connection)
      } catch {
        if !error.isLost { _ = try connection.run([.rollback]) }
        throw error
      }
    }
  }

  private func share(
    of topic: Topic, atMost count: Int, isLook: Bool, on connection: Connection
  ) throws(PostgresError) -> RateShare? {
    let name = Value.text(topic.text)
    // The time is read under the lock: a later share is never written as an earlier one.
    let found = try connection.run([
      .begin,
      isLook
        ? Command("SELECT topic, count, seconds FROM sealpush.rate WHERE topic = $1::text", with: [name])
        : Command(
          "SELECT topic, count, seconds FROM sealpush.rate WHERE topic = $1::text FOR UPDATE", with: [name]),
      Command("SELECT extract(epoch FROM sealpush.now())"),
    ])
    guard let limit = found[1].map(RateColumns.self, { $1.rate(in: $0)?.limit }).first ?? nil else {
      _ = try connection.run([.commit])
      return nil
    }
    let window = RateWindow(of: limit, at: found[2].first?.real(in: .only) ?? 0)
    let edges: [Value] = [name, .seconds(since1970: window.start), .seconds(since1970: window.end)]
    let used = try connection.run([
      Command(
        """
        SELECT coalesce(sum(count), 0)::bigint FROM sealpush.rate_use
        WHERE topic = $1::text AND slot > $2::float8 AND slot <= $3::float8
        """, with: edges)
    ])[0].first?.integer(in: .only)
    let share = window.share(of: count, used: used ?? 0)
    guard !isLook, share.count > 0 else {
      _ = try connection.run([.commit])
      return share
    }
    _ = try connection.run([
      Command(
        """
        DELETE FROM sealpush.rate_use WHERE topic = $1::text AND (slot <= $2::float8 OR slot > $3::float8)
        """, with: edges),
      Command(
        """
        INSERT INTO sealpush.rate_use AS known (topic, slot, count) VALUES ($1::text, $2::float8, $3::bigint)
        ON CONFLICT (topic, slot) DO UPDATE SET count = known.count + excluded.count
        """, with: [name, .seconds(since1970: window.slot), .integer(share.count)]),
      .commit,
    ])
    return share
  }

  func heldRoutes() throws(PostgresError) -> [Route] {
    try server.run(
      """
      WITH RECURSIVE route (held) AS (
        SELECT (SELECT left(job.held, 300) FROM sealpush.job WHERE held IS NOT NULL AND dead_at IS NULL
          ORDER BY left(job.held, 300) LIMIT 1)
        UNION ALL
        SELECT (SELECT left(job.held, 300) FROM sealpush.job
          WHERE held IS NOT NULL AND dead_at IS NULL AND left(job.held, 300) > route.held
          ORDER BY left(job.held, 300) LIMIT 1)
        FROM route WHERE route.held IS NOT NULL)
      SELECT held FROM route WHERE held IS NOT NULL LIMIT 1000
      """
    ).all.compactMap { $0.text(in: .only).flatMap(Route.init(text:)) }
  }

  /// Rows that other transactions have locked are skipped.
  func release(_ route: Route, atMost count: Int) throws(PostgresError) -> Int {
    try server.runForgetfully(
      """
      UPDATE sealpush.job SET run_at = (SELECT sealpush.now()), held = NULL WHERE id = ANY (ARRAY(
        SELECT id FROM sealpush.job WHERE held IS NOT NULL AND dead_at IS NULL AND left(held, 300) = $1::text
        ORDER BY level DESC, id LIMIT $2::bigint FOR UPDATE SKIP LOCKED))
      """, with: .text(route.text), .limit(count)
    ).changes
  }

  func note(stopped: [StoppedRoute], going: [Route]) throws(PostgresError) {
    guard !stopped.isEmpty || !going.isEmpty else { return }
    // In one order, so that workers do not wait for each other in a circle.
    let (stopped, going) = (
      stopped.sorted { $0.route.text < $1.route.text }, going.sorted { $0.text < $1.text }
    )
    try server.runForgetfully([
      Command(
        """
        DELETE FROM sealpush.stopped_route
        WHERE stopped_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
          OR (topic, environment) IN (SELECT * FROM unnest($2::text[], $3::text[]))
        """,
        with: [
          .seconds(StoppedRoute.memory), .texts(going.map(\.topic.text)),
          .texts(going.map(\.environment.rawValue)),
        ]),
      Command(
        """
        INSERT INTO sealpush.stopped_route (topic, environment, reason, stopped_at)
        SELECT topic, environment, reason, to_timestamp(stopped_at)
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS new (topic, environment, reason, stopped_at)
        ON CONFLICT (topic, environment) DO UPDATE SET reason = excluded.reason, stopped_at = excluded.stopped_at
        """,
        with: [
          .texts(stopped.map(\.route.topic.text)), .texts(stopped.map(\.route.environment.rawValue)),
          .texts(stopped.map(\.reason)), .integers(stopped.map(\.stoppedAt.seconds)),
        ]),
    ])
  }

  func stoppedRoutes() throws(PostgresError) -> [StoppedRoute] {
    try server.run(
      """
      SELECT topic, environment, reason, extract(epoch FROM stopped_at) AS stopped_at FROM sealpush.stopped_route
      WHERE stopped_at > (SELECT sealpush.now()) - make_interval(secs => $1::float8) ORDER BY topic, environment
      """, with: .seconds(StoppedRoute.memory)
    ).map(StoppedRouteColumns.self) { $1.stopped(in: $0) }.compactMap(\.self)
  }
}
