internal import PushCore

extension SQLiteSchema {
  /// What operators let workers do.
  ///
  /// `held` is the route for which a job waits. Only such jobs are in its index, so that others cost what they did: a lease leaves the
  /// column alone, because every index with a column that is written costs each job. In `pause`, an empty text stands for all.
  static let steering = """
    ALTER TABLE job ADD COLUMN held TEXT;
    CREATE INDEX job_held ON job (held, level DESC, id) WHERE held IS NOT NULL AND dead_at IS NULL;
    CREATE TABLE pause (
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      since REAL NOT NULL,
      PRIMARY KEY (topic, environment)
    ) WITHOUT ROWID;
    CREATE TABLE rate (
      topic TEXT NOT NULL PRIMARY KEY,
      count INTEGER NOT NULL,
      seconds REAL NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE rate_use (
      topic TEXT NOT NULL,
      slot REAL NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (topic, slot)
    ) WITHOUT ROWID;
    CREATE TABLE stopped_route (
      topic TEXT NOT NULL,
      environment TEXT NOT NULL,
      reason TEXT NOT NULL,
      stopped_at REAL NOT NULL,
      PRIMARY KEY (topic, environment)
    ) WITHOUT ROWID;
    """
}

/// What operators let workers do, in SQLite.
final class SQLiteSteering: SteeringTable {
  private let database: Database
  private let clock: any PushClock

  private let pauses: Query<PauseColumns>
  private let rates: Query<RateColumns>
  private let rate: Query<RateColumns>
  private let putPause: Statement
  private let endPauses: Statement
  private let putRate: Statement
  private let endRate: Statement
  private let used: Statement
  private let use: Statement
  private let sweep: Statement
  private let held: Statement
  private let release: Statement
  private let putStopped: Statement
  private let endStopped: Statement
  private let sweepStopped: Statement
  private let stopped: Query<StoppedRouteColumns>

  /// Prepares the statements.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    pauses = try Query(on: database, "SELECT topic, environment, since FROM pause")
    rates = try Query(on: database, "SELECT topic, count, seconds FROM rate")
    rate = try Query(on: database, "SELECT topic, count, seconds FROM rate WHERE topic = ?1")
    putPause = try Statement(
      on: database,
      "INSERT INTO pause (topic, environment, since) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")
    endPauses = try Statement(
      on: database, "DELETE FROM pause WHERE ?1 IN ('', topic) AND ?2 IN ('', environment)")
    putRate = try Statement(
      on: database, "INSERT OR REPLACE INTO rate (topic, count, seconds) VALUES (?1, ?2, ?3)")
    endRate = try Statement(on: database, "DELETE FROM rate WHERE topic = ?1")
    used = try Statement(
      on: database, "SELECT sum(count) FROM rate_use WHERE topic = ?1 AND slot > ?2 AND slot <= ?3")
    use = try Statement(
      on: database,
      """
      INSERT INTO rate_use (topic, slot, count) VALUES (?1, ?2, ?3)
      ON CONFLICT DO UPDATE SET count = rate_use.count + excluded.count
      """)
    sweep = try Statement(
      on: database, "DELETE FROM rate_use WHERE topic = ?1 AND (slot <= ?2 OR slot > ?3)")
    held = try Statement(
      on: database,
      """
      WITH RECURSIVE route (held) AS (
        SELECT (SELECT held FROM job INDEXED BY job_held WHERE held IS NOT NULL AND dead_at IS NULL
          ORDER BY held LIMIT 1)
        UNION ALL
        SELECT (SELECT job.held FROM job INDEXED BY job_held WHERE job.held > route.held AND dead_at IS NULL
          ORDER BY job.held LIMIT 1) FROM route WHERE route.held IS NOT NULL LIMIT 1000)
      SELECT held FROM route WHERE held IS NOT NULL
      """)
    release = try Statement(
      on: database,
      """
      UPDATE job SET run_at = ?2, held = NULL WHERE id IN (
        SELECT id FROM job INDEXED BY job_held WHERE held = ?1 AND dead_at IS NULL AND NOT leased
        ORDER BY level DESC, id LIMIT ?3)
      """)
    putStopped = try Statement(
      on: database,
      "INSERT OR REPLACE INTO stopped_route (topic, environment, reason, stopped_at) VALUES (?1, ?2, ?3, ?4)")
    endStopped = try Statement(
      on: database, "DELETE FROM stopped_route WHERE topic = ?1 AND environment = ?2")
    sweepStopped = try Statement(on: database, "DELETE FROM stopped_route WHERE stopped_at <= ?1")
    stopped = try Query(
      on: database,
      """
      SELECT topic, environment, reason, stopped_at FROM stopped_route WHERE stopped_at > ?1
      ORDER BY topic, environment
      """)
  }

  /// Seconds since 1970.
  private var now: Double { clock.sinceEpoch.inSeconds }

  func steering() throws(SQLiteError) -> Steering {
    let pauses = try pauses.all { $1.pause(in: $0) }.compactMap(\.self)
    let rates = try rates.all { $1.rate(in: $0) }.compactMap(\.self)
    return Steering(
      pauses: pauses, rates: Dictionary(rates.map { ($0.topic, $0.limit) }) { first, _ in first })
  }

  func pause(_ scope: RouteScope) throws(SQLiteError) -> Bool {
    let (topic, environment) = scope.columns
    return try putPause.run(.text(topic), .text(environment), .real(now)) > 0
  }

  func resume(_ scope: RouteScope) throws(SQLiteError) -> Int {
    let (topic, environment) = scope.columns
    return try endPauses.run(.text(topic), .text(environment))
  }

  func limit(_ topic: Topic, to rate: RateLimit?) throws(SQLiteError) {
    if let rate {
      try putRate.run(.text(topic.text), .integer(Int64(rate.count)), .real(rate.time.inSeconds))
    } else {
      try endRate.run(.text(topic.text))
    }
  }

  func share(of topic: Topic, atMost count: Int, isLook: Bool) throws(SQLiteError) -> RateShare? {
    // The time is read when no other writes: a later share is never written as an earlier one.
    try database.transaction(isLook ? .reading : .writing) { () throws(SQLiteError) -> RateShare? in
      guard let limit = try limit(of: topic) else { return nil }
      let window = RateWindow(of: limit, at: now)
      let used = try used.first(.text(topic.text), .real(window.start), .real(window.end)) {
        $0.integer(in: .only)
      }
      let share = window.share(of: count, used: used ?? 0)
      guard !isLook, share.count > 0 else { return share }
      try sweep.run(.text(topic.text), .real(window.start), .real(window.end))
      try use.run(.text(topic.text), .real(window.slot), .integer(Int64(share.count)))
      return share
    }
  }

  private func limit(of topic: Topic) throws(SQLiteError) -> RateLimit? {
    try rate.all(.text(topic.text)) { $1.rate(in: $0)?.limit }.first ?? nil
  }

  func heldRoutes() throws(SQLiteError) -> [Route] {
    try held.all { $0.text(in: .only).flatMap(Route.init(text:)) }.compactMap(\.self)
  }

  func release(_ route: Route, atMost count: Int) throws(SQLiteError) -> Int {
    try release.run(.text(route.text), .real(now), .integer(Int64(max(count, 0))))
  }

  func note(stopped: [StoppedRoute], going: [Route]) throws(SQLiteError) {
    guard !stopped.isEmpty || !going.isEmpty else { return }
    let end = now - StoppedRoute.memory.inSeconds
    _ = try database.transaction(.writing) { () throws(SQLiteError) in
      try sweepStopped.run(.real(end))
      for route in going { try endStopped.run(.text(route.topic.text), .text(route.environment.rawValue)) }
      for stopped in stopped {
        try putStopped.run(
          .text(stopped.route.topic.text), .text(stopped.route.environment.rawValue), .text(stopped.reason),
          .real(Double(stopped.stoppedAt.seconds)))
      }
    }
  }

  func stoppedRoutes() throws(SQLiteError) -> [StoppedRoute] {
    try stopped.all(.real(now - StoppedRoute.memory.inSeconds)) { $1.stopped(in: $0) }.compactMap(\.self)
  }
}
