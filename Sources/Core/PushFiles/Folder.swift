#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open folder.
///
/// Operations stay in this folder even if its path is renamed or replaced.
package struct Folder: ~Copyable {
  private let descriptor: FileDescriptor

  private var held: FolderLock?

  /// Opens the folder at a path; with `isGuarded`, only if nobody but the effective user and root can replace the
  /// folder, files in it, or anything on the way to it.
  ///
  /// - Throws: ``FileError``; with `isGuarded` also ``FileError/folderWritableByOthers(path:mode:)``,
  ///   ``FileError/folderOfAnotherUser(path:owner:)``, ``FileError/linkOfAnotherUser(path:owner:)``.
  package init(_ path: String, isGuarded: Bool = false) throws(FileError) {
    if isGuarded {
      descriptor = try GuardedWay.folder(at: path)
    } else {
      descriptor = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
    }
  }

  /// Makes a folder at a path (0700, regardless of the process's umask), unless there is one.
  ///
  /// - Throws: ``FileError``; ``FileError/missing`` if its parent folder is missing; an error also if another user can
  ///   replace anything on the way to the folder.
  package static func make(at path: String) throws(FileError) {
    guard FileStatus(at: path, isFollowingLinks: true) == nil else { return }
    let location = try FileLocation(path)
    let parent = try Folder(location.folder, isGuarded: true)
    let (number, name) = (parent.descriptor.number, location.name)
    do throws(FileError) {
      try SystemCall.resultOnPath(of: "mkdirat") { unsafe mkdirat(number, name, 0o700) }
      try SystemCall.resultOnPath(of: "fchmodat") { unsafe fchmodat(number, name, 0o700, 0) }
    } catch .exists {
      // Another process has made the folder, or this is something else, which then cannot be opened as a folder.
      return
    }
    try parent.synchronize()
  }

  /// Checks that files can be created in the folder, without creating one.
  package func checkWritable() throws(FileError) {
    let folder = descriptor.number
    try SystemCall.resultOnPath(of: "faccessat") { unsafe faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) }
  }

  /// Checks that the folder was not removed since it was opened.
  ///
  /// - Throws: ``FileError/missing`` if it was.
  func checkThere() throws(FileError) {
    guard try !descriptor.status.isRemoved else { throw .missing }
  }

  /// Opens a file for reading; does not block on a named pipe.
  package func open(_ name: String, isFollowingLinks: Bool) throws(FileError) -> FileDescriptor {
    try FileDescriptor(
      opening: name, in: descriptor, flags: O_RDONLY | O_NONBLOCK | (isFollowingLinks ? 0 : O_NOFOLLOW))
  }

  /// Creates a new file for writing.
  func make(_ name: String, mode: mode_t) throws(FileError) -> FileDescriptor {
    try FileDescriptor(
      opening: name, in: descriptor, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
  }

  /// Renames a file, and replaces any file that has the new name.
  func rename(_ name: String, to newName: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.result(of: "renameat") { unsafe renameat(folder, name, folder, newName) }
  }

  /// Gives a file a second name, which must be free.
  ///
  /// - Throws: ``FileError/exists`` if the second name is taken.
  func link(_ name: String, to newName: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.resultOnPath(of: "linkat") { unsafe linkat(folder, name, folder, newName, 0) }
  }

  /// Removes a file.
  func remove(_ name: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.result(of: "unlinkat") { unsafe unlinkat(folder, name, 0) }
  }

  /// Removes a file and waits until the removal is on the disk.
  ///
  /// - Throws: ``FileError/missing`` if there is no such file.
  package func removeFile(_ name: String) throws(FileError) {
    let folder = descriptor.number
    try SystemCall.resultOnPath(of: "unlinkat") { unsafe unlinkat(folder, name, 0) }
    try synchronize()
  }

  /// Waits until the folder's entries are as durable as asked.
  package func synchronize(_ durability: Durability = .lasting) throws(FileError) {
    try descriptor.synchronize(durability)
  }

  /// Waits at most `limit` for the folder's lock, and holds it while this value lives.
  ///
  /// The lock's file is missing in a folder that nobody has changed yet; it is made only if `isMaking`.
  ///
  /// - Throws: ``FileError/busy`` after `limit`; ``FileError/lockNotOwn(name:)``; ``FileError/missing`` if the lock's
  ///   file is missing and `isMaking` is false.
  package mutating func lock(within limit: Duration, isMaking: Bool = true) throws(FileError) {
    held = try FolderLock(of: descriptor, within: limit, isMaking: isMaking)
  }
}

extension Folder {
  /// The users that may read a new file.
  package enum Audience {
    /// Its owner only (0600), regardless of the process's umask.
    case owner
    /// Everyone that the process's umask allows.
    case anyone
  }

  /// Writes a file atomically: at any moment its name leads either to the old file or to all of the new bytes.
  ///
  /// It writes to a temporary file, syncs it, renames it, and syncs the folder. After an error the temporary file is
  /// removed and the old file is unchanged. The exception is an error of the last sync: a replaced file then has its
  /// new contents, and a power failure may undo the change.
  ///
  /// - Throws: ``FileError/notDurable`` if the last sync of a replacement fails; ``FileError/exists`` if the name is
  ///   taken and `isReplacing` is false.
  package func write(
    _ bytes: Span<UInt8>, to location: FileLocation, for audience: Audience, isReplacing: Bool,
    durability: Durability = .lasting
  ) throws(FileError) {
    let temporary = location.temporaryName
    let file = try make(temporary, mode: audience == .anyone ? 0o666 : 0o600)
    do throws(FileError) {
      try Self.fill(file, with: bytes, for: audience, durability: durability)
      try move(temporary, to: location.name, isReplacing: isReplacing)
    } catch {
      try? remove(temporary)
      throw error
    }
    do throws(FileError) {
      try synchronize(durability)
    } catch {
      guard isReplacing else {
        try? remove(location.name)
        throw error
      }
      throw .notDurable
    }
  }

  private static func fill(
    _ file: consuming FileDescriptor, with bytes: Span<UInt8>, for audience: Audience,
    durability: Durability
  ) throws(FileError) {
    if audience != .anyone { try file.setPermissions(0o600) }
    try file.write(bytes)
    try file.synchronize(durability)
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
  /// Removes the temporary files of a file that killed processes left behind; the caller must hold the lock.
  ///
  /// Files that cannot be removed are ignored: in a shared folder another user may have created them on purpose.
  package func removeStaleFiles(of location: FileLocation) throws(FileError) {
    remove(try temporaryFiles(of: location))
  }

  /// Takes the lock and removes the temporary files that killed processes left behind.
  ///
  /// The lock's file is not made if it is missing: then no process is writing the files. After an error nothing is
  /// removed.
  ///
  /// - Throws: ``FileError``; ``FileError/busy`` after `limit`; ``FileError/lockNotOwn(name:)``.
  package mutating func removeStaleFiles(
    of location: FileLocation, within limit: Duration
  ) throws(FileError) {
    // Listed before the lock is looked for: a later file belongs to another process, which may be writing it.
    let names = try temporaryFiles(of: location)
    guard !names.isEmpty else { return }
    do throws(FileError) {
      try lock(within: limit, isMaking: false)
    } catch .missing {}
    remove(names)
  }

  private func temporaryFiles(of location: FileLocation) throws(FileError) -> [String] {
    try names().filter(location.isTemporary)
  }

  private func remove(_ names: [String]) {
    for name in names { try? remove(name) }
  }

  /// The names of all entries.
  func names() throws(FileError) -> [String] {
    let folder = descriptor.number
    // A new descriptor, because a duplicate would share the read position.
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
