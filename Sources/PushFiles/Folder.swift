#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open folder, so that what is done in it stays there whatever happens to its path.
package struct Folder: ~Copyable {
  /// The open folder.
  private let descriptor: FileDescriptor

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

extension Folder {
  /// Who may read a new file.
  package enum Audience {
    /// Its owner alone, whatever the process's mask.
    case owner
    /// Whom the process's mask admits.
    case anyone
  }

  /// Writes a file so that its name leads to all of the bytes or, at any moment before, to what it led to.
  ///
  /// The order is: write under another name, wait for the disk, give it its name, wait for the disk. After an error
  /// there is no other name, and the old file stands; only if the very last step fails, a replaced file has its new
  /// contents, and a power failure may undo that.
  ///
  /// - Throws: ``FileError/notDurable`` for that, ``FileError/exists`` if something has the name and `isReplacing` is false.
  package func write(
    _ bytes: Span<UInt8>, to location: FileLocation, for audience: Audience, isReplacing: Bool
  ) throws(FileError) {
    let temporary = location.temporaryName
    let file = try make(temporary, mode: audience == .anyone ? 0o666 : 0o600)
    do throws(FileError) {
      try Self.fill(file, with: bytes, for: audience)
      try move(temporary, to: location.name, isReplacing: isReplacing)
    } catch {
      try? remove(temporary)
      throw error
    }
    do throws(FileError) {
      try synchronize()
    } catch {
      guard isReplacing else {
        try? remove(location.name)
        throw error
      }
      throw .notDurable
    }
  }

  private static func fill(
    _ file: consuming FileDescriptor, with bytes: Span<UInt8>, for audience: Audience
  ) throws(FileError) {
    if audience != .anyone { try file.setPermissions(0o600) }
    try file.write(bytes)
    try file.synchronize()
    try file.close()
  }

  private func move(_ name: String, to newName: String, isReplacing: Bool) throws(FileError) {
    guard !isReplacing else { return try rename(name, to: newName) }
    try link(name, to: newName)
    do throws(FileError) {
      try remove(name)
    } catch {
      try? remove(newName)
      throw error
    }
  }
}

extension Folder {
  /// Removes what killed processes left behind of a file, while the caller holds the lock.
  ///
  /// What cannot be removed is left: in a shared folder it may be somebody else's, of that name by malice.
  package func removeStaleFiles(of location: FileLocation) throws(FileError) {
    for name in try names() where location.isTemporary(name) { try? remove(name) }
  }

  /// The names in the folder.
  func names() throws(FileError) -> [String] {
    let folder = descriptor.number
    // A descriptor of its own, since a duplicate would share its place in the list.
    let list = try SystemCall.result(of: "openat") {
      unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    }
    guard let stream = unsafe fdopendir(list) else {
      let error = FileError.system(call: "fdopendir", errno: errno)
      close(list)
      throw error
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    guard errno == 0 else { throw .system(call: "readdir", errno: errno) }
    return names
  }
}
