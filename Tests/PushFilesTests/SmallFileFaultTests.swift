import PushFiles
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("What is no small file", .hangGuard)
struct SmallFileFaultTests {
  private let folder: TemporaryFolder
  private let file: SmallFile
  /// The same file with more patience: a child that another test starts keeps the lock until it calls exec.
  private let patient: SmallFile

  init() throws {
    folder = try TemporaryFolder()
    file = SmallFile(path: folder.path(of: "state"), maximumSize: 8, patience: .milliseconds(20))
    patient = SmallFile(path: file.path, maximumSize: 8, patience: HangGuard.patience)
  }

  private func expect(
    _ error: FileError, of file: SmallFile, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: sourceLocation) { try file.read() }
    #expect(throws: error, sourceLocation: sourceLocation) {
      try file.update { (_) throws(FileError) in ([1], ()) }
    }
  }

  @Test("a link is refused, wherever it points", arguments: ["target", "nothing", "/dev/zero"])
  func link(to target: String) throws {
    try folder.write([1], to: "target")
    try #require(unsafe symlink(target, file.path) == 0)
    expect(.notRegularFile(.symbolicLink), of: file)
    #expect(folder.bytes(of: "target") == [1])
  }

  @Test("a pipe is refused, and not waited for")
  func pipe() throws {
    try #require(unsafe mkfifo(file.path, 0o600) == 0)
    expect(.notRegularFile(.pipe), of: file)
  }

  @Test("a folder is refused")
  func directory() throws {
    try #require(unsafe mkdir(file.path, 0o700) == 0)
    expect(.notRegularFile(.folder), of: file)
  }

  @Test("a device is refused")
  func device() {
    #expect(throws: FileError.notRegularFile(.device)) {
      try SmallFile(path: "/dev/null", maximumSize: 8).read()
    }
  }

  #if os(Linux)
    @Test("a file that has more bytes than it says is refused")
    func growing() {
      #expect(throws: FileError.busy) { try SmallFile(path: "/proc/version", maximumSize: 8).read() }
    }
  #endif

  @Test("a path that can only be a folder's is refused", arguments: ["/", "/.", "/.."])
  func folderPath(end: String) {
    expect(.notRegularFile(.folder), of: SmallFile(path: folder.path + end, maximumSize: 8))
  }

  @Test("there must be a folder", arguments: ["none/state", "file/state"])
  func noFolder(path: String) throws {
    try folder.write([1], to: "file")
    expect(.missing, of: SmallFile(path: folder.path(of: path), maximumSize: 8))
  }

  @Test("an empty path, and one that would end early, lead nowhere")
  func noPath() throws {
    try folder.write([1], to: "a")
    for path in ["", folder.path(of: "a\0b")] { expect(.missing, of: SmallFile(path: path, maximumSize: 8)) }
  }

  @Test("a lock that another holds is waited for only so long, and only by who changes")
  func locked() throws {
    try folder.write([7], to: "state")
    let holder = try folder.lock()
    defer { close(holder) }
    #expect(throws: FileError.busy) { try file.update { (_) throws(FileError) in ([1], ()) } }
    #expect(try file.read() == [7])
    flock(holder, LOCK_UN)
    #expect(try patient.update { (old) throws(FileError) in (nil, old) } == [7])
  }

  @Test("a change holds the lock while it is made, and not longer")
  func lockHeld() throws {
    try file.update { (_) throws(FileError) in
      #expect(throws: SetupError.self) { try folder.lock() }
      return ([1], ())
    }
    #expect(try patient.read() == [1])
    try patient.update { (_) throws(FileError) in (nil, ()) }
  }

  @Test("in a folder that may not be written to the bytes can be read alone")
  func readOnlyFolder() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = SmallFile(path: folder.path(of: "state"), maximumSize: 8)
      try folder.write([7], to: "state")
      try #require(unsafe chmod(folder.path, 0o555) == 0)
      // Root may write everywhere; in this process alone, it is nobody for a while.
      let user = geteuid()
      if user == 0 { try #require(seteuid(65534) == 0) }
      #expect(throws: FileError.notPermitted) { try file.update { (_) throws(FileError) in ([1], ()) } }
      #expect(try file.read() == [7])
      try #require(seteuid(user) == 0)
      try #require(unsafe chmod(folder.path, 0o700) == 0)
    }
  }

  @Test("a disk without room keeps the old bytes")
  func noRoom() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let file = SmallFile(path: folder.path(of: "state"), maximumSize: 8)
      try folder.write([7], to: "state")
      // A write beyond the limit fails with EFBIG, in this process alone.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4, rlim_max: 4)
      try #require(unsafe setrlimit(fileSizeLimit, &limit) == 0)
      #expect(throws: FileError.system(call: "write", errno: EFBIG)) {
        try file.update { (_) throws(FileError) in ([1, 2, 3, 4, 5], ()) }
      }
      #expect(folder.bytes(of: "state") == [7])
      #expect(try folder.names == ["state"])
    }
  }
}

#if canImport(Glibc)
  private let fileSizeLimit = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
#else
  private let fileSizeLimit = RLIMIT_FSIZE
#endif
