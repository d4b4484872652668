internal import PushStore

/// Counts a queue with a connection and a thread of its own, so that no worker waits for it.
actor PostgresCounts {
  private let thread = StoreThread()
  private let server: Server

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  init(connectionString string: ConnectionString, patience: Duration) {
    server = Server(connectionString: string, patience: patience)
  }

  func statistics() throws(StoreError) -> QueueStatistics {
    try server.converting { () throws(PostgresError) in try Self.count(on: server) }
  }

  func depths(atMost limit: Int) throws(StoreError) -> [QueueDepth] {
    try server.converting { () throws(PostgresError) in
      try server.run([
        Command("SELECT set_config('enable_seqscan', 'on', true)"),
        Command(
          """
          SELECT left(topic, 255) AS topic, left(coalesce(push_type, 'alert'), 32) AS push_type,
            count(*) FILTER (WHERE dead_at IS NULL) AS waiting, count(*) FILTER (WHERE dead_at IS NOT NULL) AS dead
          FROM sealpush.job GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2 LIMIT $1::bigint
          """, with: [.limit(limit)]),
      ])[1].map(DepthColumns.self) { $1.depth(in: $0) }
    }
  }

  private static func count(on server: Server) throws(PostgresError) -> QueueStatistics {
    // All rows are read, which is quickest in their own order.
    let counts = try server.run([
      Command("SELECT set_config('enable_seqscan', 'on', true)"),
      Command(
        """
        SELECT count(*) FILTER (WHERE due <= time) AS ready, count(*) FILTER (WHERE due > time AND NOT leased) AS delayed,
          count(*) FILTER (WHERE due > time AND leased) AS leased, count(*) FILTER (WHERE due IS NULL) AS dead,
          extract(epoch FROM max(time)) - extract(epoch FROM min(due)) AS oldest
        FROM (SELECT CASE WHEN dead_at IS NULL THEN due END AS due, leased FROM sealpush.job) AS job,
          (SELECT sealpush.now() AS time) AS clock
        """),
    ])[1].map(CountColumns.self) { $1.statistics(in: $0) }
    guard let statistics = counts.first else { preconditionFailure("counting has a row") }
    return statistics
  }
}
