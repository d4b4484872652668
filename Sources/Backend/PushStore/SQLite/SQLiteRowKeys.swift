/// The mark in `setting`, and the column `mac`, in SQLite.
final class SQLiteRowKeys: RowKeyTable {
  private let database: Database
  private let value: Statement
  private let set: Statement
  private let any: Statement
  private let page: Query<RawDeviceColumns>
  private let seal: Statement

  /// Prepares the statements.
  init(on database: Database) throws(SQLiteError) {
    self.database = database
    value = try Statement(on: database, "SELECT value FROM setting WHERE name = 'row_key'")
    set = try Statement(on: database, "INSERT OR REPLACE INTO setting (name, value) VALUES ('row_key', ?1)")
    any = try Statement(on: database, "SELECT 1 FROM device LIMIT 1")
    page = try Query(
      on: database,
      """
      SELECT id, name, person, persons, topic, environment, token, pending_token, identity, serial, keys, has_token, proof,
        lost, pending, mac, refused_at, version, registration,
        (SELECT json_group_array(who.person) FROM device_share AS who WHERE who.device = device.id) AS shares
      FROM device WHERE id > ?1 ORDER BY id LIMIT ?2
      """)
    seal = try Statement(
      on: database,
      "UPDATE device SET mac = ?4, registration = ?5 WHERE id = ?1 AND version = ?2 AND serial = ?3")
  }

  func mark() throws(SQLiteError) -> RowMark? {
    try value.first { $0.text(in: .only) ?? "" }.map { RowMark($0) }
  }

  func set(_ mark: RowMark, ifEmpty isEmpty: Bool) throws(SQLiteError) {
    _ = try database.transaction(.writing) { () throws(SQLiteError) -> Bool? in
      if isEmpty {
        guard try self.mark() == nil, try any.first(read: { _ in true }) == nil else { return nil }
      }
      try set.run(.text(mark.text))
      return true
    }
  }

  func rows(after id: Int64, atMost count: Int) throws(SQLiteError) -> [RawDevice] {
    try page.all(.integer(id), .integer(Int64(max(count, 0)))) { $1.device(in: $0) }
  }

  func write(_ macs: [RowMAC]) throws(SQLiteError) -> Int {
    guard !macs.isEmpty else { return 0 }
    return try database.transaction(.writing) { () throws(SQLiteError) -> Int in
      var count = 0
      for row in macs {
        count += try seal.run(
          .integer(row.id), .integer(row.version), .integer(row.serial), .text(row.mac),
          .text(row.registration))
      }
      return count
    } ?? 0
  }
}
