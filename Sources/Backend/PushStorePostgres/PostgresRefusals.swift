internal import PushCore
internal import PushStore

/// The table `refusal` in PostgreSQL.
struct PostgresRefusals: RefusalTable {
  let server: Server

  func count(_ address: DeviceAddress, acceptedAgo age: Duration?) throws(PostgresError) -> Int {
    try server.connected { (connection) throws(PostgresError) in
      do throws(PostgresError) {
        return try count(address, acceptedAgo: age, on: connection)
      } catch {
        if !error.isLost { _ = try connection.run([.rollback]) }
        throw error
      }
    }
  }

  private func count(
    _ address: DeviceAddress, acceptedAgo age: Duration?, on connection: Connection
  ) throws(PostgresError) -> Int {
    let found = try connection.run([
      .begin,
      Command("SELECT extract(epoch FROM sealpush.now())"),
      Command(
        """
        SELECT extract(epoch FROM first_at) AS first_at, extract(epoch FROM last_at) AS last_at, count
        FROM sealpush.refusal WHERE token = $1::text AND topic = $2::text AND environment = $3::text FOR UPDATE
        """, with: address.values),
    ])
    let now = found[1].first?.real(in: .only) ?? 0
    let old = found[2].map(RefusalColumns.self) { $1.refusals(in: $0) }.first
    let new = AddressRefusals(after: old, at: now)
    let put = Command(
      """
      INSERT INTO sealpush.refusal (token, topic, environment, first_at, last_at, count)
      VALUES ($1::text, $2::text, $3::text, to_timestamp($4::float8), to_timestamp($5::float8), $6::bigint)
      ON CONFLICT (token, topic, environment) DO UPDATE
        SET first_at = excluded.first_at, last_at = excluded.last_at, count = excluded.count
      """,
      with: address.values + [
        .seconds(since1970: new.first), .seconds(since1970: new.last), .integer(new.count),
      ])
    let settle = Command(
      """
      UPDATE sealpush.device SET refused_at = sealpush.now()
      WHERE token = $1::text AND topic = $2::text AND environment = $3::text AND refused_at IS NULL AND $4::boolean
      """, with: address.values + [.boolean(new.isSettled(at: now, acceptedAgo: age))])
    return try connection.run([put, settle, .commit])[1].changes
  }

  func addresses(atMost count: Int) throws(PostgresError) -> [DeviceAddress] {
    try server.run([
      Command(
        """
        DELETE FROM sealpush.refusal WHERE last_at <= (SELECT sealpush.now()) - make_interval(secs => $1::float8)
        """, with: [.seconds(.seconds(AddressRefusals.memory))]),
      Command(
        "SELECT token, topic, environment FROM sealpush.refusal ORDER BY last_at DESC LIMIT $1::bigint",
        with: [.limit(count)]),
    ])[1].map(AddressColumns.self) { $1.address(in: $0) }.compactMap(\.self)
  }

  func forget(_ address: DeviceAddress) throws(PostgresError) {
    _ = try server.run(
      Command(
        "DELETE FROM sealpush.refusal WHERE token = $1::text AND topic = $2::text AND environment = $3::text",
        with: address.values))
  }
}
