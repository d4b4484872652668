/// Counts a queue's jobs with a connection and a thread of its own.
///
/// Counting millions of jobs takes a second, and no worker should wait for it.
actor SQLiteCounts {
  private let thread: StoreThread
  private let file: SQLiteFile
  private var count: Query<CountColumns>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Opens a file that was prepared.
  ///
  /// - Throws: ``StoreError``.
  init(in file: SQLiteFile) async throws(StoreError) {
    let thread = StoreThread()
    let count = await thread.run { Result { () throws(StoreError) in try Self.prepare(in: file) } }
    self.count = try count.get()
    self.thread = thread
    self.file = file
  }

  private static func prepare(in file: SQLiteFile) throws(StoreError) -> Query<CountColumns> {
    let database = try file.open(keeping: .order)
    try file.checkThere()
    return try file.converting { () throws(SQLiteError) in
      try Query(
        on: database,
        """
        SELECT count(*) FILTER (WHERE due <= ?1) AS ready, count(*) FILTER (WHERE due > ?1 AND NOT leased) AS delayed,
          count(*) FILTER (WHERE due > ?1 AND leased) AS leased,
          (SELECT count(*) FROM job INDEXED BY job_dead WHERE dead_at IS NOT NULL) AS dead,
          ?1 - max(min(due), 0) AS oldest
        FROM job INDEXED BY job_ready WHERE dead_at IS NULL
        """)
    }
  }

  /// Closes the connection.
  func close() { count = nil }

  /// - Throws: ``StoreError``.
  func statistics(at now: Double) throws(StoreError) -> QueueStatistics {
    guard let count else { throw .failed(place: file.path, reason: "the store was closed") }
    try file.checkThere()
    let statistics = try file.converting { () throws(SQLiteError) in
      try count.all(.real(now)) { row, columns in columns.statistics(in: row) }.first
    }
    guard let statistics else { preconditionFailure("counting has a row") }
    return statistics
  }
}
