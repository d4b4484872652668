internal import PushCore
internal import PushKeys

/// The table `alternation` in SQLite.
final class SQLiteAlternations {
  private let find: Query<TokenAlternation.Columns>
  private let put: Statement
  private let suspend: Statement
  private let forget: Statement
  private let sweep: Statement

  /// Prepares the statements.
  init(on database: Database) throws(SQLiteError) {
    find = try Query(
      on: database,
      """
      SELECT former, suspended_at, coalesce(before_at > ?2, 0) AS to_and_fro FROM alternation WHERE identity = ?1
      """)
    put = try Statement(
      on: database,
      """
      INSERT INTO alternation (identity, former, last_at) VALUES (?1, ?2, ?4)
      ON CONFLICT DO UPDATE SET before_at = iif(former = ?3, last_at, NULL), former = ?2, last_at = ?4
      """)
    suspend = try Statement(on: database, "UPDATE alternation SET suspended_at = ?2 WHERE identity = ?1")
    forget = try Statement(
      on: database,
      "DELETE FROM alternation WHERE identity IN (SELECT identity FROM device_of WHERE person = ?1 AND alone)"
    )
    sweep = try Statement(
      on: database,
      """
      DELETE FROM alternation WHERE identity IN (
        SELECT identity FROM alternation WHERE last_at <= ?1 AND (suspended_at IS NULL OR suspended_at <= ?1
          AND NOT EXISTS (SELECT 1 FROM device WHERE device.identity = alternation.identity)) LIMIT ?2)
      """)
  }

  func alternation(of identity: String, at now: Double) throws(SQLiteError) -> TokenAlternation? {
    try find.all(.text(identity), .real(now - TokenAlternation.window.inSeconds)) { $1.alternation(in: $0) }
      .first
  }

  func note(_ change: TokenSwitch, at now: Double) throws(SQLiteError) {
    try put.run(.text(change.identity), .text(change.old), .text(change.new), .real(now))
  }

  /// Whether there was a row to suspend.
  func suspend(_ identity: String, at now: Double) throws(SQLiteError) -> Bool {
    try suspend.run(.text(identity), .real(now)) > 0
  }

  /// Forgets the identities of a person's devices.
  func forget(person: String) throws(SQLiteError) { try forget.run(.text(person)) }

  func remove(atMost count: Int, at now: Double) throws(SQLiteError) -> Int {
    try sweep.run(.real(now - TokenAlternation.keptTime.inSeconds), .integer(Int64(max(count, 0))))
  }
}
