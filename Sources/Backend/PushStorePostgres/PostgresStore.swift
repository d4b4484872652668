public import PushStore

/// A store in a PostgreSQL database, in the schema `sealpush`, for any number of machines.
///
/// It has one connection, which one call at a time uses, and another for counting. Make another store to have more. If a
/// connection is lost, the call throws `StoreError.unreachable`, and the next call makes another. All times are the server's.
public actor PostgresStore: TableStore {
  private let thread: StoreThread
  private let tables: PostgresTables
  private let counts: PostgresCounts

  /// The store's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Connects to a database, and brings its tables to this version.
  ///
  /// `connectionString` has libpq's syntax, `postgresql://…` or `host=… sslmode=…`; libpq's environment variables and files
  /// supply the rest. Nothing ever shows the string. With a row key, it reads only devices whose rows were written with it,
  /// and seals the rows that it writes. A new store is then sealed from its beginning. `patience` is how long a connection
  /// and a statement may take, at least a second.
  ///
  /// - Throws: `StoreError`; `StoreError.rowKey(_:place:)` if the key is not the store's, or the store has devices that were
  ///   never sealed.
  public init(
    connectionString: String, rowKey: RowKey? = nil, patience: Duration = .seconds(30)
  ) async throws(StoreError) {
    let string = try ConnectionString(connectionString)
    let thread = StoreThread()
    let tables = await thread.run {
      Result { () throws(StoreError) in
        let tables = PostgresTables(
          on: Server(connectionString: string, patience: patience), rowKey: rowKey)
        try Migration(server: tables.server, versions: PostgresSchema.versions).run()
        return tables
      }
    }
    self.tables = try tables.get()
    self.thread = thread
    // Counting hundreds of millions of jobs takes minutes, and no worker waits for it.
    counts = PostgresCounts(connectionString: string, patience: max(patience, .seconds(600)))
    try open(with: rowKey)
  }

  /// The error for a row key that is not the store's.
  package func error(for fault: RowKeyFault) -> StoreError { .rowKey(fault, place: tables.server.place) }

  package func work<Value>(
    _ work: (any StoreTables<PostgresError>) throws(PostgresError) -> Value
  ) throws(StoreError) -> Value {
    try tables.server.converting { () throws(PostgresError) in try work(tables) }
  }

  // MARK: Waiting and counting

  /// Counts the jobs, which reads the whole table; no other call waits for it.
  public nonisolated func statistics() async throws(StoreError) -> QueueStatistics {
    try await counts.statistics()
  }

  /// Counts the jobs by topic and push type, which reads the whole table; no other call waits for it.
  public nonisolated func depths(atMost count: Int) async throws(StoreError) -> [QueueDepth] {
    try await counts.depths(atMost: count)
  }

  /// Waits until a job is ready: the server says when one arrives, and is asked four times a second.
  public func jobsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await arrived(.jobs, within: time) { (tables) throws(PostgresError) in try tables.jobs.hasReady() }
  }

  /// Waits until an enrolment is ready: the server says when one arrives, and is asked four times a second.
  public func enrolmentsArrived(within time: Duration) async throws(StoreError) -> Bool {
    try await arrived(.enrolments, within: time) { (tables) throws(PostgresError) in
      try tables.enrolments.hasReady()
    }
  }

  private func arrived(
    _ channel: PostgresSchema.Channel, within time: Duration,
    look: (PostgresTables) throws(PostgresError) -> Bool
  ) async throws(StoreError) -> Bool {
    var looks = 0
    return try await Polling.wait(within: time) { () throws(StoreError) in
      defer { looks += 1 }
      return try tables.server.converting { () throws(PostgresError) in
        // Of transactions that end at about the same time, one notifies: the rows of the others come right after.
        guard try tables.server.hasNews(of: channel) || looks < 5 || looks.isMultiple(of: 12) else {
          return false
        }
        return try look(tables)
      }
    }
  }
}
