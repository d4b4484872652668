internal import PushStore

/// Brings a database's tables to the version that this program knows.
struct Migration {
  let server: Server
  let versions: [String]

  /// How long a change may take.
  private static let patience = Duration.seconds(86_400)

  /// Makes or changes the tables if they need it; if several programs do it at once, one makes the change.
  ///
  /// - Throws: `StoreError`.
  func run() throws(StoreError) {
    guard try version() < versions.count else { return }
    let isAnotherSchema = try server.converting { () throws(PostgresError) in
      try server.connected { (connection) throws(PostgresError) in try migrate(on: connection) }
    }
    if isAnotherSchema { throw .notAStore(place: server.place) }
    _ = try version()
  }

  /// Returns whether the schema has another program's tables.
  private func migrate(on connection: Connection) throws(PostgresError) -> Bool {
    // The program that has the lock may need a long time.
    _ = try connection.run([.begin, Command("SET LOCAL lock_timeout = 0")])
    _ = try connection.run(
      "SELECT pg_advisory_xact_lock($1::integer, 1)", with: .integer(PostgresSchema.lock))
    // While this waits for a table, so do all later statements.
    try connection.execute("SET LOCAL lock_timeout = \(Int(Server.lockPatience / .milliseconds(1)))")
    // The program that had the lock may have made the change.
    let state = try State(of: connection)
    guard state.stranger == nil, state.version != nil || !state.hasTables else {
      try connection.execute("ROLLBACK")
      return true
    }
    if !state.hasSchema { try connection.execute("CREATE SCHEMA sealpush") }
    // A change of large tables takes its time, and the server is silent meanwhile.
    try connection.execute("SET LOCAL statement_timeout = 0")
    try connection.waiting(upTo: Self.patience) { () throws(PostgresError) in
      for (number, text) in versions.enumerated().dropFirst(state.version ?? 0) {
        try connection.execute("\(text); UPDATE sealpush.version SET number = \(number + 1)")
      }
    }
    try connection.execute("COMMIT")
    return false
  }

  /// The version of the tables; 0 if there are none.
  private func version() throws(StoreError) -> Int {
    let state = try server.converting { () throws(PostgresError) in
      try server.connected { (connection) throws(PostgresError) in try State(of: connection) }
    }
    guard state.encoding == "UTF8" else {
      throw .cannotOpen(
        place: server.place, reason: "the database has the encoding \(state.encoding), and must have UTF8")
    }
    if let owner = state.stranger {
      throw .cannotOpen(
        place: server.place,
        reason: "the schema sealpush, or something in it, belongs to \(owner), whose functions \(state.role) "
          + "would run: \(state.role) must own them, or be a member of their owner")
    }
    guard state.version ?? 0 <= versions.count else {
      throw .newerVersion(state.version ?? 0, known: versions.count, place: server.place)
    }
    return state.version ?? 0
  }

  /// What tells a store from another schema.
  private struct State {
    let encoding: String
    let role: String
    /// An owner of something in the schema who has nothing to do with this role; nil if there is none.
    let stranger: String?
    let hasSchema: Bool
    let hasTables: Bool
    var version: Int?

    init(of connection: Connection) throws(PostgresError) {
      let rows = try connection.run(
        """
        WITH RECURSIVE own(role) AS (
          SELECT oid FROM pg_roles WHERE rolname = current_user
          UNION SELECT roleid FROM pg_auth_members JOIN own ON member = own.role),
        owners(role) AS (
          SELECT nspowner FROM pg_namespace WHERE nspname = 'sealpush'
          UNION SELECT relowner FROM pg_class WHERE relnamespace = to_regnamespace('sealpush')
          UNION SELECT proowner FROM pg_proc WHERE pronamespace = to_regnamespace('sealpush'))
        SELECT current_setting('server_encoding') AS encoding, current_user::text AS role,
          (SELECT rolname::text FROM owners JOIN pg_roles ON oid = owners.role
            WHERE NOT rolsuper AND oid NOT IN (SELECT role FROM own) AND NOT pg_has_role(oid, current_user, 'MEMBER')
            LIMIT 1) AS stranger,
          to_regnamespace('sealpush') IS NOT NULL AS has_schema,
          EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('sealpush')) AS has_tables,
          to_regclass('sealpush.version') IS NOT NULL AS has_version
        """)
      let row = rows.first
      encoding = row?.text(in: rows.column("encoding")) ?? ""
      role = row?.text(in: rows.column("role")) ?? ""
      stranger = row?.text(in: rows.column("stranger"))
      hasSchema = row?.boolean(in: rows.column("has_schema")) ?? false
      hasTables = row?.boolean(in: rows.column("has_tables")) ?? false
      // Its owner could have made the version a view, which calls functions as this role.
      if stranger == nil, row?.boolean(in: rows.column("has_version")) == true {
        version = try connection.run("SELECT number FROM sealpush.version").first.map {
          Int($0.integer(in: .only))
        }
      }
    }
  }
}
