internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// How devices leave a store in SQLite: by a row of `removal`, which applications insert as well, or by a leave that they
/// have signed.
final class SQLiteRemoval {
  private let database: Database
  private let selected: Statement
  private let identities: Statement
  private let insert: Statement
  private let depart: Statement
  private let leaving: Statement
  private let keep: Statement
  private let rest: Query<LeaveOutcome.Rest.Columns>
  private let clock: any PushClock

  /// Prepares the statements.
  init(on database: Database, clock: any PushClock) throws(SQLiteError) {
    self.database = database
    self.clock = clock
    identities = try Statement(
      on: database,
      """
      SELECT identity FROM device WHERE ?4 IS NULL AND (name = ?1 OR identity = ?2 OR token = ?3)
      UNION SELECT identity FROM device_of
      WHERE person = ?4 AND alone AND (coalesce(?1, ?2, ?3) IS NULL OR name = ?1 OR identity = ?2 OR token = ?3)
      """)
    // The trigger takes the machine's time.
    depart = try Statement(
      on: database, "UPDATE departed SET left_at = ?1 WHERE identity IN (SELECT value FROM json_each(?2))")
    selected = try Statement(
      on: database,
      """
      SELECT name FROM device WHERE ?4 IS NULL AND (name = ?1 OR identity = ?2 OR token = ?3)
      UNION SELECT name FROM device_of
      WHERE person = ?4 AND (coalesce(?1, ?2, ?3) IS NULL OR name = ?1 OR identity = ?2 OR token = ?3)
      ORDER BY name
      """)
    insert = try Statement(
      on: database, "INSERT INTO removal (registration, identity, token, person) VALUES (?1, ?2, ?3, ?4)")
    leaving = try Statement(
      on: database, "DELETE FROM device WHERE identity = ?1 AND topic = ?2 AND serial < ?3 RETURNING name")
    keep = try Statement(
      on: database,
      """
      INSERT INTO departed (identity, serial, left_at) VALUES (?1, ?2, ?3)
      ON CONFLICT (identity) DO UPDATE SET serial = max(serial, excluded.serial), left_at = excluded.left_at
      """)
    rest = try Query(on: database, "SELECT topic, serial FROM device WHERE identity = ?1")
  }

  /// Removes devices, and returns their registrations' names.
  func remove(_ devices: DeviceSelector) throws(SQLiteError) -> [String] {
    let values = devices.columns.map { Statement.Value.optional($0) }
    return try database.transaction(.writing) { () throws(SQLiteError) -> [String] in
      let names = try selected.all(values) { $0.text(in: .only) ?? "" }
      let left = try identities.all(values) { JSONValue.string($0.text(in: .only) ?? "") }
      _ = try insert.run(values)
      _ = try depart.run(.real(clock.sinceEpoch.inSeconds), .list(left))
      return names
    } ?? []
  }

  /// Removes what has a leave's identity and a lower serial, and keeps the leave's serial.
  func remove(_ leave: Leave) throws(SQLiteError) -> LeaveOutcome {
    let (identity, serial) = (leave.identity.thumbprint.text, leave.serial)
    return try database.transaction(.writing) { () throws(SQLiteError) -> LeaveOutcome in
      let names = try leaving.all([.text(identity), .text(leave.topic.text), .integer(serial)]) { row in
        row.text(in: .only) ?? ""
      }
      if !names.isEmpty {
        try keep.run(.text(identity), .integer(serial), .real(clock.sinceEpoch.inSeconds))
      }
      return LeaveOutcome(
        names: names.sorted(), rest: try rest.all(.text(identity)) { $1.rest(in: $0) })
    } ?? LeaveOutcome(names: [], rest: [])
  }
}
