import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder of a test's own, removed at the end.
final class TemporaryFolder: Sendable {
  let path: String

  init(mode: mode_t = 0o700) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keys-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    path = folder.path
    try setMode(mode, of: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, and gives its path.
  @discardableResult
  func write(_ text: String, to name: String = "keys.json", mode: mode_t = 0o600) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: name)))
    try setMode(mode, of: path(of: name))
    return path(of: name)
  }

  /// The names in it.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// Why a test cannot be set up.
struct SetupError: Error { let errno: Int32 }

/// Sets permission bits.
func setMode(_ mode: mode_t, of path: String) throws {
  guard unsafe chmod(path, mode) == 0 else { throw SetupError(errno: errno) }
}

/// The permission bits of a path.
func mode(of path: String) throws -> mode_t {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw SetupError(errno: errno) }
  return status.st_mode & 0o7777
}
