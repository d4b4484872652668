internal import PushCore

/// The table `enrolment` in SQLite.
final class SQLiteEnrolments: EnrolmentTable {
  private let database: Database
  private let clock: any PushClock

  private let insert: Statement
  private let read: Query<AnswerColumns>
  private let ready: Statement
  private let take: Query<EnrolmentColumns>
  private let answer: Statement
  private let valid: Statement
  private let sweep: Statement
  private let count: Query<WaitingColumns>

  /// Prepares the statements.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    insert = try Statement(
      on: database,
      """
      INSERT INTO enrolment (registration, person, body, is_new, challenge, mode, possession, created_at)
      VALUES (?1, ?2, ?3, CAST(?4 AS INTEGER), ?5, coalesce(?6, 'replace'), ?7, ?8) RETURNING id
      """)
    read = try Query(
      on: database,
      """
      SELECT id, person, answer, reason, request, account FROM enrolment WHERE id IN (SELECT value FROM json_each(?1))
      """)
    ready = try Statement(
      on: database,
      """
      SELECT id FROM enrolment INDEXED BY enrolment_ready WHERE answer IS NULL AND run_at <= ?1
      ORDER BY run_at, id LIMIT ?2
      """)
    take = try Query(
      on: database,
      """
      UPDATE enrolment SET run_at = ?2, attempt = attempt % 1000000000000000000 + 1 WHERE id = ?1
      RETURNING id, registration, person, body, is_new, challenge, mode, possession, created_at, attempt
      """)
    answer = try Statement(
      on: database,
      """
      UPDATE enrolment SET answer = ?3, reason = ?4, request = ?5, answered_at = ?6, account = ?7
      WHERE id = ?1 AND attempt = ?2 AND answer IS NULL
      """)
    valid = try Statement(
      on: database, "SELECT 1 FROM enrolment WHERE id = ?1 AND attempt = ?2 AND answer IS NULL")
    sweep = try Statement(
      on: database,
      """
      DELETE FROM enrolment WHERE id IN (
        SELECT id FROM enrolment INDEXED BY enrolment_answered WHERE answer IS NOT NULL AND answered_at <= ?1
        ORDER BY answered_at LIMIT ?2)
      """)
    count = try Query(
      on: database,
      """
      SELECT count(*) AS count,
        ?1 - min(created_at) FILTER (WHERE typeof(created_at) = 'real' AND created_at BETWEEN 0 AND ?1) AS oldest
      FROM enrolment INDEXED BY enrolment_ready WHERE answer IS NULL
      """)
  }

  /// Seconds since 1970.
  private var now: Double { clock.sinceEpoch.inSeconds }

  func handIn(_ row: EnrolmentRow) throws(SQLiteError) -> Int64 {
    let values = EnrolmentRow.Column.allCases.map { Statement.Value.optional(row[text: $0]) }
    return try insert.all(values + [.real(now)]) { $0.integer(in: .only) }.first ?? 0
  }

  func handedIn(_ numbers: [Int64]) throws(SQLiteError) -> [HandedInEnrolment] {
    try read.all(.list(numbers.map { .number(JSONNumber($0)) })) { $1.enrolment(in: $0) }
  }

  func hasReady() throws(SQLiteError) -> Bool {
    try ready.first(.real(now), .integer(1)) { _ in true } ?? false
  }

  func lease(atMost count: Int, for time: Duration) throws(SQLiteError) -> [LeasedEnrolment] {
    let now = now
    let end = now + time.inSeconds
    // Polling an empty inbox takes no write lock.
    guard count > 0, try hasReady() else { return [] }
    return try database.transaction(.writing) { () throws(SQLiteError) -> [LeasedEnrolment] in
      var leased: [LeasedEnrolment] = []
      for id in try ready.all(.real(now), .integer(Int64(count)), read: { $0.integer(in: .only) }) {
        leased += try take.all(.integer(id), .real(end)) { $1.enrolment(in: $0) }
      }
      return leased
    } ?? []
  }

  func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, account: AccountTag?
  ) throws(SQLiteError) -> Bool {
    let (word, reason, request) = answer.columns
    return try self.answer.run(
      .integer(lease.id), .integer(lease.number), .text(word), .optional(reason), .optional(request),
      .real(now), .optional(account?.text)) > 0
  }

  /// Whether nobody has answered the enrolment, removed it, or leased it again.
  func isValid(_ lease: EnrolmentLease) throws(SQLiteError) -> Bool {
    try valid.first(.integer(lease.id), .integer(lease.number)) { _ in true } ?? false
  }

  func waiting() throws(SQLiteError) -> WaitingEnrolments {
    guard let waiting = try count.all(.real(now), read: { $1.waiting(in: $0) }).first else {
      preconditionFailure("counting has a row")
    }
    return waiting
  }

  func removeAnswered(olderThan age: Duration, atMost count: Int) throws(SQLiteError) -> Int {
    try sweep.run(.real(now - age.inSeconds), .integer(Int64(max(count, 0))))
  }
}
