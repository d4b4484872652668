public import PushStore

/// A store in a PostgreSQL database, in the schema `sealpush`, for any number of machines.
///
/// It has one connection, and another to count; one call at a time uses it: make another store for more. A lost connection
/// is `StoreError.unreachable`, and the next call makes another. The time is the server's alone.
public actor PostgresStore: TableStore {
  private let thread: StoreThread
  private let tables: PostgresTables
  private let counts: PostgresCounts

  /// The store's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Connects to a database, and brings its tables to this version.
  ///
  /// `connectionString` is what every program that uses libpq takes, `postgresql://…` or `host=… sslmode=…`; what it does
  /// not say comes from libpq's environment variables and files. Nothing ever shows it. `patience` is how long a
  /// connection and a statement may take, at least a second.
  ///
  /// - Throws: `StoreError`.
  public init(
    connectionString: String, patience: Duration = .seconds(30)
  ) async throws(StoreError) {
    let string = try ConnectionString(connectionString)
    let thread = StoreThread()
    let tables = await thread.run {
      Result { () throws(StoreError) in
        let tables = PostgresTables(on: Server(connectionString: string, patience: patience))
        try Migration(server: tables.server, versions: PostgresSchema.versions).run()
        return tables
      }
    }
    self.tables = try tables.get()
    self.thread = thread
    // No worker waits for it, and with hundreds of millions of jobs it takes minutes.
    counts = PostgresCounts(connectionString: string, patience: max(patience, .seconds(600)))
  }

  package func work<Value>(
    _ work: (any StoreTables<PostgresError>) throws(PostgresError) -> Value
  ) throws(StoreError) -> Value {
    try tables.server.converting { () throws(PostgresError) in try work(tables) }
  }

  // MARK: Waiting and counting

  /// Counts the jobs: it reads the whole table, for which no other call waits.
  public nonisolated func statistics() async throws(StoreError) -> QueueStatistics {
    try await counts.statistics()
  }

  /// Waits until a job is ready: the server says when one arrives, and is asked four times a second.
  public func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    var looks = 0
    return try await Polling.wait(within: time) { () throws(StoreError) in
      defer { looks += 1 }
      return try work { [server = tables.server] (tables) throws(PostgresError) in
        guard try server.hasNews() || looks.isMultiple(of: 5) else { return false }
        return try tables.jobs.hasReady()
      }
    }
  }
}
