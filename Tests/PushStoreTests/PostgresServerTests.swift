import Foundation
import Glibc
import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

@testable import PushStorePostgres

/// Several stores at one server, and connections that break.
@Suite("A store in PostgreSQL", .hangGuard)
struct PostgresServerTests {
  private let bench: PostgresBench
  private let store: PostgresStore
  private let application: PostgresApplication

  init() async throws {
    bench = try await PostgresBench()
    store = bench.postgres
    application = try bench.application()
  }

  @Test("gives each job to one of many workers with stores of their own")
  func workers() async throws {
    try await store.enqueue((0..<600).map { try Job(.lunch, to: "\($0)", at: start) })
    var stores: [any Store] = []
    for _ in 0..<4 { stores.append(try await bench.another()) }
    let leased = try await people(ofAll: stores)
    #expect(leased.count == 600 && Set(leased).count == 600)
  }

  @Test(
    "has the server's time alone, which is an hour behind or ahead of the worker's", arguments: [-3600, 3600])
  func time(difference: Int64) async throws {
    let now = UnixTime.now.seconds
    try application.run("UPDATE clock SET time = to_timestamp(\(now + difference))")
    try application.run("INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')")
    try await store.enqueue([Job(.lunch, to: "bob")])
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.map(\.leaseEnd.seconds) == [now + difference + 60, now + difference + 60])
    try bench.advance(by: .seconds(59.5))
    #expect(try await people(store) == [])
    try bench.advance(by: .seconds(0.5))
    #expect(try await people(store) == ["alice", "bob"])
  }

  @Test("takes another connection for one that was cut between two calls")
  func cut() async throws {
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    try application.run(
      "SELECT pg_terminate_backend(pid, 600000) FROM pg_stat_activity WHERE application_name = 'sealedpush' "
        + "AND datname = current_database()")
    #expect(try await people(store) == ["alice"])
  }

  @Test("says that a connection was cut, and the same call again does what it should")
  func cutMeanwhile() async throws {
    let job = try Job(.lunch, to: "alice", at: start)
    let result = try await bench.whileWaiting { [store] in
      try await store.enqueue([job])
    } _: { backend in
      try application.run("SELECT pg_terminate_backend(\(backend))")
    }
    let error = #expect(throws: StoreError.self) { try result.get() }
    guard case .unreachable = error else { Issue.record("\(error!)"); return }
    let id = try await store.enqueue([job])
    #expect(try await store.enqueue([job]) == id)
    #expect(try await people(store) == ["alice"])
  }

  @Test("says that the server crashed, and works on when it is there again")
  func restart() async throws {
    let cluster = try Cluster()
    let bench = try await PostgresBench(cluster)
    let (store, job) = (bench.store, try Job(.lunch, to: "alice", at: start))
    try await store.enqueue([job])
    #expect(try await store.jobsArrived(within: .zero))
    try cluster.restart()
    #expect(try await store.enqueue([job]).count == 1)
    let result = try await bench.whileWaiting {
      try await people(store)
    } _: { _ in
      try cluster.restart()
    }
    let error = #expect(throws: StoreError.self) { try result.get() }
    guard case .unreachable = error else { Issue.record("\(error!)"); return }
    #expect(try await store.jobsArrived(within: .zero))
    #expect(try await people(store) == ["alice"])
  }

  @Test("gives up a server that says nothing")
  func silence() async throws {
    let store = try await PostgresStore(connectionString: bench.string, patience: .seconds(3))
    var stopped: pid_t = 0
    let result = try await bench.whileWaiting {
      try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    } _: { backend in
      stopped = try #require(pid_t(backend))
      #expect(kill(stopped, SIGSTOP) == 0)
    }
    kill(stopped, SIGCONT)
    let error = #expect(throws: StoreError.self) { try result.get() }
    guard case .unreachable(_, let reason) = error else { Issue.record("\(error!)"); return }
    #expect(reason == "the server has said nothing for 6 seconds")
    #expect(try await store.enqueue([Job(.lunch, to: "bob", at: start)]).count == 1)
  }

  @Test("says that another is in the way for too long, and can be used on")
  func busy() async throws {
    let store = try await PostgresStore(connectionString: bench.string, patience: .seconds(1))
    try application.run("BEGIN; LOCK TABLE sealpush.job")
    let error = await #expect(throws: StoreError.self) {
      try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    }
    guard case .busy = error else { Issue.record("\(error!)"); return }
    try application.run("ROLLBACK")
    #expect(try await people(store) == [])
  }

  @Test("hands out jobs while an application has locked the enrolments, and no enrolment meanwhile")
  func lockedEnrolments() async throws {
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    try application.run("BEGIN; LOCK TABLE sealpush.enrolment")
    let error = await #expect(throws: StoreError.self) {
      try await store.leaseEnrolments(atMost: 9, for: .seconds(60))
    }
    guard case .busy = error else { Issue.record("\(error!)"); return }
    #expect(try await people(store) == ["alice"])
    try application.run("ROLLBACK")
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).isEmpty)
  }

  @Test("has its own settings, whatever a role has set for itself")
  func roleSettings() async throws {
    let name = "set\(UUID().uuidString.prefix(8).lowercased())"
    try application.run(
      """
      CREATE ROLE \(name) LOGIN SUPERUSER; ALTER ROLE \(name) SET array_nulls = off;
      ALTER ROLE \(name) SET default_transaction_isolation = 'serializable';
      """)
    let store = try await PostgresStore(connectionString: "\(bench.string) user=\(name)")
    try await store.enqueue([Job(.lunch, to: "alice", at: start), Job(.lunch, to: "bob", at: start)])
    #expect(try await people(store) == ["alice", "bob"])
  }

  @Test("counts for as long as it takes, and holds up no other call meanwhile")
  func counting() async throws {
    let store = try await PostgresStore(connectionString: bench.string, patience: .seconds(1))
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    try application.run("BEGIN; LOCK TABLE sealpush.job")
    let counting = Task { try await store.statistics() }
    _ = try await bench.waitingBackend()
    #expect(try await store.devices(of: ["alice"]) == [[]])
    // It has begun after the count, and waits for less time.
    let error = await #expect(throws: StoreError.self) { try await store.enqueue([Job(.lunch, to: "bob")]) }
    guard case .busy = error else { Issue.record("\(error!)"); return }
    try application.run("ROLLBACK")
    #expect(try await counting.value == counts(ready: 1, oldest: .zero))
  }

  @Test("says that a database may only be read, and looks for one that may be written at the next call")
  func readOnly() async throws {
    let store = try await PostgresStore(connectionString: bench.string)
    let alter = { (change: String) in
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I \(change)', current_database()); END $$"
    }
    try application.run(alter("SET default_transaction_read_only = on"))
    try application.run(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND datname = current_database()
      """)
    var error: StoreError?
    // The first call may find that the connection is gone.
    for _ in 1...2 {
      error = await #expect(throws: StoreError.self) { try await store.enqueue([Job(.lunch, to: "alice")]) }
    }
    guard case .unreachable(_, let reason) = error else { Issue.record("\(error!)"); return }
    #expect(reason.contains("read-only"))
    try application.run(alter("RESET default_transaction_read_only"))
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    #expect(try await people(store) == ["alice"])
  }

  @Test("keeps what was promised, and leases, also where the server would rather not")
  func durability() async throws {
    try application.run(
      """
      CREATE TABLE told (what text, setting text);
      CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.told VALUES (TG_OP || ' ' || TG_TABLE_NAME, current_setting('synchronous_commit'));
        RETURN NULL;
      END $$;
      CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON sealpush.job FOR EACH ROW EXECUTE FUNCTION tell();
      CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON sealpush.device FOR EACH ROW EXECUTE FUNCTION tell();
      """)
    let store = try await PostgresStore(
      connectionString: "\(bench.string) options='-c synchronous_commit=off'")
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    var phone = Phone("phone", token: 1)
    _ = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: true).get()
    let job = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)[0]
    try await store.acknowledge([job.lease])
    let told = try application.run("SELECT what, setting FROM told")
    try application.run("DROP FUNCTION tell CASCADE; DROP TABLE told")
    #expect(
      told == [
        ["INSERT job", "on"], ["INSERT device", "on"], ["UPDATE job", "on"], ["DELETE job", "off"],
      ])
  }

  @Test("looks at no more rows than it leases, however many are delayed")
  func plan() async throws {
    let insert = """
      INSERT INTO sealpush.job (person, payload, not_before)
      SELECT 'alice', '{}', sealpush.now() + interval '1 day' FROM generate_series(1, 20000)
      """
    // The statistics are of a queue that was worked off, and then many jobs come at once.
    try application.run("\(insert); DELETE FROM sealpush.job")
    try application.run("VACUUM ANALYZE sealpush.job")
    try application.run(insert)
    let server = Server(connectionString: try ConnectionString(bench.string), patience: .seconds(600))
    let plans = try server.connected { (connection) throws(PostgresError) in
      try connection.execute(
        """
        PREPARE leasing (bigint, float8, text, smallint[]) AS \(PostgresJobs.leasing);
        PREPARE acknowledging (bigint[], bigint[]) AS \(PostgresJobs.acknowledging)
        """)
      return [
        try connection.run("EXPLAIN (COSTS OFF) EXECUTE leasing (100, 60, '', '{9,5,0}')"),
        try connection.run("EXPLAIN (COSTS OFF) EXECUTE acknowledging ('{1,2,3}', '{1,1,1}')"),
      ].map { $0.all.compactMap { $0.text(in: .only) } }
    }
    #expect(plans[0].contains { $0.contains("Index Scan using job_ready") })
    #expect(plans[0].count { $0.contains("Sort Key") } == 1)
    for plan in plans {
      #expect(
        plan.contains { $0.contains("Index Scan using job_pkey") }
          && plan.contains { $0.contains("Index Cond: (id = ") }
          && !plan.contains { $0.contains("Seq Scan") })
    }
  }

  @Test("gives a lease another number than one that a crash of the server has undone")
  func crash() async throws {
    let cluster = try Cluster()
    let bench = try await PostgresBench(cluster)
    let application = try PostgresApplication(cluster.string(for: "postgres"))
    // What is not written when it is committed, is written late.
    try application.run("ALTER SYSTEM SET wal_writer_delay = '10s'")
    try application.run("SELECT pg_reload_conf()")
    try await bench.store.enqueue([Job(.lunch, to: "alice", at: start)])
    let first = try await bench.store.lease(atMost: 1, for: .zero, sender: nil)
    try cluster.restart()
    let second = try await bench.store.lease(atMost: 1, for: .seconds(60), sender: nil)
    #expect(first.count == 1 && second.count == 1 && first[0].lease != second[0].lease)
    #expect(try await bench.store.acknowledge(first.map(\.lease)) == 0)
  }

  @Test("ends a transaction whose worker is gone, which would keep its locks")
  func abandoned() async throws {
    let server = Server(connectionString: try ConnectionString(bench.string), patience: .seconds(1))
    try server.connected { (connection) throws(PostgresError) in
      try connection.execute("BEGIN; LOCK TABLE sealpush.device")
    }
    try await HangGuard.wait(for: "the end of the transaction") {
      try application.run(
        "SELECT FROM pg_locks WHERE relation = 'sealpush.device'::regclass AND mode = 'AccessExclusiveLock'"
      ).isEmpty
    }
  }

  @Test("is told of new jobs when they are committed, by one transaction at a time")
  func notification() async throws {
    let server = Server(connectionString: try ConnectionString(bench.string), patience: .seconds(600))
    let other = try bench.application()
    let insert = "INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')"
    #expect(try server.hasNews(of: .jobs))
    #expect(try server.hasNews(of: .jobs) == false)
    try application.run("BEGIN; \(insert)")
    // This one waits for nobody, and is found by who asks.
    try other.run(insert)
    #expect(try server.hasNews(of: .jobs) == false)
    try application.run("COMMIT")
    try await HangGuard.wait(for: "the notification") { try server.hasNews(of: .jobs) }
    #expect(try server.hasNews(of: .enrolments))
    #expect(try server.hasNews(of: .enrolments) == false)
    try other.run("INSERT INTO sealpush.enrolment (registration, body) VALUES ('phone', '{}')")
    try await HangGuard.wait(for: "the notification") { try server.hasNews(of: .enrolments) }
    #expect(try server.hasNews(of: .jobs) == false)
    try application.run("BEGIN; \(insert); ROLLBACK")
    #expect(try server.hasNews(of: .jobs) == false)
  }

  @Test("shows nothing of what an application's own trigger says", arguments: ["P0001", "45000", "42704"])
  func triggers(code: String) async throws {
    try application.run(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'not %', NEW.payload USING ERRCODE = '\(code)';
      END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON sealpush.job FOR EACH ROW EXECUTE FUNCTION refuse()
      """)
    let error = await #expect(throws: StoreError.self) {
      try await store.enqueue([Job(["aps": ["alert": "hunter2"]], to: "alice", at: start)])
    }
    try application.run("DROP FUNCTION refuse CASCADE")
    guard case .failed(_, let reason) = error else { Issue.record("\(error!)"); return }
    #expect(reason == "SQLSTATE \(code)")
  }

  @Test("enqueues a message once that is twice in one call")
  func twice() async throws {
    let (job, other) = (try Job(.lunch, to: "alice", at: start), try Job(.lunch, to: "bob", at: start))
    let ids = try await store.enqueue([job, other, job])
    #expect(ids == [ids[0], ids[1], ids[0]] && ids[0] < ids[1])
    #expect(try await people(store) == ["alice", "bob"])
  }

  @Test("keeps every text as it is")
  func texts() async throws {
    let names = [#"a"b\c"#, "{a,b}", "NULL", "ä🥕", #"\""#, "'; DROP TABLE sealpush.job; --", "%s $1"]
    try await store.enqueue(names.map { try Job(["aps": ["alert": .string($0)]], to: $0, at: start) })
    let jobs = try await store.lease(atMost: 9, for: .seconds(60), sender: nil).map { try $0.job.get() }
    #expect(
      jobs.map(\.person) == names && jobs.map(\.payload) == names.map { ["aps": ["alert": .string($0)]] })
    #expect(try await store.forget(person: names[0]) == 1)
  }

  @Test("removes nothing of a person whose name begins like another's")
  func names() async throws {
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    #expect(try await store.forget(person: "alice\0bob") == 0)
    #expect(try await store.devices(of: ["alice\0"]) == [[]])
    #expect(try await people(store) == ["alice"])
  }
}

/// What leads to a server, and what nobody is shown of it.
@Suite("A connection string", .hangGuard)
struct ConnectionStringTests {
  @Test(
    "that is wrong is refused, and nothing of it is shown",
    arguments: [
      "host=db password=hun ter2", "postgresql://alice:hun@ter2@db/app", "postgresql://alice:hun/ter2@db/app",
      "postgresql://alice:hun%ter2@db/app", "password='hunter2", "postgresql://db/app?password=a&hunter2",
      "alice:hunter2://db/app",
      "hunter2",
      "host=db port=hunter2", "host=db\0password=hunter2",
    ])
  func wrong(text: String) async throws {
    let error = await #expect(throws: StoreError.self) { try await PostgresStore(connectionString: text) }
    guard case .cannotOpen("a store at this address", _) = error else { Issue.record("\(error!)"); return }
    for part in ["hun", "ter2"] { #expect(!"\(error!)".contains(part)) }
  }

  @Test(
    "of another program is refused, and what does not belong there is named",
    arguments: [
      ("postgresql://worker@127.0.0.1/push?schema=public", "'schema'"),
      ("postgresql://worker@127.0.0.1/push?pgbouncer=true&connection_limit=1", "'pgbouncer'"),
      ("postgresql://worker@127.0.0.1/push?sslmode=disable&connection_limit=1", "'connection_limit'"),
      ("POSTGRESQL://worker@127.0.0.1/push", "POSTGRESQL://"),
      ("postgresql+asyncpg://worker@127.0.0.1/push", "postgresql+asyncpg://"),
      ("jdbc:postgresql://127.0.0.1/push", "jdbc:postgresql://"),
    ])
  func otherProgram(text: String, named: String) async throws {
    let error = await #expect(throws: StoreError.self) { try await PostgresStore(connectionString: text) }
    #expect("\(error!)".contains(named), "\(error!)")
  }

  @Test("leads nowhere, and its password is not shown")
  func nowhere() async throws {
    let folder = try TemporaryFolder()
    let text = "host=\(folder.path) dbname=app user=alice password=hunter2"
    let error = await #expect(throws: StoreError.self) { try await PostgresStore(connectionString: text) }
    guard case .unreachable(let place, let reason) = error else { Issue.record("\(error!)"); return }
    #expect(place == "\(folder.path):5432/app" && reason.contains("No such file"))
    #expect(!"\(error!)".contains("hunter2"))
  }

  @Test("has a password, which is neither in the store's description nor in an error")
  func password() async throws {
    let bench = try await PostgresBench()
    let name = "guarded"
    try bench.application().run(
      "DROP ROLE IF EXISTS \(name); CREATE ROLE \(name) LOGIN SUPERUSER PASSWORD 'hunter2'")
    let store = try await PostgresStore(connectionString: "\(bench.string) user=\(name) password=hunter2")
    try await store.enqueue([Job(.lunch, to: "alice")])
    var text = "\(store) \(String(reflecting: store))"
    dump(store, to: &text)
    dump(try ConnectionString("password=hunter2"), to: &text)
    #expect(!text.contains("hunter2"))
    let error = await #expect(throws: StoreError.self) {
      try await PostgresStore(connectionString: "\(bench.string) user=\(name) password=hunter3")
    }
    #expect("\(error!)".contains("password authentication failed") && !"\(error!)".contains("hunter3"))
  }
}
