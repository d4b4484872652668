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

  private static func count(on server: Server) throws(PostgresError) -> QueueStatistics {
    // All rows are read, which is quickest in their own order.
    let row = try server.run([
      Command("SELECT set_config('enable_seqscan', 'on', true)"),
      Command(
        """
        SELECT count(*) FILTER (WHERE due <= time), count(*) FILTER (WHERE due > time AND NOT leased),
          count(*) FILTER (WHERE due > time AND leased), count(*) FILTER (WHERE due IS NULL),
          extract(epoch FROM max(time)) - extract(epoch FROM min(due))
        FROM (SELECT CASE WHEN dead_at IS NULL THEN due END AS due, leased FROM sealpush.job) AS job,
          (SELECT sealpush.now() AS time) AS clock
        """),
    ])[1].first
    let ready = Int(row?.integer(at: 0) ?? 0)
    return QueueStatistics(
      ready: ready, delayed: Int(row?.integer(at: 1) ?? 0), leased: Int(row?.integer(at: 2) ?? 0),
      dead: Int(row?.integer(at: 3) ?? 0),
      oldestReady: ready > 0 ? row?.real(at: 4).flatMap { $0.isFinite ? .seconds($0) : nil } : nil)
  }
}
