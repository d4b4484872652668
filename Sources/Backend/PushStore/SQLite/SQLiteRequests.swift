internal import PushCore
internal import PushKeys

/// The tables `request`, `asked` and `claim` in SQLite.
final class SQLiteRequests: RequestTable {
  private let database: Database
  private let clock: any PushClock
  /// What answers say of identities that two phones have.
  let alternations: SQLiteAlternations

  private let isDue: Statement
  private let due: Query<RequestColumns>
  private let put: Statement
  private let postpone: Statement
  private let remove: Statement
  private let finish: Statement
  private let giveBack: Statement
  private let removeAddressed: Statement
  private let askHolder: Statement
  private let askOthers: Statement
  private let claim: Statement
  private let forgetAsked: Statement
  private let unclaim: Statement
  private let answered: Statement
  private let settled: Statement
  private let died: Statement
  private let gone: Statement
  private let sweepClaims: Statement
  private let sweepTokens: Statement

  /// Prepares the statements.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    alternations = try SQLiteAlternations(on: database)
    isDue = try Statement(
      on: database,
      "SELECT 1 FROM request WHERE run_at <= ?1 UNION ALL SELECT 1 FROM request WHERE set_at > ?1 LIMIT 1")
    // A row that was written later than now was written before the clock went back.
    due = try Query(
      on: database,
      """
      SELECT due.registration, due.claimant, due.topic, due.environment, due.token, others_at, holder_at, holder_count, dead,
        answers,
        asked.holder IS due.registration OR EXISTS (
          SELECT 1 FROM device WHERE name = due.registration AND has_token AND device.token = due.token
            AND device.topic = due.topic AND device.environment = due.environment) AS is_holder,
        (SELECT count(*) FROM claim WHERE claimant = due.claimant AND asked_at > ?1 - ?3 AND asked_at <= ?1) AS claims,
        (SELECT min(asked_at) FROM claim
          WHERE claimant = due.claimant AND asked_at > ?1 - ?3 AND asked_at <= ?1) AS first_claim,
        (SELECT max(asked_at) FROM claim WHERE claimant = due.claimant AND asked_at > ?1 - ?3 AND asked_at <= ?1
          AND claim.token = due.token) AS last_claim,
        EXISTS (
          SELECT 1 FROM device WHERE device.token = due.token AND has_token AND name <> due.registration) AS is_foreign,
        (SELECT group_concat(DISTINCT claim.token) FROM claim
          WHERE claimant = due.claimant AND asked_at > ?1 - ?3 AND asked_at <= ?1 AND since > ?1 - ?3
            AND EXISTS (SELECT 1 FROM device WHERE name = claim.registration AND pending
              AND coalesce(pending_token, device.token) = claim.token)
            AND EXISTS (SELECT 1 FROM device WHERE device.token = claim.token AND has_token
              AND name <> claim.registration)) AS open_claims
      FROM (
        SELECT * FROM (SELECT * FROM request WHERE run_at <= ?1 ORDER BY run_at, mark LIMIT ?2)
        UNION ALL SELECT * FROM (SELECT * FROM request WHERE set_at > ?1 AND run_at > ?1 LIMIT ?2)
        LIMIT ?2) AS due
      LEFT JOIN asked ON asked.token = due.token AND asked.topic = due.topic AND asked.environment = due.environment
      """)
    put = try Statement(
      on: database,
      """
      INSERT INTO request (registration, claimant, topic, environment, token, mark, run_at, set_at)
      VALUES (?1, ?2, ?4, ?5, ?3, ?6, ?7, ?7)
      ON CONFLICT (registration) DO UPDATE SET claimant = excluded.claimant, topic = excluded.topic,
        environment = excluded.environment, token = excluded.token, mark = excluded.mark,
        run_at = iif(?8 OR token <> excluded.token OR environment <> excluded.environment, excluded.run_at, run_at),
        set_at = iif(?8 OR token <> excluded.token OR environment <> excluded.environment, excluded.set_at, set_at)
      """)
    postpone = try Statement(
      on: database, "UPDATE request SET mark = ?2, run_at = ?3, set_at = ?4 WHERE registration = ?1")
    remove = try Statement(on: database, "DELETE FROM request WHERE registration = ?1")
    finish = try Statement(on: database, "DELETE FROM request WHERE registration = ?1 AND mark = ?2")
    giveBack = try Statement(
      on: database,
      "UPDATE request SET mark = ?3, run_at = ?4, set_at = ?5 WHERE registration = ?1 AND mark = ?2")
    removeAddressed = try Statement(
      on: database, "DELETE FROM request WHERE token = ?1 AND topic = ?2 AND environment = ?3")
    askHolder = try Statement(
      on: database,
      """
      INSERT INTO asked (token, topic, environment, holder_at, holder_mark, holder_count, touched_at)
      VALUES (?1, ?2, ?3, ?4, ?5, 1, ?4)
      ON CONFLICT DO UPDATE SET holder_at = ?4, holder_mark = ?5, holder_count = min(holder_count, 1000) + 1,
        touched_at = ?4
      """)
    askOthers = try Statement(
      on: database,
      """
      INSERT INTO asked (token, topic, environment, others_at, others_mark, touched_at) VALUES (?1, ?2, ?3, ?4, ?5, ?4)
      ON CONFLICT DO UPDATE SET others_at = ?4, others_mark = ?5, touched_at = ?4
      """)
    // A claim is as old as the first request of a row in which no day has passed between two.
    claim = try Statement(
      on: database,
      """
      INSERT OR REPLACE INTO claim (claimant, mark, token, asked_at, registration, since)
      VALUES (?1, ?2, ?3, ?4, ?5, coalesce((
        SELECT min(since) FROM claim WHERE claimant = ?1 AND token = ?3 AND asked_at > ?4 - ?6 AND asked_at <= ?4), ?4))
      """)
    forgetAsked = try Statement(
      on: database,
      """
      UPDATE asked SET others_at = iif(others_mark = ?4, NULL, others_at),
        holder_at = iif(holder_mark = ?4, NULL, holder_at),
        holder_count = iif(holder_mark = ?4, max(holder_count - 1, 0), holder_count)
      WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND ?4 IN (others_mark, holder_mark)
      """)
    unclaim = try Statement(on: database, "DELETE FROM claim WHERE mark = ?1")
    answered = try Statement(
      on: database,
      """
      UPDATE asked SET holder = NULL, holder_at = NULL, holder_count = 0, others_at = NULL, dead = 0,
        answers = answers + 1
      WHERE token = ?1 AND topic = ?2 AND environment = ?3
      """)
    settled = try Statement(on: database, "DELETE FROM claim WHERE claimant = ?1 AND token = ?2")
    died = try Statement(
      on: database,
      """
      INSERT INTO asked (token, topic, environment, holder, dead, touched_at) VALUES (?1, ?2, ?3, ?4, 1, ?5)
      ON CONFLICT DO UPDATE SET holder = ?4, dead = 1, touched_at = ?5
      """)
    gone = try Statement(
      on: database,
      "UPDATE asked SET dead = 1 WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND answers = ?4")
    sweepClaims = try Statement(
      on: database,
      "DELETE FROM claim WHERE mark IN (SELECT mark FROM claim WHERE asked_at <= ?1 ORDER BY asked_at LIMIT ?2)"
    )
    sweepTokens = try Statement(
      on: database,
      """
      DELETE FROM asked WHERE rowid IN (
        SELECT rowid FROM asked WHERE touched_at <= ?1 ORDER BY touched_at LIMIT ?2)
      """)
  }

  private var now: Double { clock.sinceEpoch.inSeconds }

  // MARK: Changes of registrations

  /// Writes what a change of a registration means, in its transaction.
  func apply(_ change: RequestChange, at now: Double) throws(SQLiteError) {
    switch change.row {
    case .keep: break
    case .remove: try remove.run(.text(change.registration))
    case .due(let due):
      try put.run(
        [.text(change.registration), .text(change.claimant)] + due.address.values
          + [.integer(.random(in: 1 ... .max)), .real(now), .integer(due.isFresh ? 1 : 0)])
    }
    if let address = change.died {
      try removeAddressed.run(address.values)
      try died.run(address.values + [.text(change.registration), .real(now)])
    }
    if let address = change.answered {
      try answered.run(address.values)
      try settled.run(.text(change.claimant), .text(address.token.text))
    }
    if let change = change.tokenSwitch { try alternations.note(change, at: now) }
  }

  // MARK: Leases

  func lease(atMost count: Int, for time: Duration) throws(SQLiteError) -> LeasedRequests {
    let now = now
    let nothing = LeasedRequests(leases: [], isComplete: true)
    // Polling an empty outbox takes no write lock.
    guard count > 0, try isDue.first(.real(now), read: { _ in true }) != nil else { return nothing }
    return try database.transaction(.writing) { () throws(SQLiteError) -> LeasedRequests in
      let rows = try due.all(.real(now), .integer(Int64(count)), .real(RequestPlan.personTime)) {
        $1.candidate(in: $0)
      }
      for row in rows where row.candidate == nil { try remove.run(.text(row.registration)) }
      let plan = RequestPlan(rows.compactMap(\.candidate), at: now)
      for turn in plan.turns {
        let lease = turn.lease
        try postpone.run(
          .text(lease.registration), .integer(lease.mark), .real(now + time.inSeconds), .real(now))
        let values: [Statement.Value] = lease.address.values + [.real(now), .integer(lease.mark)]
        try (lease.isHolder ? askHolder : askOthers).run(values)
        guard !lease.isHolder else { continue }
        try claim.run(
          .text(turn.claimant), .integer(lease.mark), .text(lease.address.token.text), .real(now),
          .text(lease.registration), .real(RequestPlan.personTime))
      }
      for delay in plan.delays {
        try postpone.run(.text(delay.registration), .integer(delay.mark), .real(delay.end), .real(now))
      }
      return LeasedRequests(leases: plan.turns.map(\.lease), isComplete: rows.count < count)
    } ?? nothing
  }

  func finish(_ lease: RequestLease, as ending: RequestEnding) throws(SQLiteError) -> Bool {
    try database.transaction(.writing) { () throws(SQLiteError) -> Bool in
      let isValid = try finish.run(.text(lease.registration), .integer(lease.mark)) > 0
      if case .gone = ending, try gone.run(lease.address.values + [.integer(lease.answers)]) > 0 {
        try removeAddressed.run(lease.address.values)
      }
      return isValid
    } ?? false
  }

  func giveBack(_ lease: RequestLease, after delay: Duration) throws(SQLiteError) -> Bool {
    let now = now
    return try database.transaction(.writing) { () throws(SQLiteError) -> Bool in
      try forgetAsked.run(lease.address.values + [.integer(lease.mark)])
      try unclaim.run(.integer(lease.mark))
      return try giveBack.run(
        .text(lease.registration), .integer(lease.mark), .integer(.random(in: 1 ... .max)),
        .real(now + delay.inSeconds), .real(now)) > 0
    } ?? false
  }

  func removeAsked(atMost count: Int) throws(SQLiteError) -> Int {
    let limit = Statement.Value.integer(Int64(max(count, 0)))
    let claims = try sweepClaims.run(.real(now - RequestPlan.personTime), limit)
    guard claims < count else { return claims }
    let tokens = try sweepTokens.run(
      .real(now - RequestPlan.tokenTime), .integer(Int64(max(count - claims, 0))))
    return try claims + tokens + alternations.remove(atMost: count - claims - tokens, at: now)
  }
}
