/// Counts a queue's jobs with a connection and a thread of its own.
///
/// Counting millions of jobs takes a second, and no worker should wait for it.
actor SQLiteCounts {
  private let thread: StoreThread
  private let file: SQLiteFile
  private var count: Query<CountColumns>?
  private var depth: Query<DepthColumns>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Opens a file that was prepared.
  ///
  /// - Throws: ``StoreError``.
  init(in file: SQLiteFile) async throws(StoreError) {
    let thread = StoreThread()
    let count = await thread.run { Result { () throws(StoreError) in try Self.prepare(in: file) } }
    (self.count, depth) = try count.get()
    self.thread = thread
    self.file = file
  }

  private static func prepare(
    in file: SQLiteFile
  ) throws(StoreError) -> (Query<CountColumns>, Query<DepthColumns>) {
    let database = try file.open(keeping: .order)
    try file.checkThere()
    return try file.converting { () throws(SQLiteError) in
      let depth = try Query<DepthColumns>(
        on: database,
        """
        SELECT substr(topic, 1, 255) AS topic, substr(coalesce(push_type, 'alert'), 1, 32) AS push_type,
          count(*) FILTER (WHERE dead_at IS NULL) AS waiting, count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead
        FROM job GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT ?1
        """)
      let count = try Query<CountColumns>(
        on: database,
        """
        SELECT count(*) FILTER (WHERE due <= ?1) AS ready, count(*) FILTER (WHERE due > ?1 AND NOT leased) AS delayed,
          count(*) FILTER (WHERE due > ?1 AND leased) AS leased,
          (SELECT count(*) FROM job INDEXED BY job_dead WHERE dead_at IS NOT NULL) AS dead,
          ?1 - max(min(due), 0) AS oldest
        FROM job INDEXED BY job_ready WHERE dead_at IS NULL
        """)
      return (count, depth)
    }
  }

  /// Closes the connection.
  func close() { (count, depth) = (nil, nil) }

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

  /// - Throws: ``StoreError``.
  func depths(atMost limit: Int) throws(StoreError) -> [QueueDepth] {
    guard let depth else { throw .failed(place: file.path, reason: "the store was closed") }
    try file.checkThere()
    return try file.converting { () throws(SQLiteError) in
      try depth.all(.integer(Int64(max(limit, 0)))) { row, columns in columns.depth(in: row) }
    }
  }
}
