internal import PushCore

/// The table `refusal` in SQLite.
final class SQLiteRefusals: RefusalTable {
  private let database: Database
  private let clock: any PushClock

  private let find: Query<RefusalColumns>
  private let put: Statement
  private let quarantine: Statement
  private let forget: Statement
  private let isAnyOver: Statement
  private let sweep: Statement
  private let list: Query<AddressColumns>

  /// Prepares the statements.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    find = try Query(
      on: database,
      "SELECT first_at, last_at, count FROM refusal WHERE token = ?1 AND topic = ?2 AND environment = ?3")
    put = try Statement(
      on: database,
      """
      INSERT INTO refusal (token, topic, environment, first_at, last_at, count) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT DO UPDATE SET first_at = ?4, last_at = ?5, count = ?6
      """)
    quarantine = try Statement(
      on: database,
      """
      UPDATE device SET refused_at = ?4 WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND refused_at IS NULL
      """)
    forget = try Statement(
      on: database, "DELETE FROM refusal WHERE token = ?1 AND topic = ?2 AND environment = ?3")
    isAnyOver = try Statement(on: database, "SELECT 1 FROM refusal WHERE last_at <= ?1 LIMIT 1")
    sweep = try Statement(on: database, "DELETE FROM refusal WHERE last_at <= ?1")
    list = try Query(
      on: database, "SELECT token, topic, environment FROM refusal ORDER BY last_at DESC LIMIT ?1")
  }

  func count(_ address: DeviceAddress, acceptedAgo age: Duration?) throws(SQLiteError) -> Int {
    let now = clock.sinceEpoch.inSeconds
    return try database.transaction(.writing) { () throws(SQLiteError) -> Int in
      let old = try find.all(address.values) { $1.refusals(in: $0) }.first
      let new = AddressRefusals(after: old, at: now)
      try put.run(address.values + [.real(new.first), .real(new.last), .integer(new.count)])
      guard new.isSettled(at: now, acceptedAgo: age) else { return 0 }
      return try quarantine.run(address.values + [.real(now)])
    } ?? 0
  }

  func addresses(atMost count: Int) throws(SQLiteError) -> [DeviceAddress] {
    let end = Statement.Value.real(clock.sinceEpoch.inSeconds - AddressRefusals.memory)
    // Looking at a table from which nothing goes takes no write lock.
    if try isAnyOver.first(end, read: { _ in true }) != nil { try sweep.run(end) }
    return try list.all(.integer(Int64(max(count, 0)))) { $1.address(in: $0) }.compactMap(\.self)
  }

  func forget(_ address: DeviceAddress) throws(SQLiteError) { try forget.run(address.values) }
}
