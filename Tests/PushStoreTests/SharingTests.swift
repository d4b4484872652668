import Foundation
import Glibc
import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

/// Several processes and connections at one file, and one that is killed.
@Suite("A store's file that others use", .hangGuard)
struct SharingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path(of: "push.sqlite")
  }

  @Test("gives each job to one worker")
  func workers() async throws {
    let stores = [try await SQLiteStore(path: path), try await SQLiteStore(path: path)]
    try await stores[0].enqueue((0..<300).map { try Job(.lunch, to: "\($0)") })
    let leased = try await people(ofAll: stores)
    #expect(leased.count == 300 && Set(leased).count == 300)
  }

  @Test("is used from another process as well")
  func otherProcess() async throws {
    let store = try await SQLiteStore(path: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      try await SQLiteStore(path: path).enqueue([Job(.lunch, to: "alice")])
    }
    #expect(try await people(store) == ["alice"])
  }

  @Test("says that another writes for too long, and can be read meanwhile")
  func busy() async throws {
    let store = try await SQLiteStore(path: path, patience: .zero)
    try await store.enqueue([Job(.lunch, to: "alice")])
    let application = try Application(attaching: path)
    try application.run("BEGIN IMMEDIATE")
    try application.run("DELETE FROM sealpush.job")
    await #expect(throws: StoreError.busy(place: path)) { try await store.enqueue([Job(.lunch, to: "bob")]) }
    await #expect(throws: StoreError.busy(place: path)) { try await people(store) }
    #expect(try await store.statistics().ready == 1)
    try application.run("ROLLBACK")
    #expect(try await people(store) == ["alice"])
  }

  @Test("waits for another that writes")
  func patience() async throws {
    let store = try await SQLiteStore(path: path, patience: HangGuard.patience)
    let application = try Application(attaching: path)
    try application.run("BEGIN IMMEDIATE")
    async let ids = store.enqueue([Job(.lunch, to: "alice")])
    try application.run("INSERT INTO sealpush.job (person, payload) VALUES ('bob', '{}')")
    try application.run("COMMIT")
    #expect(try await ids.count == 1)
    #expect(try await store.statistics().ready == 2)
  }

  @Test("with nothing to lease, waits for nobody who writes")
  func empty() async throws {
    let store = try await SQLiteStore(path: path, patience: .zero)
    let application = try Application(attaching: path)
    try application.run("BEGIN IMMEDIATE")
    #expect(try await people(store) == [])
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).isEmpty)
  }

  @Test("is counted at once, although another call waits")
  func counting() async throws {
    let store = try await SQLiteStore(path: path, patience: HangGuard.patience)
    try await store.enqueue([Job(.lunch, to: "alice")])
    let application = try Application(attaching: path)
    try application.run("BEGIN IMMEDIATE")
    let waiting = Task.immediate { try await store.enqueue([Job(.lunch, to: "bob")]) }
    #expect(try await store.statistics().ready == 1)
    try application.run("COMMIT")
    #expect(try await waiting.value.count == 1)
    #expect(try await store.statistics().ready == 2)
  }

  /// How often a process is killed.
  private static let rounds = 0..<(Volume.isWhole ? 50 : 4)

  @Test(
    "loses nothing that was promised, and has nothing by halves, when a process is killed", arguments: rounds)
  func kill(round: Int) async throws {
    try FileManager.default.copyItem(atPath: "/dev/null", toPath: folder.path(of: "promised"))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, told = folder.path(of: "promised") as String, round = round as Int] in
      let store = try await SQLiteStore(path: path)
      let promised = unsafe open(told, O_WRONLY | O_APPEND | O_CREAT, 0o600)
      Thread.detachNewThread {
        // At some moment of the third batch, or of a later one.
        var status = stat()
        while unsafe fstat(promised, &status) == 0, status.st_size < 2 + round {}
        _ = Glibc.kill(getpid(), SIGKILL)
      }
      for batch in 0... {
        try await store.enqueue((0..<20).map { _ in try Job(.lunch, to: "\(batch)") })
        _ = unsafe write(promised, "x", 1)
        let leased = try await store.lease(atMost: 5, for: .seconds(3600), sender: nil)
        try await store.discard(leased.map { JobDiscard($0.lease, reason: "") })
      }
    }
    let promised = try #require(folder.bytes(of: "promised")).count
    let store = try await SQLiteStore(path: path)
    let counts = try Application(path).run("SELECT person, count(*) FROM job GROUP BY person")
    #expect(promised >= 2 + round && counts.allSatisfy { $0[1] == "20" })
    #expect((promised...promised + 1).contains(counts.count))
    #expect(try Application(path).run("PRAGMA integrity_check") == [["ok"]])
    try await store.enqueue([Job(.lunch, to: "alice")])
  }
}

@Suite("A backup", .hangGuard)
struct BackupTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore(path: folder.path(of: "push.sqlite"))
  }

  @Test("has all that was committed before it, while others go on writing")
  func whileWriting() async throws {
    try await store.enqueue((0..<1000).map { _ in try Job(.lunch, to: "alice") })
    let (store, other) = (store, try await SQLiteStore(path: store.path))
    let writers = [store, other].map { store in
      Task {
        while !Task.isCancelled { try await store.enqueue((0..<10).map { _ in try Job(.lunch, to: "bob") }) }
      }
    }
    var before = 0
    for number in 0..<3 {
      before = try await store.statistics().ready
      try await store.backup(to: folder.path(of: "copy \(number)"))
    }
    for writer in writers {
      writer.cancel()
      try await writer.value
    }
    let copy = try await SQLiteStore(path: folder.path(of: "copy 2"))
    let (ready, now) = (try await copy.statistics().ready, try await store.statistics().ready)
    #expect(ready >= before && ready <= now && ready % 10 == 0 && before >= 1000)
    #expect(try Application(copy.path).run("PRAGMA integrity_check") == [["ok"]])
    // It is a store of its own.
    _ = try await copy.lease(atMost: 1, for: .seconds(60), sender: nil)
    #expect(try await store.statistics().leased == 0)
  }

  @Test("is for its owner alone, and leaves nothing else")
  func permissions() async throws {
    try folder.write("left by a crash", to: "copy.unfinished")
    try await store.backup(to: folder.path(of: "copy"))
    #expect(try mode(of: folder.path(of: "copy")) == 0o600)
    #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy"])
  }

  @Test("leaves alone what another backup is writing under the same name")
  func another() async throws {
    let path = folder.path(of: "copy")
    let other = unsafe open(path + ".unfinished", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(other >= 0 && flock(other, LOCK_EX) == 0)
    await #expect(throws: StoreError.busy(place: path)) { try await store.backup(to: path) }
    #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy.unfinished"])
    // A process that another test starts has the descriptor for a moment too.
    try #require(flock(other, LOCK_UN) == 0)
    close(other)
    try await store.backup(to: path)
    #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy"])
  }

  @Test("replaces no file, not even the store")
  func existing() async throws {
    try folder.write("mine", to: "copy")
    for path in [folder.path(of: "copy"), store.path] {
      await #expect(throws: StoreError.cannotOpen(place: path, reason: "File exists")) {
        try await store.backup(to: path)
      }
    }
    #expect(folder.bytes(of: "copy") == Array("mine".utf8))
  }

  @Test("has a path, and removes no file that only begins like it")
  func noPath() async throws {
    for path in ["", store.path + "\0"] {
      let error = await #expect(throws: StoreError.self) { try await store.backup(to: path) }
      #expect(error == .cannotOpen(place: path, reason: "a path has at least one byte, and none is 0"))
    }
    #expect(try folder.names.contains("push.sqlite"))
  }

  @Test("is not made where there is no folder")
  func noFolder() async throws {
    let path = folder.path(of: "no/copy")
    await #expect(throws: StoreError.cannotOpen(place: path, reason: "no such file or folder")) {
      try await store.backup(to: path)
    }
  }
}
