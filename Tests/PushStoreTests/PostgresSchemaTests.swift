import Foundation
import PushStore
import StoreSupport
import TestSupport
import Testing

@testable import PushStorePostgres

/// The tables of a database, and what is no store's.
@Suite("The tables in PostgreSQL", .hangGuard)
struct PostgresSchemaTests {
  private let cluster: Cluster
  private let string: String
  private let application: PostgresApplication

  init() throws {
    cluster = try Cluster.shared.get()
    string = cluster.string(for: try cluster.newDatabase())
    application = try PostgresApplication(string)
  }

  @Test("are made once by many workers that start at once")
  func together() async throws {
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask { [string] in
          try await PostgresStore(connectionString: string).enqueue([Job(.lunch, to: "\(number)")])
        }
      }
      try await group.waitForAll()
    }
    #expect(try await PostgresStore(connectionString: string).statistics().ready == 8)
    #expect(try application.run("SELECT number FROM sealpush.version") == [["\(Self.newest)"]])
  }

  /// The version that this program knows.
  private static let newest = PostgresSchema.versions.count

  /// Every column, index, function and trigger of the schema.
  private static let tables = """
    SELECT attrelid::regclass::text, attname::text || ' ' || format_type(atttypid, atttypmod) || attnotnull
      || coalesce(pg_get_expr(adbin, adrelid), '')
    FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
    WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'sealpush'::regnamespace AND relkind = 'r')
      AND attnum > 0
    UNION ALL SELECT indexname::text, indexdef FROM pg_indexes WHERE schemaname = 'sealpush'
    UNION ALL SELECT proname::text, pg_get_functiondef(oid) FROM pg_proc
    WHERE pronamespace = 'sealpush'::regnamespace
    UNION ALL SELECT tgname::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1, 2
    """

  @Test("of the first version become those of this one, with what is in them")
  func first() async throws {
    try application.run(FirstVersion.text("postgresql-1"))
    for row in try FirstVersion.rows(time: { "to_timestamp(\($0))" }) { try application.run(row) }
    try await FirstVersion.expectRows(in: PostgresStore(connectionString: string))
    let new = cluster.string(for: try cluster.newDatabase())
    _ = try await PostgresStore(connectionString: new)
    let (old, fresh) = (try application.run(Self.tables), try PostgresApplication(new).run(Self.tables))
    #expect(old == fresh && old.count > 60)
  }

  @Test("of a version without receipts keep their outcomes")
  func outcomes() async throws {
    let server = Server(connectionString: try ConnectionString(string), patience: .seconds(600))
    let before = Array(PostgresSchema.versions.prefix { $0 != PostgresSchema.receipts })
    try Migration(server: server, versions: before).run()
    let id = MessageID.random()
    try application.run(
      """
      INSERT INTO sealpush.outcome (message_id, person, identity, outcome, reason, decided_at)
      VALUES ('\(id)', 'ada', '', 'unreachable', 'no device', to_timestamp(1700000000))
      """)
    let outcomes = try await PostgresStore(connectionString: string).outcomes(of: id)
    #expect(outcomes.map(\.outcome) == [.reachedNobody(reason: "no device")])
    #expect(outcomes.map(\.shownAt) == [nil] && outcomes[0].decidedAt.seconds == 1_700_000_000)
  }

  @Test("are changed whole or not at all")
  func failure() async throws {
    let server = Server(connectionString: try ConnectionString(string), patience: .seconds(600))
    let versions = PostgresSchema.versions + ["CREATE TABLE sealpush.more (); SELECT 1/0"]
    #expect(throws: StoreError.self) { try Migration(server: server, versions: versions).run() }
    #expect(try application.run("SELECT to_regnamespace('sealpush')") == [[nil]])
    try Migration(server: server, versions: PostgresSchema.versions).run()
    #expect(throws: StoreError.self) { try Migration(server: server, versions: versions).run() }
    #expect(try application.run("SELECT number FROM sealpush.version") == [["\(Self.newest)"]])
    #expect(try application.run("SELECT to_regclass('sealpush.more')") == [[nil]])
  }

  @Test("may take longer to change than a statement may, while the server says nothing")
  func slowly() async throws {
    let server = Server(connectionString: try ConnectionString(string), patience: .seconds(1))
    let versions = PostgresSchema.versions + ["SELECT pg_sleep(2.5)"]
    try Migration(server: server, versions: versions).run()
    #expect(try application.run("SELECT number FROM sealpush.version") == [["\(Self.newest + 1)"]])
  }

  @Test("of a newer version are refused")
  func newer() async throws {
    _ = try await PostgresStore(connectionString: string)
    try application.run("UPDATE sealpush.version SET number = 99")
    let error = await #expect(throws: StoreError.self) { try await PostgresStore(connectionString: string) }
    guard case .newerVersion(99, known: Self.newest, _) = error else { Issue.record("\(error!)"); return }
  }

  @Test("are not made among another's")
  func another() async throws {
    try application.run("CREATE SCHEMA sealpush; CREATE TABLE sealpush.account ()")
    let error = await #expect(throws: StoreError.self) { try await PostgresStore(connectionString: string) }
    guard case .notAStore = error else { Issue.record("\(error!)"); return }
    #expect(try application.run("SELECT to_regclass('sealpush.job')") == [[nil]])
  }

  @Test("are made in a schema that the owner of the database has given")
  func given() async throws {
    let name = "worker\(UUID().uuidString.prefix(8).lowercased())"
    try application.run("CREATE ROLE \(name) LOGIN; CREATE SCHEMA sealpush AUTHORIZATION \(name)")
    let store = try await PostgresStore(connectionString: "\(string) user=\(name)")
    try await store.enqueue([Job(.lunch, to: "alice")])
    #expect(try await people(store) == ["alice"])
  }

  @Test("are not used if something in them is another role's, which could run its functions as this one")
  func strangers() async throws {
    let names = ["worker", "other"].map { "\($0)\(UUID().uuidString.prefix(8).lowercased())" }
    for name in names { try application.run("CREATE ROLE \(name) LOGIN") }
    try application.run("CREATE SCHEMA sealpush AUTHORIZATION \(names[0])")
    let address = "\(string) user=\(names[0])"
    _ = try await PostgresStore(connectionString: address)
    try application.run("ALTER FUNCTION sealpush.now() OWNER TO \(names[1])")
    for address in [address, string] {
      let error = await #expect(throws: StoreError.self) {
        try await PostgresStore(connectionString: address)
      }
      guard case .cannotOpen(_, let reason) = error else {
        Issue.record("\(String(describing: error))"); return
      }
      // To a superuser, both are others.
      let strangers = address == string ? names : [names[1]]
      #expect(strangers.contains { reason.contains("belongs to \($0),") }, "\(reason)")
    }
    // Who is a member of the owner trusts it.
    try application.run("GRANT \(names[1]) TO \(names[0])")
    _ = try await PostgresStore(connectionString: address)
  }

  @Test("are not looked into if they are another role's, which could have put functions there")
  func trap() async throws {
    let names = ["worker", "eve"].map { "\($0)\(UUID().uuidString.prefix(8).lowercased())" }
    for name in names { try application.run("CREATE ROLE \(name) LOGIN") }
    try application.run(
      """
      CREATE TABLE caught (role text); GRANT INSERT ON caught TO PUBLIC;
      CREATE SCHEMA sealpush AUTHORIZATION \(names[1]); GRANT USAGE ON SCHEMA sealpush TO PUBLIC
      """)
    try PostgresApplication("\(string) user=\(names[1])").run(
      """
      CREATE FUNCTION sealpush.trap() RETURNS integer LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.caught VALUES (current_user); RETURN 1; END $$;
      CREATE VIEW sealpush.version AS SELECT sealpush.trap() AS number; GRANT SELECT ON sealpush.version TO PUBLIC
      """)
    let error = await #expect(throws: StoreError.self) {
      try await PostgresStore(connectionString: "\(string) user=\(names[0])")
    }
    guard case .cannotOpen = error else { Issue.record("\(String(describing: error))"); return }
    #expect(try application.run("SELECT * FROM caught").isEmpty)
  }

  @Test("take an application's rows, although default privileges take functions from all")
  func defaultPrivileges() async throws {
    let names = ["worker", "shop"].map { "\($0)\(UUID().uuidString.prefix(8).lowercased())" }
    for name in names { try application.run("CREATE ROLE \(name) LOGIN") }
    try application.run(
      """
      ALTER DEFAULT PRIVILEGES FOR ROLE \(names[0]) REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
      CREATE SCHEMA sealpush AUTHORIZATION \(names[0])
      """)
    let store = try await PostgresStore(connectionString: "\(string) user=\(names[0])")
    try application.run(
      """
      GRANT USAGE ON SCHEMA sealpush TO \(names[1]); GRANT INSERT (person, payload) ON sealpush.job TO \(names[1]);
      GRANT INSERT (registration, body) ON sealpush.enrolment TO \(names[1]);
      GRANT INSERT (registration) ON sealpush.removal TO \(names[1]);
      """)
    let shop = try PostgresApplication("\(string) user=\(names[1])")
    try shop.run("INSERT INTO sealpush.job (person, payload) VALUES ('ada', '{\"aps\":{\"alert\":\"Hi\"}}')")
    try shop.run("INSERT INTO sealpush.enrolment (registration, body) VALUES ('ada-phone', '{}')")
    try shop.run("INSERT INTO sealpush.removal (registration) VALUES ('bob-phone')")
    #expect(try await people(store) == ["ada"])
  }

  @Test("are not made in a database that cannot keep every text")
  func encoding() async throws {
    let name = "latin\(UUID().uuidString.prefix(8).lowercased())"
    try application.run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING latin1 LOCALE 'C'")
    let error = await #expect(throws: StoreError.self) {
      try await PostgresStore(connectionString: cluster.string(for: name))
    }
    guard case .cannotOpen(_, let reason) = error else { Issue.record("\(error!)"); return }
    #expect(reason == "the database has the encoding LATIN1, and must have UTF8")
  }

  @Test("have the columns that they have in SQLite", arguments: ["job", "enrolment", "device", "device_key"])
  func columns(table: String) async throws {
    _ = try await PostgresStore(connectionString: string)
    let folder = try TemporaryFolder()
    let sqlite = try await SQLiteStore(path: folder.path(of: "push.sqlite"))
    let wanted = try Application(sqlite.path).run("SELECT name FROM pragma_table_xinfo(?1)", table)
    let columns = try application.run(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = 'sealpush.\(table)'::regclass AND attnum > 0
        AND NOT attisdropped ORDER BY attnum
      """)
    #expect(columns == wanted)
  }
}
