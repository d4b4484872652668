#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder for files that nobody keeps, its owner's alone.
package struct PassingFolder: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  /// Names a folder, and touches nothing yet.
  package init(path: String) { self.path = path }

  /// Makes the folder (0700) if it is not there, and removes the files in it that were not written to for `age` seconds:
  /// those of processes that were killed.
  ///
  /// - Throws: ``FileError``; ``FileError/folderWritableByOthers`` if somebody else can put files there.
  package func prepare(removingFilesOlderThan age: Int) throws(FileError) {
    do throws(FileError) {
      try SystemCall.resultOnPath(of: "mkdir") { unsafe mkdir(path, 0o700) }
    } catch .exists {}
    let folder = try Folder(path)
    try folder.checkOwnership()
    let limit = time(nil) - age
    for name in try folder.names() where Self.isOld(name, in: folder, limit) { try? folder.remove(name) }
  }

  private static func isOld(_ name: String, in folder: borrowing Folder, _ limit: Int) -> Bool {
    guard let file = try? folder.open(name, isFollowingLinks: false), let status = try? file.status,
      status.kind == nil
    else { return false }
    return status.modifiedAt < limit
  }
}
