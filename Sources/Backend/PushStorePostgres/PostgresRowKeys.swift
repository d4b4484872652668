internal import PushStore

/// The mark in `setting`, and the column `mac`, in PostgreSQL.
struct PostgresRowKeys: RowKeyTable {
  let server: Server

  /// Gives the mark's row, if there is one.
  static let value = Command("SELECT value FROM sealpush.setting WHERE name = 'row_key'")

  static func mark(in rows: Rows?) -> RowMark? { rows?.first?.text(in: .only).map { RowMark($0) } }

  func mark() throws(PostgresError) -> RowMark? { Self.mark(in: try server.run(Self.value)) }

  func set(_ mark: RowMark, ifEmpty isEmpty: Bool) throws(PostgresError) {
    let change: StaticString =
      if isEmpty {
        """
        INSERT INTO sealpush.setting (name, value) SELECT 'row_key', $1::text
        WHERE NOT EXISTS (SELECT FROM sealpush.device) ON CONFLICT (name) DO NOTHING
        """
      } else {
        """
        INSERT INTO sealpush.setting (name, value) VALUES ('row_key', $1::text)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
      }
    try server.connected { (connection) throws(PostgresError) in
      _ = try connection.run([
        // Writers that have not seen the mark end before it is set.
        .begin, Command("LOCK TABLE sealpush.device IN SHARE ROW EXCLUSIVE MODE"),
        Command(change, with: [.text(mark.text)]),
      ])
      _ = try connection.run([.commit])
    }
  }

  func rows(after id: Int64, atMost count: Int) throws(PostgresError) -> [RawDevice] {
    try server.run(
      """
      SELECT id, name, person, persons, topic, environment, token, pending_token, identity, serial, keys, has_token, proof,
        lost, pending, mac, refused_at, version, registration,
        (SELECT json_agg(who.person)::text FROM sealpush.device_share AS who WHERE who.device = device.id) AS shares
      FROM sealpush.device WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint
      """, with: .integer(id), .limit(count)
    ).map(RawDeviceColumns.self) { $1.device(in: $0) }
  }

  func write(_ macs: [RowMAC]) throws(PostgresError) -> Int {
    guard !macs.isEmpty else { return 0 }
    return try server.run(
      Command(
        """
        UPDATE sealpush.device SET mac = new.mac, registration = new.registration
        FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
          AS new (id, version, serial, mac, registration)
        WHERE device.id = new.id AND device.version = new.version AND device.serial = new.serial
        """,
        with: [
          .integers(macs.map(\.id)), .integers(macs.map(\.version)), .integers(macs.map(\.serial)),
          .texts(macs.map(\.mac)), .texts(macs.map(\.registration)),
        ])
    ).changes
  }
}
