internal import PushCore
internal import PushEnrolment

/// The table `outcome` in SQLite.
final class SQLiteOutcomes: OutcomeTable {
  private let database: Database
  private let promises: Database
  private let clock: any PushClock

  private let valid: Statement
  private let removeNobody: Statement
  private let put: Statement
  private let ofMessage: Query<OutcomeColumns>
  private let sweep: Statement
  private let show: Statement

  /// Prepares the statements, on the connection on which leases end: so an outcome never comes after the end of its lease.
  ///
  /// Receipts have the one that keeps everything, because a phone forgets what was taken.
  init(on database: Database, promises: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.promises = promises
    self.clock = clock
    valid = try Statement(
      on: database, "SELECT 1 FROM job WHERE id = ?1 AND attempt = ?2 AND leased AND dead_at IS NULL")
    removeNobody = try Statement(
      on: database, "DELETE FROM outcome WHERE message_id = ?1 AND identity = ''")
    put = try Statement(
      on: database,
      """
      INSERT INTO outcome (message_id, identity, person, registration, outcome, reason, decided_at, device_message_id)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (message_id, identity) DO UPDATE SET person = excluded.person, registration = excluded.registration,
        outcome = excluded.outcome, reason = excluded.reason, decided_at = excluded.decided_at,
        device_message_id = excluded.device_message_id
      WHERE outcome.outcome <> 'accepted'
      """)
    ofMessage = try Query(
      on: database,
      """
      SELECT person, registration, identity, outcome, reason, decided_at, shown_at FROM outcome
      WHERE message_id = ?1 ORDER BY identity
      """)
    sweep = try Statement(
      on: database,
      """
      DELETE FROM outcome WHERE (message_id, identity) IN (
        SELECT message_id, identity FROM outcome INDEXED BY outcome_decided WHERE decided_at <= ?1
        ORDER BY decided_at LIMIT ?2)
      """)
    show = try Statement(on: promises, Self.showing)
  }

  /// Marks the outcome of a message on a device, which the index finds.
  static let showing: StaticString = """
    UPDATE outcome SET shown_at = ?3 WHERE device_message_id = ?1 AND identity = ?2 AND shown_at IS NULL
    """

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
        .text(outcome.kind.rawValue), .optional(outcome.reason), .real(now),
        .optional(outcomes.deviceMessageID(of: outcome)?.text))
    }
  }

  func take(_ receipt: Receipt) throws(SQLiteError) -> Int {
    let (now, identity) = (now, receipt.identity.thumbprint.text)
    return try promises.transaction(.writing) { () throws(SQLiteError) in
      var count = 0
      for message in receipt.messages {
        count += try show.run(.text(message.text), .text(identity), .real(now))
      }
      return count
    } ?? 0
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
