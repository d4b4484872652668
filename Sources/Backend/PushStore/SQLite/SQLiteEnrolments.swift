/// The table `enrolment` in SQLite.
struct SQLiteEnrolments {
  private let database: Database

  private let ready: Statement
  private let take: Statement
  private let answer: Statement
  private let valid: Statement
  private let sweep: Statement

  /// Prepares the statements.
  init(on database: Database) throws(SQLiteError) {
    self.database = database
    ready = try Statement(
      on: database,
      """
      SELECT id FROM enrolment INDEXED BY enrolment_ready WHERE answer IS NULL AND run_at <= ?1
      ORDER BY run_at, id LIMIT ?2
      """)
    take = try Statement(
      on: database,
      """
      UPDATE enrolment SET run_at = ?2, attempt = attempt % 1000000000000000000 + 1 WHERE id = ?1
      RETURNING registration, person, body, is_new, challenge, possession, attempt
      """)
    answer = try Statement(
      on: database,
      """
      UPDATE enrolment SET answer = ?3, reason = ?4, request = ?5, answered_at = ?6
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
  }

  func lease(
    atMost count: Int, until leaseEnd: Double, at now: Double
  ) throws(SQLiteError) -> [LeasedEnrolment] {
    // Who polls an empty inbox disturbs nobody.
    guard count > 0, try ready.first(.real(now), .integer(1), read: { _ in true }) != nil else { return [] }
    return try database.transaction(.writing) { () throws(SQLiteError) -> [LeasedEnrolment] in
      var leased: [LeasedEnrolment] = []
      for id in try ready.all(.real(now), .integer(Int64(count)), read: { $0.integer(at: 0) }) {
        leased += try take.all(.integer(id), .real(leaseEnd)) { row in Self.leased(id, from: row) }
      }
      return leased
    } ?? []
  }

  private static func leased(_ id: Int64, from row: borrowing Row) -> LeasedEnrolment {
    var columns = EnrolmentRow(columns: [:])
    for (index, column) in EnrolmentRow.Column.allCases.enumerated() {
      columns.columns[column] = row.bytes(at: CInt(index), atMost: EnrolmentRow.maximumSize)
    }
    return LeasedEnrolment(
      lease: EnrolmentLease(id: id, number: row.integer(at: 6)),
      request: Result { () throws(EnrolmentFault) in try columns.request() })
  }

  func answer(
    _ lease: EnrolmentLease, with answer: EnrolmentAnswer, at now: Double
  ) throws(SQLiteError) -> Bool {
    let (word, reason, request) = answer.columns
    return try self.answer.run(
      .integer(lease.id), .integer(lease.number), .text(word), .optional(reason), .optional(request),
      .real(now)) > 0
  }

  /// Whether nobody has answered the enrolment, removed it, or leased it again.
  func isValid(_ lease: EnrolmentLease) throws(SQLiteError) -> Bool {
    try valid.first(.integer(lease.id), .integer(lease.number)) { _ in true } ?? false
  }

  func removeAnswered(before time: Double, atMost count: Int) throws(SQLiteError) -> Int {
    try sweep.run(.real(time), .integer(Int64(max(count, 0))))
  }
}
