#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
private import Synchronization

/// A folder with files that nobody keeps, whose names all begin alike; what else is in it is nobody's business.
package struct PassingFolder: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  private let prefix: String

  /// Names a folder, and how the names of the passing files begin, and touches nothing yet.
  package init(path: String, prefix: String) {
    precondition(!prefix.isEmpty, "the folder may have files of others")
    self.path = path
    self.prefix = prefix
  }

  /// The path of a passing file.
  package func path(of name: String) -> String { "\(path)/\(prefix)\(name)" }

  /// Makes the folder (0700) if it is not there, and removes the passing files that were not written to for `age`
  /// seconds: those of processes that were killed, unfinished ones too.
  ///
  /// - Throws: ``FileError``; ``FileError/folderWritableByOthers`` or ``FileError/folderOfAnotherUser`` if somebody else can put
  ///   files there.
  package func prepare(removingFilesOlderThan age: Int) throws(FileError) {
    do throws(FileError) {
      try SystemCall.resultOnPath(of: "mkdir") { unsafe mkdir(path, 0o700) }
    } catch .exists {}
    let folder = try Folder(path)
    try folder.checkOwnership()
    let limit = time(nil) - age
    for name in try folder.names() where isPassing(name) && Self.isOld(name, in: folder, limit) {
      try? folder.remove(name)
    }
  }

  private func isPassing(_ name: String) -> Bool { name.hasPrefix(prefix) || name.hasPrefix(".\(prefix)") }

  private static func isOld(_ name: String, in folder: borrowing Folder, _ limit: Int) -> Bool {
    guard let file = try? folder.open(name, isFollowingLinks: false), let status = try? file.status,
      status.kind == nil
    else { return false }
    return status.modifiedAt < limit
  }
}

/// A file that is removed when nobody has it any more, unless somebody else has taken it over.
package final class PassingFile: Sendable {
  /// The path.
  package let path: String

  private let isOurs = Atomic(true)

  /// Takes over a file.
  package init(path: String) { self.path = path }

  deinit {
    guard isOurs.load(ordering: .acquiring), let location = try? FileLocation(path),
      let folder = try? Folder(location.folder)
    else { return }
    try? folder.remove(location.name)
  }

  /// Leaves the file where it is, because it is somebody else's now.
  package func leave() { isOurs.store(false, ordering: .releasing) }
}
