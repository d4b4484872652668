import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of a test's own, removed at the end.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(of: name)))
  }

  /// What a file holds; null if there is none.
  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(of: name)).map(Array.init)
  }

  /// The names in it.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Holds the folder's lock as another process would, for as long as the result is open.
  func lock() throws -> CInt {
    let holder = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard flock(holder, LOCK_EX | LOCK_NB) == 0 else { throw SetupError(errno: errno) }
    return holder
  }
}

/// Why a test cannot be set up.
struct SetupError: Error { let errno: Int32 }

/// The permission bits of a path.
func mode(of path: String) throws -> mode_t {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw SetupError(errno: errno) }
  return status.st_mode & 0o7777
}

/// The file's number, which a new file of the same name does not share while both exist.
func number(of path: String) throws -> UInt64 {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw SetupError(errno: errno) }
  return UInt64(status.st_ino)
}
