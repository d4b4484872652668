import Foundation

/// A folder for one test, removed with it.
final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A file of that many bytes, which takes no room.
  func file(_ name: String, size: UInt64 = 1) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: size)
    try handle.close()
    return file
  }
}
