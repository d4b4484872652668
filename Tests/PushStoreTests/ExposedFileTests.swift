import Glibc
import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

/// Who may be able to change a store's file.
@Suite("A store's file, among other users", .hangGuard)
struct ExposedFileTests {
  private let folder: TemporaryFolder
  private let place: String
  private let path: String

  init() async throws {
    folder = try TemporaryFolder()
    place = try folder.make("place")
    try setMode(0o700, of: place)
    path = place + "/push.sqlite"
    try await SQLiteStore(path: path).close()
  }

  /// Somebody else, of another group.
  private static let stranger: uid_t = 12345

  private func give(_ path: String, to owner: uid_t, group: gid_t) throws {
    try #require(unsafe lchown(path, owner, group) == 0)
  }

  private func expectExposed(
    by reason: String, at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let path = path ?? self.path
    await #expect(throws: StoreError.exposed(place: path, reason: reason), sourceLocation: sourceLocation) {
      try await SQLiteStore(path: path)
    }
  }

  @Test(
    "is refused if everybody can write it, or what is beside it", arguments: ["", "-wal", "-shm", "-journal"])
  func writable(suffix: String) async throws {
    if !suffix.isEmpty { try folder.write("", to: "place/push.sqlite" + suffix) }
    try setMode(0o606, of: path + suffix)
    await expectExposed(by: "others can write to \(path + suffix), which has mode 0606")
    try setMode(0o604, of: path + suffix)
    _ = try await SQLiteStore(path: path)
  }

  @Test(
    "is refused, or not made, in a folder that everybody can write, sticky or not",
    arguments: [0o707, 0o1777])
  func writableFolder(mode: mode_t) async throws {
    try setMode(mode, of: place)
    let reason = "others can write to \(place), which has mode 0\(String(mode, radix: 8))"
    await expectExposed(by: reason)
    await expectExposed(by: reason, at: place + "/new.sqlite")
    try setMode(0o700, of: place)
    let store = try await SQLiteStore(path: path)
    try setMode(mode, of: place)
    let copy = place + "/copy"
    await #expect(throws: StoreError.exposed(place: copy, reason: reason)) {
      try await store.backup(to: copy)
    }
    #expect(unsafe access(place + "/new.sqlite", F_OK) != 0 && access(copy, F_OK) != 0)
  }

  @Test("is refused if a group can write a folder above its own")
  func writableAbove() async throws {
    try setMode(0o770, of: folder.path)
    await expectExposed(by: "others can write to \(folder.path), which has mode 0770")
    try setMode(0o700, of: folder.path)
  }

  @Test("is reached through a link of the user's own, and only where it lies as a file must")
  func link() async throws {
    let link = folder.path(of: "link.sqlite")
    try #require(unsafe symlink("place/push.sqlite", link) == 0)
    _ = try await SQLiteStore(path: link)
    try setMode(0o707, of: place)
    await expectExposed(by: "others can write to \(place), which has mode 0707", at: link)
    try #require(unsafe symlink(path, path + "-wal") == 0)
    try setMode(0o700, of: place)
    await expectExposed(by: "\(path)-wal is a symbolic link")
  }

  @Test("may be shared with a group of this process, which may write it and its folder")
  func group() async throws {
    try setMode(0o660, of: path)
    try setMode(0o2770, of: place)
    let store = try await SQLiteStore(path: path)
    for suffix in ["-wal", "-shm"] { #expect(try mode(of: path + suffix) == 0o660) }
    await store.close()
  }

  // MARK: As root

  private static let isRoot = geteuid() == 0
  private static let onlyRoot: Comment = "only root can give a file away"

  @Test("is refused through a link of another user's", .enabled(if: isRoot, onlyRoot))
  func linkOfAnother() async throws {
    let link = folder.path(of: "link.sqlite")
    try #require(unsafe symlink("place/push.sqlite", link) == 0)
    try give(link, to: Self.stranger, group: 0)
    await expectExposed(by: "the link \(link) belongs to another user (12345)", at: link)
  }

  @Test(
    "is refused if it is another user's alone", .enabled(if: isRoot, onlyRoot), arguments: [0o600, 0o640])
  func anothers(mode: mode_t) async throws {
    try give(path, to: Self.stranger, group: 0)
    try setMode(mode, of: path)
    await expectExposed(by: "\(path) belongs to another user (12345)")
    try give(path, to: 0, group: 0)
    try give(place, to: Self.stranger, group: 0)
    await expectExposed(by: "\(place) belongs to another user (12345)")
  }

  @Test("is refused if a group of others can write it or its folder", .enabled(if: isRoot, onlyRoot))
  func groupOfOthers() async throws {
    try give(path, to: 0, group: Self.stranger)
    try setMode(0o660, of: path)
    await expectExposed(by: "others can write to \(path), which has mode 0660")
    try give(path, to: 0, group: 0)
    try give(place, to: 0, group: Self.stranger)
    try setMode(0o2770, of: place)
    await expectExposed(by: "others can write to \(place), which has mode 02770")
  }

  @Test(
    "is used by two users of a group, whoever owns it, although each one's umask is 0077",
    .enabled(if: isRoot, "only root can become other users"))
  func twoUsers() async throws {
    // In a process of its own, which is two users by turns.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let (place, shared) = (try folder.make("place"), gid_t(4242))
      try setMode(0o711, of: folder.path)
      try #require(unsafe chown(place, 0, shared) == 0)
      try setMode(0o2770, of: place)
      _ = umask(0o077)
      var groups = [shared]
      try #require(unsafe setgroups(1, &groups) == 0)
      func become(_ user: uid_t) throws {
        try #require(seteuid(0) == 0 && setegid(user) == 0 && seteuid(user) == 0)
      }
      let (path, job) = (place + "/push.sqlite", try Job(["aps": ["alert": "Lunch"]], to: "alice"))
      for (worker, application) in [(uid_t(1001), uid_t(1002)), (1002, 1001)] {
        try become(worker)
        let store = try await SQLiteStore(path: path)
        try #require(unsafe chmod(path, 0o660) == 0)
        await store.close()
        let working = try await SQLiteStore(path: path)
        for suffix in ["", "-wal", "-shm"] {
          var status = stat()
          try #require(unsafe stat(path + suffix, &status) == 0)
          #expect(status.st_gid == shared && status.st_mode & 0o777 == 0o660)
        }
        try become(application)
        let applying = try await SQLiteStore(path: path)
        try await applying.enqueue([job])
        #expect(try await working.lease(atMost: 9, for: .seconds(60), sender: nil).count == 1)
        await working.close()
        await applying.close()
        // Who closes it last removes what is beside it.
        try #require(unsafe unlink(path) == 0)
      }
      try #require(seteuid(0) == 0)
    }
  }
}
