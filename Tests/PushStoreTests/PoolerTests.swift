import PushCore
import PushStore
import PushStorePostgres
import StoreSupport
import TestSupport
import Testing

/// Stores that reach their server through PgBouncer, which others use as well.
@Suite("A store behind a pooler of transactions", .hangGuard)
struct PoolerTests {
  private let bench: PostgresBench
  private let pooled: String
  private let store: PostgresStore

  init() async throws {
    bench = try await PostgresBench()
    pooled = try Pooler.shared.get().string(for: bench.database)
    store = try await PostgresStore(connectionString: pooled)
  }

  @Test("leaves the sessions to applications as it found them")
  func settings() async throws {
    let names = [
      "search_path", "enable_seqscan", "statement_timeout", "lock_timeout", "plan_cache_mode", "jit",
      "synchronous_commit", "default_transaction_isolation",
    ]
    let shown = names.map { "current_setting('\($0)')" }.joined(separator: ", ")
    let expected = try bench.application().run("SELECT \(shown)")
    // Two transactions at once have both of the pooler's sessions.
    let (first, second) = (try PostgresApplication(pooled), try PostgresApplication(pooled))
    try await use(store)
    for application in [first, second] { try application.run("BEGIN") }
    let (one, other) = (try first.run("SELECT \(shown)"), try second.run("SELECT \(shown)"))
    let sessions = try [first, second].map { try $0.run("SELECT pg_backend_pid()") }
    for application in [first, second] { try application.run("COMMIT") }
    #expect(one == expected && other == expected)
    #expect(sessions[0] != sessions[1])
  }

  @Test("has its own settings, whatever an application has set in the same session")
  func foreignSettings() async throws {
    let application = try PostgresApplication(pooled)
    try application.run("BEGIN")
    try application.run(
      """
      CREATE SCHEMA evil;
      CREATE FUNCTION evil.left(text, integer) RETURNS text LANGUAGE sql AS $$ SELECT NULL $$
      """)
    try application.run("COMMIT")
    let others = try [application, PostgresApplication(pooled)]
    for application in others { try application.run("BEGIN") }
    for application in others {
      try application.run("SET search_path = evil, pg_catalog; SET array_nulls = off")
    }
    for application in others { try application.run("COMMIT") }
    try await use(store)
  }

  @Test("makes its tables")
  func tables() async throws {
    let cluster = try Cluster.shared.get()
    let database = try cluster.newDatabase()
    let store = try await PostgresStore(connectionString: Pooler.shared.get().string(for: database))
    try await use(store)
  }

  @Test("gives each job to one of many workers")
  func workers() async throws {
    try await store.enqueue((0..<200).map { try Job(.lunch, to: "\($0)", at: start) })
    var stores: [any Store] = []
    for _ in 0..<4 { stores.append(try await PostgresStore(connectionString: pooled)) }
    let leased = try await people(ofAll: stores)
    #expect(leased.count == 200 && Set(leased).count == 200)
  }

  @Test("sees by looking that a job has arrived, since nobody can say so")
  func arriving() async throws {
    let waiting = Task { try await store.jobsArrived(within: .seconds(600)) }
    try bench.application().run("INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')")
    #expect(try await waiting.value)
  }

  @Test("can be used on after a statement that failed")
  func failure() async throws {
    try bench.application().run("ALTER TABLE sealpush.job RENAME TO other")
    await #expect(throws: StoreError.self) { try await store.enqueue([Job(.lunch, to: "alice", at: start)]) }
    try bench.application().run("ALTER TABLE sealpush.other RENAME TO job")
    #expect(try await store.enqueue([Job(.lunch, to: "alice", at: start)]).count == 1)
  }

  private func use(_ store: PostgresStore) async throws {
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.count == 1)
    try await store.acknowledge(leased.map(\.lease))
    #expect(try await store.statistics() == counts())
  }
}
