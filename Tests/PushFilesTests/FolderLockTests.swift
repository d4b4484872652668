#if canImport(Glibc)
  import Foundation
  import Glibc
  import PushFiles
  import TestSupport
  import Testing

  @Suite("A folder's lock", .hangGuard)
  struct FolderLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func isFree() throws -> Bool {
      var other = try Folder(folder.path)
      return (try? other.lock(within: .zero)) != nil
    }

    @Test("is an empty file of its owner's, which stays and is made once")
    func file() throws {
      for _ in 0..<2 {
        var holder = try Folder(folder.path)
        try holder.lock(within: .zero)
        #expect(try !isFree())
      }
      #expect(try mode(of: folder.lockPath) == 0o600 && size(of: folder.lockPath) == 0)
      let before = try number(of: folder.lockPath)
      #expect(try isFree() && number(of: folder.lockPath) == before)
    }

    @Test("is not held by who holds the folder, which takes no more than to read it")
    func readersLock() throws {
      let reader = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { close(reader) }
      try #require(flock(reader, LOCK_EX | LOCK_NB) == 0)
      #expect(try isFree())
    }

    @Test("is not made by who changes nothing")
    func notMade() throws {
      var holder = try Folder(folder.path)
      #expect(throws: FileError.missing) { try holder.lock(within: .zero, isMaking: false) }
      #expect(!FileStatus.isThere(folder.lockPath))
    }

    @Test("is its owner's alone whatever the process's mask, and for the next process too")
    func mask() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        umask(0o777)
        for _ in 0..<2 {
          var holder = try Folder(folder.path)
          try holder.lock(within: .zero)
        }
        #expect(try mode(of: folder.lockPath) == 0o600)
      }
    }

    @Test(
      "that somebody else may have put there is neither followed nor waited for",
      arguments: ["link", "hanging link", "pipe", "socket", "folder", "device", "mode", "owner", "both"])
    func notOwn(what: String) throws {
      let path = folder.lockPath
      var owner: CInt = -1
      defer { close(owner) }
      try folder.write("", to: "target")
      switch what {
      case "link": try #require(unsafe symlink("target", path) == 0)
      case "hanging link": try #require(unsafe symlink("nothing", path) == 0)
      case "pipe": try #require(unsafe mkfifo(path, 0o600) == 0)
      case "socket": try #require(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
      case "folder": try #require(unsafe mkdir(path, 0o700) == 0)
      case "device":
        // Root's alone to make.
        guard unsafe mknod(path, S_IFCHR | 0o600, 0x103) == 0 else { return }
      default:
        let isOthers = what != "mode"
        guard geteuid() == 0 || !isOthers else { return }
        try folder.write("", to: FolderLock.name)
        try setMode(what == "owner" ? 0o600 : 0o644, of: path)
        if isOthers { try #require(unsafe chown(path, 12345, 12345) == 0) }
        // Its owner holds it.
        owner = unsafe open(path, O_RDONLY | O_CLOEXEC)
        try #require(flock(owner, LOCK_EX | LOCK_NB) == 0)
      }
      var holder = try Folder(folder.path)
      #expect(throws: FileError.lockNotOwn(name: FolderLock.name)) {
        try holder.lock(within: HangGuard.patience)
      }
      #expect(try folder.names == ["target"])
    }

    @Test("of another user in a sticky folder is not waited for by one to whom permission bits apply")
    func anothersInSharedFolder() async {
      await #expect(processExitsWith: .success) {
        guard geteuid() == 0 else { return }
        let folder = try TemporaryFolder(mode: 0o1777)
        try #require(seteuid(65534) == 0)
        let name = FolderLock.name
        try #require(seteuid(0) == 0)
        try folder.write("", to: name)
        try setMode(0o600, of: folder.path(of: name))
        try #require(seteuid(65534) == 0)
        var holder = try Folder(folder.path)
        #expect(throws: FileError.lockNotOwn(name: name)) { try holder.lock(within: HangGuard.patience) }
        try #require(seteuid(0) == 0)
        // Each has a lock of their own.
        var own = try Folder(folder.path)
        try own.lock(within: .zero)
      }
    }

    @Test("that was removed while it was waited for is made again")
    func removed() async throws {
      let path = folder.path
      let holder = try folder.lock()
      let waiting = Task.detached {
        var folder = try Folder(path)
        try folder.lock(within: HangGuard.patience)
        // The one that the next process finds, too.
        var other = try Folder(path)
        return (try? other.lock(within: .zero)) == nil
      }
      try await HangGuard.wait(for: "the one who waits") { openers(of: folder.lockPath) == 2 }
      try #require(unsafe unlink(folder.lockPath) == 0)
      close(holder)
      #expect(try await waiting.value)
      #expect(try mode(of: folder.lockPath) == 0o600)
    }

    @Test("is free again when its holder's life ends, though a child that is being started has a copy")
    func childBeingStarted() throws {
      var holder = try Folder(folder.path)
      try holder.lock(within: .zero)
      let child = try StartingChild()
      defer { child.goOn() }
      #expect(try !isFree())
      _ = consume holder
      #expect(try isFree())
    }

    @Test("is not free when its descriptor is closed and no more, while such a child has a copy")
    func closedAlone() throws {
      let holder = try folder.lock()
      let child = try StartingChild()
      defer { child.goOn() }
      close(holder)
      #expect(try !isFree())
    }
  }

  /// The number of this process's descriptors that are open for a file.
  private func openers(of path: String) -> Int {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return files.count { file in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")) == path
    }
  }

  /// A file's size, in bytes.
  private func size(of path: String) throws -> Int {
    try #require(FileStatus(at: path, isFollowingLinks: false)).size
  }

  /// A child process between fork and exec: it has copies of all descriptors, even of those that close at `exec`.
  private struct StartingChild {
    private let folder: TemporaryFolder
    private let started: String
    private let mayGoOn: String

    /// Starts the child, and returns when it runs.
    init() throws {
      folder = try TemporaryFolder()
      started = folder.path(of: "started")
      mayGoOn = folder.path(of: "may-go-on")
      for path in [started, mayGoOn] {
        guard unsafe mkfifo(path, 0o600) == 0 else { throw SetupError(call: "mkfifo", errno: errno) }
      }
      Thread.detachNewThread { [started, mayGoOn] in Self.start(sayingSoTo: started, waitingFor: mayGoOn) }
      try Self.openAndClose(started, O_RDONLY)
    }

    /// Lets the child run its program, which ends at once.
    func goOn() { try? Self.openAndClose(mayGoOn, O_WRONLY) }

    /// Opens a pipe, which blocks until its other end is opened.
    private static func openAndClose(_ path: String, _ flags: CInt) throws {
      let pipe = unsafe open(path, flags | O_CLOEXEC)
      guard pipe >= 0 else { throw SetupError(call: "open", errno: errno) }
      close(pipe)
    }

    private static func start(sayingSoTo started: String, waitingFor mayGoOn: String) {
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      unsafe posix_spawn_file_actions_addopen(&actions, 1, started, O_WRONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, 0, mayGoOn, O_RDONLY, 0)
      var arguments = unsafe [strdup("true"), nil]
      var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
      defer { unsafe free(arguments[0]) }
      var child: pid_t = 0
      guard unsafe posix_spawnp(&child, "true", &actions, nil, &arguments, &environment) == 0 else {
        // Without this, the open of the pipe's other end would block for ever.
        return (try? openAndClose(started, O_WRONLY)) ?? ()
      }
      var status: CInt = 0
      unsafe waitpid(child, &status, 0)
    }
  }
#endif
