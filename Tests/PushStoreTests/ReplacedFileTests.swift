import Glibc
import PushStore
import StoreSupport
import TestSupport
import Testing

/// What becomes of a store whose file is taken away.
@Suite("A store whose file is no longer there", .hangGuard)
struct ReplacedFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let store: SQLiteStore

  init() async throws {
    folder = try TemporaryFolder()
    path = try folder.make("place") + "/push.sqlite"
    store = try await SQLiteStore(path: path)
  }

  /// What takes the file away.
  enum Loss: CaseIterable {
    case deleted, moved, replaced, folderMoved, link

    func happen(to path: String, in folder: TemporaryFolder) async throws {
      let place = folder.path(of: "place")
      switch self {
      case .deleted: try #require(unsafe unlink(path) == 0)
      case .moved: try #require(unsafe rename(path, path + ".old") == 0)
      case .replaced:
        let other = folder.path(of: "other.sqlite")
        try await SQLiteStore(path: other).close()
        try #require(unsafe rename(other, path) == 0)
      case .folderMoved: try #require(unsafe rename(place, folder.path(of: "old")) == 0)
      case .link:
        try #require(unsafe rename(path, path + ".old") == 0)
        try folder.write("", to: "other")
        try #require(unsafe symlink(folder.path(of: "other"), path) == 0)
      }
    }
  }

  @Test("says so at every call, and does nothing to what is there now", arguments: Loss.allCases)
  func everyCall(loss: Loss) async throws {
    try await loss.happen(to: path, in: folder)
    let (store, lost) = (store, StoreError.replaced(place: path))
    let job = try Job(["aps": ["alert": "Lunch"]], to: "alice")
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await store.enqueue([job]) }, { _ = try await store.devices(of: ["alice"]) },
      { _ = try await store.statistics() }, { _ = try await store.oldestReady() },
      { _ = try await store.jobsArrived(within: .zero) },
      { _ = try await store.enrolmentsArrived(within: .zero) },
      { [folder] in try await store.backup(to: folder.path(of: "copy")) },
    ]
    for call in calls { await #expect(throws: lost) { try await call() } }
    #expect(!lost.mayPass)
    #expect(
      lost.description == "\(path) is no longer the file that was opened: it was moved, replaced or deleted")
  }

  @Test("says so while it waits for jobs or for enrolments", arguments: [true, false])
  func waiting(isForJobs: Bool) async throws {
    let (store, path) = (store, path)
    let waiting = Task {
      isForJobs
        ? try await store.jobsArrived(within: HangGuard.patience)
        : try await store.enrolmentsArrived(within: HangGuard.patience)
    }
    try await Loss.deleted.happen(to: path, in: folder)
    await #expect(throws: StoreError.replaced(place: path)) { try await waiting.value }
  }

  @Test("is one again when the file is back at its place")
  func back() async throws {
    try #require(unsafe rename(path, path + ".old") == 0)
    await #expect(throws: StoreError.replaced(place: path)) { try await store.oldestReady() }
    try #require(unsafe rename(path + ".old", path) == 0)
    try await store.enqueue([Job(["aps": ["alert": "Lunch"]], to: "alice")])
    #expect(try await store.statistics().ready == 1)
  }
}
