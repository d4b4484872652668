public import Foundation
private import PushFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of one test's own, which is removed with the last reference to it.
public final class TemporaryFolder: Sendable {
  /// Its path, without symbolic links: what programs report that are asked for the path of an open file.
  public let path: String

  /// Creates an empty folder.
  ///
  /// - Throws: ``SetupError`` if it cannot be created.
  public init(mode: mode_t = 0o700) throws {
    let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    path = "\(parent)/sealed-push-\(UUID().uuidString)"
    guard unsafe mkdir(path, 0o700) == 0 else { throw SetupError(call: "mkdir", errno: errno) }
    try setMode(mode, of: path)
  }

  deinit {
    unsafe chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Its URL.
  public var url: URL { URL(fileURLWithPath: path) }

  /// The names in it, hidden ones too, in order, but for its lock, which every change leaves.
  public var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != FolderLock.name }.sorted()
    }
  }

  /// The path of its lock.
  public var lockPath: String { self.path(of: FolderLock.name) }

  /// Holds its lock as another process would, for as long as the result is open.
  ///
  /// - Throws: ``SetupError`` if it is held.
  public func lock() throws -> CInt {
    let holder = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard flock(holder, LOCK_EX | LOCK_NB) == 0 else { throw SetupError(call: "flock", errno: errno) }
    return holder
  }

  /// The path of a name in it.
  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// A file's bytes; nil if there is no such file.
  public func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(of: name)).map(Array.init)
  }

  /// The bytes of every file in it or in one of its folders, at any depth, hidden ones too, by name; but for locks.
  public func files(in name: String = "") -> [String: Data] {
    var files: [String: Data] = [:]
    for file in FileManager.default.enumerator(atPath: path(of: name)) ?? .init() {
      guard let file = file as? String, !file.hasSuffix(FolderLock.name) else { continue }
      files[file] = FileManager.default.contents(atPath: "\(path(of: name))/\(file)")
    }
    return files
  }

  /// Writes a file.
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
  }

  /// Writes a file of text with these permission bits, and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String = "keys.json", mode: mode_t = 0o600) throws -> String {
    try write(text.utf8, to: name)
    try setMode(mode, of: path(of: name))
    return path(of: name)
  }

  /// Makes a folder in it, and returns its path.
  public func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(of: name), withIntermediateDirectories: false)
    return path(of: name)
  }
}

/// A test cannot be set up, because a system call failed.
public struct SetupError: Error {
  /// The call.
  public let call: String
  /// Why it failed.
  public let errno: Int32

  /// A call that failed.
  public init(call: String, errno: Int32) { (self.call, self.errno) = (call, errno) }
}

/// Sets a file's permission bits.
public func setMode(_ mode: mode_t, of path: String) throws {
  guard unsafe chmod(path, mode) == 0 else { throw SetupError(call: "chmod", errno: errno) }
}

/// The permission bits of a file, or of a symbolic link itself.
public func mode(of path: String) throws -> mode_t {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw SetupError(call: "lstat", errno: errno) }
  return status.st_mode & 0o7777
}
