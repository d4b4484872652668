import Foundation

/// A folder of a test's own, which goes with it.
final class TestFolder: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "/pitfalls-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder in it.
  func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: false)
    return path(name)
  }

  /// The bytes of every file in a folder of it, hidden ones too, by name.
  func files(in name: String = "") -> [String: Data] {
    var files: [String: Data] = [:]
    for file in FileManager.default.enumerator(atPath: path(name)) ?? .init() {
      guard let file = file as? String else { continue }
      files[file] = FileManager.default.contents(atPath: "\(path(name))/\(file)")
    }
    return files
  }
}
