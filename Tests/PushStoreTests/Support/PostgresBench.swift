import PushStore
import PushStorePostgres
import TestSupport

/// A store in a database of a test's own, whose time is in a table.
final class PostgresBench: StoreBench {
  let postgres: PostgresStore
  let string: String
  let cluster: Cluster

  let database: String
  /// Where its stores connect.
  private let address: String

  var store: any Store { postgres }

  init(_ cluster: Cluster? = nil) async throws {
    let cluster = try cluster ?? Cluster.shared.get()
    self.cluster = cluster
    if let left = try cluster.leftDatabase() {
      (database, string) = (left, cluster.string(for: left))
      try PostgresApplication(string).run(
        """
        TRUNCATE sealpush.job, sealpush.enrolment, sealpush.device, sealpush.device_key, sealpush.device_share, sealpush.challenge,
          sealpush.departed, sealpush.request, sealpush.asked, sealpush.claim, sealpush.outcome,
          sealpush.setting, sealpush.refusal, sealpush.alternation, sealpush.keyed, sealpush.pause, sealpush.rate,
          sealpush.rate_use, sealpush.stopped_route,
          sealpush.token_set, sealpush.token RESTART IDENTITY;
        UPDATE clock SET time = to_timestamp(\(start.seconds))
        """)
      address = try Pooler.ofAllStores?.string(for: left) ?? string
      postgres = try await PostgresStore(connectionString: address)
    } else {
      database = try cluster.newDatabase()
      string = cluster.string(for: database)
      address = try Pooler.ofAllStores?.string(for: database) ?? string
      postgres = try await PostgresStore(connectionString: address)
      try application().run(
        """
        CREATE TABLE clock AS SELECT to_timestamp(\(start.seconds)) AS time;
        CREATE OR REPLACE FUNCTION sealpush.now() RETURNS timestamptz LANGUAGE sql VOLATILE
          AS 'SELECT time FROM public.clock'
        """)
    }
  }

  deinit { cluster.leave(database) }

  func another() async throws -> any Store { try await PostgresStore(connectionString: address) }

  func advance(by time: Duration) throws {
    try application().run("UPDATE clock SET time = time + make_interval(secs => \(time.inSeconds))")
  }

  func insert(_ columns: [JobColumn: String?]) throws {
    let times: Set<JobColumn> = [.notBefore, .expiresAt, .createdAt]
    try insert(into: "job", columns.map { ($0.key.rawValue, $0.value, times.contains($0.key)) })
  }

  func insert(_ columns: [EnrolmentRow.Column: String]) throws -> Int64 {
    let rows = try insert(into: "enrolment", columns.map { ($0.key.rawValue, $0.value, false) })
    return rows[0][0].flatMap { Int64($0) } ?? 0
  }

  func answer(of id: Int64) throws -> WrittenAnswer? {
    let row = try application().run(
      "SELECT answer, reason, request FROM sealpush.enrolment WHERE id = \(id)")[0]
    return row[0].map { WrittenAnswer(answer: $0, reason: row[1], request: row[2]) }
  }

  /// Starts a call, which waits for an application that has locked the jobs, does something to its connection, and gives what
  /// came of the call.
  func whileWaiting<Value: Sendable>(
    _ call: @escaping @Sendable () async throws -> Value, _ event: (_ backend: String) throws -> Void
  ) async throws -> Result<Value, any Error> {
    let owner = try application()
    try owner.run("BEGIN; LOCK TABLE sealpush.job")
    let task = Task { try await call() }
    try event(await waitingBackend())
    let result = await task.result
    // Unless the server has done it.
    _ = try? owner.run("ROLLBACK")
    return result
  }

  /// Waits until a store's call waits for a lock, and gives its backend.
  func waitingBackend() async throws -> String { try await waitingBackends(1)[0] }

  /// Waits until so many calls wait for locks, and gives their backends.
  @discardableResult
  func waitingBackends(_ count: Int) async throws -> [String] {
    let observer = try application()
    var backends: [String] = []
    try await HangGuard.wait(for: "calls that wait") {
      backends = try observer.run(
        """
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sealedpush'
          AND wait_event_type = 'Lock'
        """
      ).compactMap(\.[0])
      return backends.count >= count
    }
    return backends
  }

  /// An application with a connection of its own.
  func application() throws -> PostgresApplication { try PostgresApplication(string) }

  @discardableResult
  private func insert(
    into table: String, _ columns: [(name: String, value: String?, isTime: Bool)]
  ) throws -> [[String?]] {
    // The values of a test have no quotation marks but JSON's.
    let values = columns.map { column in
      guard let value = column.value else { return "NULL" }
      return column.isTime ? "to_timestamp(\(value))" : "'\(value)'"
    }.joined(separator: ", ")
    let names = columns.map(\.name).joined(separator: ", ")
    return try application().run("INSERT INTO sealpush.\(table) (\(names)) VALUES (\(values)) RETURNING id")
  }
}
