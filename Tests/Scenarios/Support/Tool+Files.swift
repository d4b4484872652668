import Foundation
import Glibc
import TestSupport
import Testing

/// The files in the tool's folder.
extension Tool {
  /// The path of a file.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The names of all files, hidden ones too, but for the folder's lock, which every change leaves.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != lockName }.sorted()
    }
  }

  /// The name of the folder's lock.
  var lockName: String { ".sealed-push.\(geteuid()).lock" }

  /// Reads a file.
  func contents(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Writes a file, its owner's alone.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    try setMode(0o600, of: name)
  }

  /// Writes a file of text, its owner's alone.
  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  /// Sets a file's permission bits.
  func setMode(_ mode: mode_t, of name: String) throws {
    try TestSupport.setMode(mode, of: path(name))
  }

  /// A file's permission bits.
  func mode(of name: String) throws -> mode_t {
    try TestSupport.mode(of: path(name))
  }

  /// The keys of a file, as the tool lists them.
  func keys(_ name: String) async throws -> [ListedKey] {
    try await succeed("keys list --json --keys \(name)").json()
  }
}
