#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
private import Locks

/// A folder for scratch files, whose names share a prefix; files without the prefix are never touched.
package struct ScratchFolder: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  private let prefix: String

  /// Takes the path and the prefix of the scratch files, and does not access the disk yet.
  package init(path: String, prefix: String) {
    precondition(!prefix.isEmpty, "an empty prefix would match other programs' files")
    self.path = path
    self.prefix = prefix
  }

  /// The path of a scratch file.
  package func path(of name: String) -> String { "\(path)/\(prefix)\(name)" }

  /// Creates the folder (0700) if it is missing, and removes old scratch files that killed processes left behind.
  ///
  /// A scratch file, finished or not, is old if it was not modified for `age` seconds.
  ///
  /// - Throws: ``FileError``; ``FileError/folderWritableByOthers(path:mode:)``,
  ///   ``FileError/folderOfAnotherUser(path:owner:)`` or ``FileError/linkOfAnotherUser(path:owner:)`` if another user
  ///   can replace files there.
  package func prepare(removingFilesOlderThan age: Int) throws(FileError) {
    do throws(FileError) {
      try SystemCall.resultOnPath(of: "mkdir") { unsafe mkdir(path, 0o700) }
    } catch .exists {}
    let folder = try Folder(path, isGuarded: true)
    let limit = time(nil) - age
    for name in try folder.names() where isPassing(name) && Self.isOld(name, in: folder, before: limit) {
      try? folder.remove(name)
    }
  }

  private func isPassing(_ name: String) -> Bool { name.hasPrefix(prefix) || name.hasPrefix(".\(prefix)") }

  private static func isOld(_ name: String, in folder: borrowing Folder, before limit: Int) -> Bool {
    guard let file = try? folder.open(name, isFollowingLinks: false), let status = try? file.status,
      status.kind == nil
    else { return false }
    return status.modifiedAt < limit
  }
}

/// A file that is deleted at the end of this object's life, unless the object gave up its ownership.
package final class ScratchFile: Sendable {
  /// The path.
  package let path: String

  private let isOurs = Mutex(true)

  /// Takes ownership of a file.
  package init(path: String) { self.path = path }

  deinit {
    guard isOurs.withLock({ $0 }), let location = try? FileLocation(path),
      let folder = try? Folder(location.folder)
    else { return }
    try? folder.remove(location.name)
  }

  /// Gives up ownership: the file is not deleted.
  package func leave() { isOurs.withLock { $0 = false } }
}
