internal import PushStore

/// The connection to a server: made when it is needed, and anew when it is lost.
final class Server {
  private let string: ConnectionString
  private let patience: Duration
  private var connection: Connection?

  /// How long a statement waits for a row or a table that another transaction holds.
  static let lockPatience = Duration.seconds(5)

  /// How long a statement waits that a crash may undo: each of the many endings of jobs can be written later.
  private static let forgetfulLockPatience = Duration.milliseconds(100)

  /// The server and the database, for errors.
  private(set) var place = "the server"

  init(connectionString string: ConnectionString, patience: Duration) {
    self.string = string
    // At least what a connection takes, and at most what libpq and the server can count.
    self.patience = min(max(patience, .seconds(1)), .seconds(1_000_000))
  }

  /// Runs `body` with a connection; if that is lost meanwhile, the next call makes another.
  ///
  /// - Throws: ``PostgresError``.
  func connected<Value>(
    _ body: (Connection) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    let connection = try current()
    do throws(PostgresError) {
      return try body(connection)
    } catch {
      // Without a connection the server takes back what is not committed.
      if error.isLost || !connection.isIdle { self.connection = nil }
      throw error
    }
  }

  /// Runs statements in one transaction and one round trip, and returns the rows of each.
  ///
  /// - Throws: ``PostgresError``.
  func run(_ commands: [Command]) throws(PostgresError) -> [Rows] {
    try connected { (connection) throws(PostgresError) in try connection.run(commands) }
  }

  /// Runs one statement in a transaction of its own, and returns its rows.
  ///
  /// - Throws: ``PostgresError``.
  func run(_ sql: StaticString, with values: Value...) throws(PostgresError) -> Rows {
    try run(Command(sql, with: values))
  }

  /// Runs one statement in a transaction of its own, and returns its rows.
  ///
  /// - Throws: ``PostgresError``.
  func run(_ command: Command) throws(PostgresError) -> Rows { try run([command])[0] }

  /// Runs one statement in a transaction that a crash of the server's machine may undo, and that hardly waits for others,
  /// and returns its rows.
  ///
  /// - Throws: ``PostgresError``.
  func runForgetfully(_ sql: StaticString, with values: Value...) throws(PostgresError) -> Rows {
    try runForgetfully([Command(sql, with: values)])[0]
  }

  /// Runs statements as ``runForgetfully(_:with:)`` does one, in one transaction, and returns the rows of each.
  ///
  /// - Throws: ``PostgresError``.
  @discardableResult
  func runForgetfully(_ commands: [Command]) throws(PostgresError) -> [Rows] {
    let patience = min(patience, Self.forgetfulLockPatience)
    let forgetting = Command(
      "SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', $1::text, true)",
      with: [.text("\(Int(patience / .milliseconds(1)))")])
    return try connected { (connection) throws(PostgresError) in
      Array(try connection.run([forgetting] + commands).dropFirst())
    }
  }

  /// Whether anything may have arrived since the last time: the server has said so, or could not.
  ///
  /// - Throws: ``PostgresError``.
  func hasNews(of channel: PostgresSchema.Channel) throws(PostgresError) -> Bool {
    try connected { (connection) throws(PostgresError) in
      if !connection.isListening { try connection.listen() }
      return connection.takeNews(of: channel)
    }
  }

  /// Runs `work` and converts its error.
  ///
  /// - Throws: `StoreError`.
  func converting<Value>(_ work: () throws(PostgresError) -> Value) throws(StoreError) -> Value {
    do throws(PostgresError) { return try work() } catch { throw error.storeError(at: place) }
  }

  private func current() throws(PostgresError) -> Connection {
    // Nothing was sent yet, so another connection makes no difference.
    if let connection, connection.isAlive() { return connection }
    self.connection = nil
    let connection = try Connection(to: string, patience: patience) { place = $0 }
    try connection.execute(session)
    self.connection = connection
    return connection
  }

  /// The session's settings.
  ///
  /// A statement waits for a row that another transaction holds as long as SQLite waits, so that other work need not wait
  /// much longer. The statistics of a queue are seldom true, but each statement has its index if it is planned for the
  /// number of rows that it asks for. A client that disappears in a transaction must not keep its locks. A server that
  /// acknowledges before it has written would break the store's promise.
  private var session: String {
    """
    SET search_path = pg_catalog, pg_temp;
    SET default_transaction_isolation = 'read committed';
    SET statement_timeout = \(Int(patience / .milliseconds(1)));
    SET lock_timeout = \(Int(min(patience, Self.lockPatience) / .milliseconds(1)));
    SET idle_in_transaction_session_timeout = \(Int(patience * 2 / .milliseconds(1)));
    SET plan_cache_mode = force_custom_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET jit = off;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
    """
  }
}
