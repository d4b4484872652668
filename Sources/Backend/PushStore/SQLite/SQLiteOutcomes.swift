internal import PushCore

/// The table `outcome` in SQLite.
final class SQLiteOutcomes: OutcomeTable {
  private let database: Database
  private let clock: any PushClock

  private let valid: Statement
  private let removeNobody: Statement
  private let put: Statement
  private let ofMessage: Query<OutcomeColumns>
  private let sweep: Statement

  /// Prepares the statements, on the connection on which leases end: so an outcome never comes after the end of its lease.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    valid = try Statement(
      on: database, "SELECT 1 FROM job WHERE id = ?1 AND attempt = ?2 AND leased AND dead_at IS NULL")
    removeNobody = try Statement(
      on: database, "DELETE FROM outcome WHERE message_id = ?1 AND identity = ''")
    put = try Statement(
      on: database,
      """
      INSERT INTO outcome (message_id, identity, person, registration, outcome, reason, decided_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (message_id, identity) DO UPDATE SET person = excluded.person, registration = excluded.registration,
        outcome = excluded.outcome, reason = excluded.reason, decided_at = excluded.decided_at
      WHERE outcome.outcome <> 'accepted'
      """)
    ofMessage = try Query(
      on: database,
      """
      SELECT person, registration, identity, outcome, reason, decided_at FROM outcome WHERE message_id = ?1
      ORDER BY identity
      """)
    sweep = try Statement(
      on: database,
      """
      DELETE FROM outcome WHERE (message_id, identity) IN (
        SELECT message_id, identity FROM outcome INDEXED BY outcome_decided WHERE decided_at <= ?1
        ORDER BY decided_at LIMIT ?2)
      """)
  }

  /// Seconds since 1970.
  private var now: Double { clock.sinceEpoch.inSeconds }

  func record(_ outcomes: [JobOutcomes]) throws(SQLiteError) {
    let now = now
    _ = try database.transaction(.writing) { () throws(SQLiteError) in
      for outcomes in outcomes where try isValid(outcomes.lease) { try record(outcomes, at: now) }
    }
  }

  private func record(_ outcomes: JobOutcomes, at now: Double) throws(SQLiteError) {
    let message = Statement.Value.text(outcomes.messageID.text)
    // Devices were found since.
    try removeNobody.run(message)
    for outcome in outcomes.outcomes {
      try put.run(
        message, .text(outcome.identityText), .text(outcomes.person), .optional(outcome.registration),
        .text(outcome.kind.rawValue), .optional(outcome.reason), .real(now))
    }
  }

  private func isValid(_ lease: Lease) throws(SQLiteError) -> Bool {
    try valid.first(.integer(lease.job.number), .integer(lease.number)) { _ in true } ?? false
  }

  func outcomes(of message: MessageID) throws(SQLiteError) -> [RecordedOutcome] {
    try ofMessage.all(.text(message.text)) { $1.outcome(in: $0) }.compactMap(\.self)
  }

  func remove(olderThan age: Duration, atMost count: Int) throws(SQLiteError) -> Int {
    try sweep.run(.real(now - age.inSeconds), .integer(Int64(max(count, 0))))
  }
}
