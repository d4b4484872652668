#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open folder, so that what is done in it stays there whatever happens to its path.
package struct Folder: ~Copyable {
  /// The open folder.
  let descriptor: FileDescriptor

  private var isLocked = false

  /// Opens the folder at a path.
  package init(_ path: String) throws(FileError) {
    descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
  }

  deinit { if isLocked { descriptor.unlock() } }

  /// Checks that nobody but the effective user and root can put another file in a file's place.
  package func checkOwnership() throws(FileError) {
    let status = try descriptor.status
    let isSticky = status.permissions & 0o1000 != 0
    let isWritableByOthers = status.permissions & 0o022 != 0
    guard status.isOwn || status.isRoots else { throw .folderOfAnotherUser }
    guard isSticky || !isWritableByOthers else { throw .folderWritableByOthers }
  }

  /// Checks that files can be made in it, and changes nothing.
  package func checkWritable() throws(FileError) {
    let folder = descriptor.number
    try SystemCall.resultOnPath(of: "faccessat") { unsafe faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) }
  }

  /// Opens a file to read, without waiting for a pipe's other end.
  package func open(_ name: String, isFollowingLinks: Bool) throws(FileError) -> FileDescriptor {
    try FileDescriptor(
      opening: name, in: descriptor, O_RDONLY | O_NONBLOCK | (isFollowingLinks ? 0 : O_NOFOLLOW))
  }

  /// Makes a file that was not there, to write.
  func make(_ name: String, mode: mode_t) throws(FileError) -> FileDescriptor {
    try FileDescriptor(
      opening: name, in: descriptor, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  /// Gives a file a name in place of whatever has that name.
  func rename(_ name: String, to newName: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.result(of: "renameat") { unsafe renameat(folder, name, folder, newName) }
  }

  /// Gives a file a second name, which nothing has.
  ///
  /// - Throws: ``FileError/exists``.
  func link(_ name: String, to newName: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.resultOnPath(of: "linkat") { unsafe linkat(folder, name, folder, newName, 0) }
  }

  /// Removes a name.
  func remove(_ name: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.result(of: "unlinkat") { unsafe unlinkat(folder, name, 0) }
  }

  /// Removes a file, for good.
  ///
  /// - Throws: ``FileError/missing`` if there is none.
  package func removeFile(_ name: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.resultOnPath(of: "unlinkat") { unsafe unlinkat(folder, name, 0) }
    try synchronize()
  }

  /// Waits until the names are on the disk.
  package func synchronize() throws(FileError) {
    try descriptor.synchronize()
  }

  /// Waits for the folder's lock, for at most `limit`, and holds it for as long as this value lives.
  ///
  /// - Throws: ``FileError/busy``.
  package mutating func lock(within limit: Duration) throws(FileError) {
    let start = ContinuousClock.now
    while try !descriptor.tryLock() {
      guard start.duration(to: .now) < limit else { throw .busy }
      SystemCall.pause(milliseconds: .random(in: 5...15))
    }
    isLocked = true
  }
}
