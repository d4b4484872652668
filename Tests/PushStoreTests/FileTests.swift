import Foundation
import Glibc
import PushCore
import StoreSupport
import TestSupport
import Testing

@testable import PushStore

/// The file of a store in SQLite.
@Suite("A store's file", .hangGuard)
struct FileTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "push.sqlite")
  }

  private func jobs(_ count: Int, for person: String = "alice") throws -> [Job] {
    try (0..<count).map { _ in try Job(["aps": ["alert": "Lunch"]], to: person) }
  }

  @Test("is for its owner alone, and so is what is beside it")
  func permissions() async throws {
    let store = try await SQLiteStore(path: path)
    try await store.enqueue(jobs(1))
    #expect(try folder.names == ["push.sqlite", "push.sqlite-shm", "push.sqlite-wal"])
    for name in try folder.names { #expect(try mode(of: folder.path(of: name)) == 0o600, "\(name)") }
  }

  @Test("has everything when it is opened again")
  func reopening() async throws {
    try await SQLiteStore(path: path).enqueue(jobs(3))
    #expect(try await SQLiteStore(path: path).statistics().ready == 3)
  }

  @Test("has no text of what is done once it is closed")
  func erasing() async throws {
    let (text, other) = ("Lunch is at noon, as ever", "Dinner is at seven, for once")
    try await {
      let store = try await SQLiteStore(path: path)
      try await store.enqueue([text, other].map { try Job(["aps": ["alert": .string($0)]], to: "alice") })
      let leases = try await store.lease(atMost: 1, for: .seconds(60), sender: nil).map(\.lease)
      try await store.acknowledge(leases)
    }()
    try await HangGuard.wait(for: "the file to be closed") { try folder.names == ["push.sqlite"] }
    let bytes = try #require(folder.bytes(of: "push.sqlite"))
    #expect(bytes.firstRange(of: Array(other.utf8)) != nil)
    #expect(bytes.firstRange(of: Array(text.utf8)) == nil)
  }

  @Test("is one file again when the last store is closed, which then does nothing more")
  func closing() async throws {
    let (first, last) = (try await SQLiteStore(path: path), try await SQLiteStore(path: path))
    try await first.enqueue(jobs(3))
    await first.close()
    #expect(try await last.statistics().ready == 3 && folder.names.count == 3)
    await last.close()
    #expect(try folder.names == ["push.sqlite"])
    let closed = StoreError.failed(place: path, reason: "the store was closed")
    await #expect(throws: closed) { try await last.enqueue(jobs(1)) }
    await #expect(throws: closed) { _ = try await last.statistics() }
    #expect(try await SQLiteStore(path: path).statistics().ready == 3)
  }

  @Test("has no names that mean something else to SQLite")
  func names() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try #require(unsafe chdir(folder.path) == 0)
      for name in [":memory:", "file:x?mode=memory"] {
        _ = try await SQLiteStore(path: name)
        try #require(try folder.names.contains(name))
      }
    }
  }

  @Test(
    "cannot be opened where there is no such folder, or under no name",
    arguments: ["", "no/file", "a, and a 0"])
  func noFolder(name: String) async throws {
    let path = name.isEmpty ? "" : folder.path(of: name.replacing(", and a 0", with: "\0b"))
    let error = await #expect(throws: StoreError.self) { try await SQLiteStore(path: path) }
    guard case .cannotOpen(path, _) = error else { Issue.record("\(error!)"); return }
    #expect(try folder.names.isEmpty)
  }

  @Test("is not copied into a file that another backup has taken for a leftover and removed")
  func takenForALeftover() throws {
    try folder.write([], to: "copy.unfinished")
    let copy = folder.path(of: "copy.unfinished")
    let descriptor = unsafe open(copy, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(SQLiteBackup.lock(descriptor))
    try #require(unsafe unlink(copy) == 0)
    #expect(!SQLiteBackup.lock(descriptor))
  }

  @Test("is refused if it is no database")
  func noDatabase() async throws {
    try folder.write([UInt8](repeating: 7, count: 4096), to: "push.sqlite")
    await #expect(throws: StoreError.corrupt(place: path)) { try await SQLiteStore(path: path) }
    #expect(folder.bytes(of: "push.sqlite") == [UInt8](repeating: 7, count: 4096))
  }

  @Test("is refused, and left as it is, if it is something else's database")
  func otherDatabase() async throws {
    try Application(path).run("CREATE TABLE purchase (person TEXT)")
    let before = folder.bytes(of: "push.sqlite")
    await #expect(throws: StoreError.notAStore(place: path)) { try await SQLiteStore(path: path) }
    #expect(folder.bytes(of: "push.sqlite") == before)
    #expect(try folder.names == ["push.sqlite"])
  }

  @Test("has again the mode in which writers exclude no readers, if another program took it away")
  func journal() async throws {
    _ = try await SQLiteStore(path: path)
    #expect(try Application(path).run("PRAGMA journal_mode = DELETE") == [["delete"]])
    _ = try await SQLiteStore(path: path)
    #expect(try Application(path).run("PRAGMA journal_mode") == [["wal"]])
  }

  @Test("is refused if a newer version wrote it")
  func newerVersion() async throws {
    _ = try await SQLiteStore(path: path)
    try Application(path).run("PRAGMA user_version = 99")
    await #expect(throws: StoreError.newerVersion(99, known: SQLiteSchema.versions.count, place: path)) {
      try await SQLiteStore(path: path)
    }
  }

  @Test("says that it is damaged, and does nothing else")
  func damage() async throws {
    try await SQLiteStore(path: path).enqueue(jobs(500))
    var bytes = try #require(folder.bytes(of: "push.sqlite"))
    #expect(bytes.count > 20 * 4096)
    for index in 4096 * 2..<bytes.count { bytes[index] = 0xff }
    try folder.write(bytes, to: "push.sqlite")
    // What of it is needed to open it may be damaged, too.
    await #expect(throws: StoreError.corrupt(place: path)) {
      try await SQLiteStore(path: path).lease(atMost: 9, for: .seconds(60), sender: nil)
    }
    await #expect(throws: StoreError.corrupt(place: path)) { try await SQLiteStore(path: path).statistics() }
  }

  @Test("says that a row of the directory was changed by others")
  func changedRow() async throws {
    let store = try await SQLiteStore(path: path)
    var (phone, other) = (Phone("phone", token: 1), Phone("other", token: 2))
    try await phone.register(at: store, of: "alice")
    try await other.register(at: store, of: "bob")
    let application = try Application(path)
    try application.run("UPDATE device SET registration = replace(registration, 'phone', 'p'), keys = '{'")
    for work in [
      { _ = try await store.devices(of: ["alice"]) }, { _ = try await store.devices(after: nil, atMost: 9) },
    ] { await #expect(throws: StoreError.corrupt(place: path)) { try await work() } }
    try application.run("UPDATE device SET registration = replace(registration, 'alice', 'mallory') || ' '")
    #expect(try await store.registration(named: "other") != nil)
    try application.run("UPDATE device SET registration = substr(registration, 2)")
    await #expect(throws: StoreError.corrupt(place: path)) { try await store.registration(named: "phone") }
    await #expect(throws: StoreError.corrupt(place: path)) {
      try await store.registrations(address: phone.address, after: nil, atMost: 1)
    }
  }

  @Test("is not used if it may only be read")
  func readOnly() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.path(of: "push.sqlite")
      _ = try await SQLiteStore(path: path)
      try setMode(0o444, of: path)
      try setMode(0o755, of: folder.path)
      // Root may write everywhere; in this process alone, it is nobody for a while.
      let user = geteuid()
      if user == 0 { try #require(seteuid(65534) == 0) }
      await #expect(throws: StoreError.readOnly(place: path)) { try await SQLiteStore(path: path) }
      let other = folder.path(of: "other.sqlite")
      await #expect(throws: StoreError.cannotOpen(place: other, reason: "Permission denied")) {
        try await SQLiteStore(path: other)
      }
      try #require(seteuid(user) == 0)
    }
  }

  @Test("keeps all that it had on a full disk, takes nothing by halves, and goes on when there is room")
  func fullDisk() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.path(of: "push.sqlite")
      let store = try await SQLiteStore(path: path)
      let payload: JSONObject = ["aps": ["alert": .string(String(repeating: "a", count: 4000))]]
      func jobs() throws -> [Job] { try (0..<10).map { _ in try Job(payload, to: "alice") } }
      try await store.enqueue(jobs())
      // A write beyond the limit fails with EFBIG, in this process alone.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      limit.rlim_cur = 1 << 20
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      var count = 10
      let error = await #expect(throws: StoreError.self) {
        while true {
          try await store.enqueue(jobs())
          count += 10
        }
      }
      #expect(error == .full(place: path) && count > 20)
      #expect(try await store.statistics().ready == count)
      limit.rlim_cur = limit.rlim_max
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      try await store.enqueue(jobs())
      let leased = try await store.lease(atMost: 9999, for: .seconds(60), sender: nil)
      #expect(leased.count == count + 10)
      #expect(try await store.acknowledge(leased.map(\.lease)) == count + 10)
      #expect(try Application(path).run("PRAGMA integrity_check") == [["ok"]])
    }
  }

  @Test("is synced at each commit that promises something, and at no other")
  func durability() throws {
    var file = SQLiteFile(path: path, patience: .seconds(5), versions: SQLiteSchema.versions)
    try file.prepare()
    for (durability, level) in [(SQLiteFile.Durability.everything, 2 as Int64), (.order, 1)] {
      let database = try file.open(keeping: durability)
      #expect(try Statement(on: database, "PRAGMA synchronous").first { $0.integer(in: .only) } == level)
      #expect(try Statement(on: database, "PRAGMA journal_mode").first { $0.text(in: .only) } == "wal")
    }
  }

  @Test("finds what is ready by the index alone, and sorts nothing")
  func queryPlan() async throws {
    _ = try await SQLiteStore(path: path)
    let plan = try Application(path).run("EXPLAIN QUERY PLAN \(SQLiteJobs.ready)")
    #expect(plan.count == 1)
    #expect(plan[0][3]?.hasSuffix("INDEX job_ready (level=? AND due<?)") == true)
  }

  @Test("finds a device of an app by an index")
  func planOfTopics() async throws {
    _ = try await SQLiteStore(path: path)
    let plan = try Application(path).run("EXPLAIN QUERY PLAN \(SQLiteDevices.topical)")
    #expect(plan.compactMap { $0[3] } == ["SEARCH device USING INDEX device_topic (<expr>=?)"])
  }

  @Test("finds the devices of persons by an index, and reads no others")
  func planOfDevices() async throws {
    _ = try await SQLiteStore(path: path)
    let plan = try Application(path).run("EXPLAIN QUERY PLAN \(SQLiteDevices.wanted)")
    // Of the shares, one row is read to see whether there is any: the subquery, whose name has a number.
    let steps = plan.compactMap { $0[3] }.filter { $0.hasPrefix("S") && !$0.hasPrefix("SCAN (subquery") }
    #expect(
      steps == [
        "SCAN wanted VIRTUAL TABLE INDEX 1:", "SEARCH device USING INDEX device_person (person=?)",
        "SEARCH who USING COVERING INDEX device_share_device (device=?)",
        "SCAN device_share USING COVERING INDEX device_share_device",
        "SCAN wanted VIRTUAL TABLE INDEX 1:", "SEARCH device_share USING PRIMARY KEY (person=?)",
        "SEARCH device USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH who USING COVERING INDEX device_share_device (device=?)",
      ])
  }
}

@Suite("A store's tables", .hangGuard)
struct MigrationTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "push.sqlite")
  }

  private static let tables =
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"

  /// Makes a file as the first version did.
  private func makeFirst() throws -> Application {
    let application = try Application(path)
    for statement in try FirstVersion.text("sqlite-1").split(separator: ";\n") {
      try application.run(String(statement))
    }
    return application
  }

  @Test("of the first version become those of this one, with what is in them")
  func first() async throws {
    let application = try makeFirst()
    let writer = try Application(attaching: path)
    for row in try FirstVersion.rows(time: { $0 }) { try writer.run(row) }
    try await FirstVersion.expectRows(in: SQLiteStore(path: path))
    let new = try await SQLiteStore(path: folder.path(of: "new.sqlite"))
    // But for comments and line breaks.
    let (old, fresh) = (try application.run(Self.tables), try Application(new.path).run(Self.tables))
    #expect(old == fresh && old.count > 10)
  }

  @Test("of a version without receipts keep their outcomes")
  func outcomes() async throws {
    let before = Array(SQLiteSchema.versions.prefix { $0 != SQLiteSchema.receipts })
    var file = SQLiteFile(path: path, patience: .seconds(5), versions: before)
    try file.prepare()
    let id = MessageID.random()
    try Application(path).run(
      """
      INSERT INTO outcome (message_id, person, identity, outcome, reason, decided_at)
      VALUES (?1, 'ada', '', 'unreachable', 'no device', 1700000000)
      """, id.text)
    let outcomes = try await SQLiteStore(path: path).outcomes(of: id)
    #expect(outcomes.map(\.outcome) == [.reachedNobody(reason: "no device")])
    #expect(outcomes.map(\.shownAt) == [nil] && outcomes[0].decidedAt.seconds == 1_700_000_000)
  }

  @Test("are changed whole or not at all")
  func failure() throws {
    let application = try makeFirst()
    let before = try application.run(Self.tables)
    let versions = SQLiteSchema.versions + ["CREATE TABLE another (id); SELECT no_such_function()"]
    var file = SQLiteFile(path: path, patience: .seconds(5), versions: versions)
    let error = #expect(throws: StoreError.self) { try file.prepare() }
    guard case .failed(path, let reason) = error else { Issue.record("\(error!)"); return }
    #expect(reason.hasPrefix("no such function: no_such_function"))
    #expect(try application.run(Self.tables) == before)
    #expect(try application.run("PRAGMA user_version") == [["1"]])
  }

  @Test("are changed from version to version, by one of many that come at once")
  func versions() async throws {
    _ = try makeFirst()
    let versions = SQLiteSchema.versions + ["CREATE TABLE second (id)", "CREATE TABLE third (id)"]
    let file = SQLiteFile(path: path, patience: .seconds(60), versions: versions)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          var file = file
          #expect(throws: Never.self) { try file.prepare() }
        }
      }
    }
    #expect(try Application(path).run("PRAGMA user_version") == [["\(versions.count)"]])
    #expect(try Application(path).run("SELECT count(*) FROM third") == [["0"]])
  }

  @Test("wait for another program that makes its own in the file, and then say whose it is")
  func waiting() async throws {
    let other = try Application(path)
    try other.run("BEGIN IMMEDIATE")
    try other.run("CREATE TABLE account (id)")
    let opening = Task { [path] in try await SQLiteStore(path: path, patience: .seconds(60)) }
    // Once the store has the file, a thousand statements are more than it needs to be refused it.
    try await HangGuard.wait(for: "the store's descriptor") { descriptors() > 1 }
    for _ in 0..<1000 { try other.run("SELECT count(*) FROM account") }
    try other.run("COMMIT")
    let error = await #expect(throws: StoreError.self) { try await opening.value }
    guard case .notAStore(path) = error else { Issue.record("\(error!)"); return }
  }

  /// How many descriptors of the file this process has.
  private func descriptors() -> Int {
    let folder = "/proc/self/fd/"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)) == path }
  }

  @Test("are made once where many come at once")
  func making() async throws {
    let path = path
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await SQLiteStore(path: path, patience: .seconds(60)).enqueue([Job(.lunch, to: "alice")])
        }
      }
      try await group.waitForAll()
    }
    #expect(try await SQLiteStore(path: path).statistics().ready == 8)
  }
}
