internal import PushStore

/// The connection to a server: made when it is needed, and anew when it is lost.
final class Server {
  private let string: ConnectionString
  private let patience: Duration
  private var connection: Connection?

  /// How long a statement waits for a row or a table that another transaction holds.
  static let lockPatience = Duration.seconds(5)

  /// How long a statement waits that can as well be run later.
  private static let briefLockPatience = Duration.milliseconds(100)

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
    let forgetting = Command("SELECT set_config('synchronous_commit', 'off', true)")
    return Array(try runBriefly([forgetting] + commands).dropFirst())
  }

  /// Runs statements in one transaction that hardly waits for others, so that other work need not wait for it, and returns
  /// the rows of each.
  ///
  /// - Throws: ``PostgresError``.
  func runBriefly(_ commands: [Command]) throws(PostgresError) -> [Rows] {
    let limit = Command(
      "SELECT set_config('lock_timeout', $1::text, true)",
      with: [.milliseconds(min(patience, Self.briefLockPatience))])
    return Array(try run([limit] + commands).dropFirst())
  }

  /// Runs one statement as ``runBriefly(_:)`` does, and returns its rows.
  ///
  /// - Throws: ``PostgresError``.
  func runBriefly(_ sql: StaticString, with values: Value...) throws(PostgresError) -> Rows {
    try runBriefly([Command(sql, with: values)])[0]
  }

  /// Whether anything may have arrived since the last time: the server has said so, or could not; false behind a pooler,
  /// where nobody says so.
  ///
  /// - Throws: ``PostgresError``.
  func hasNews(of channel: PostgresSchema.Channel) throws(PostgresError) -> Bool {
    try connected { (connection) throws(PostgresError) in
      guard !connection.isPooled else { return false }
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
    let settings = SessionSettings(patience: patience)
    let connection = try Connection(to: string, patience: patience, settings: settings) { place = $0 }
    self.connection = connection
    return connection
  }
}
