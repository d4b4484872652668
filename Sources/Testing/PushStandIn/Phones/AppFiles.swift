private import Foundation

/// An app's files: what it shares with its extension, and what it has alone.
final class AppFiles: Sendable {
  private let folder: URL

  /// Makes the folder, with a copy of what a backup has.
  init(restoring backup: AppFiles?) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sealedpush-app-\(UUID().uuidString)")
    if let backup {
      try FileManager.default.copyItem(at: backup.folder, to: folder)
    } else {
      try make()
    }
  }

  /// The folder that the extension uses too.
  var group: String { folder.appendingPathComponent("group").path }

  /// The file of the app's registration.
  var registration: String { folder.appendingPathComponent("registration.json").path }

  /// Removes what is in it.
  func empty() {
    remove()
    try? make()
  }

  /// Removes it.
  func remove() { try? FileManager.default.removeItem(at: folder) }

  private func make() throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("group/notes"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }
}
