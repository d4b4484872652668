import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "attachments-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names of all files, hidden ones too.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func read(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(name))) }

  func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: url(name)) }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }
}
