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

  /// A child between its making and its program: it has copies of all descriptors, those too that close at `exec`.
  private struct StartingChild {
    private let folder: TemporaryFolder
    private let started: String
    private let mayGoOn: String

    /// Makes the child, and returns when it is there.
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

    /// Lets it run its program, which ends at once.
    func goOn() { try? Self.openAndClose(mayGoOn, O_WRONLY) }

    /// Opens a pipe, which takes until its other end is opened.
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
        // Who waits for it is not to wait for ever.
        return (try? openAndClose(started, O_WRONLY)) ?? ()
      }
      var status: CInt = 0
      unsafe waitpid(child, &status, 0)
    }
  }
#endif
