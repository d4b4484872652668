#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder's lock: its holder may change files there, until this value is destroyed or the process ends.
///
/// It is an advisory lock (`flock`) on the empty file ``name`` in the folder, 0600, which only its owner can open. The
/// folder itself would not do as a lock, because anyone who may read it could lock it. Each user has a lock of their
/// own: even in a shared folder, no user changes another user's files. The first change makes the file, and it stays.
package struct FolderLock: ~Copyable {
  /// The file's name: `.sealed-push.<user ID>.lock`, with the ID of the effective user.
  package static var name: String { ".sealed-push.\(geteuid()).lock" }

  private let file: FileDescriptor

  /// Waits at most `limit` for the lock.
  ///
  /// If `isMaking` is false, a missing file is not made: then nobody holds the lock. A link, or a file that others can
  /// open, is neither followed nor waited for: the user who put it there could hold the lock forever.
  ///
  /// - Throws: ``FileError/busy`` after `limit`; ``FileError/lockNotOwn(name:)``; ``FileError/missing`` if there is no
  ///   file, and `isMaking` is false.
  init(
    of folder: borrowing FileDescriptor, within limit: Duration, isMaking: Bool
  ) throws(FileError) {
    file = try Self.take(in: folder, within: limit, isMaking: isMaking)
  }

  deinit { file.unlock() }

  private static func take(
    in folder: borrowing FileDescriptor, within limit: Duration, isMaking: Bool
  ) throws(FileError) -> FileDescriptor {
    let start = ContinuousClock.now
    while true {
      let file = try open(in: folder, isMaking: isMaking)
      let status = try file.status
      guard isOwn(status) else { throw .lockNotOwn(name: name) }
      // The process's umask may have removed permissions that the owner's next process needs.
      if status.permissions != 0o600 { try file.setPermissions(0o600) }
      while try !file.tryLock() {
        guard start.duration(to: .now) < limit else { throw .busy }
        SystemCall.pause(milliseconds: .random(in: 5...15))
      }
      // If the file was removed meanwhile, the next process would make and lock another one.
      if try isNamed(status, in: folder) { return file }
      guard start.duration(to: .now) < limit else { throw .busy }
    }
  }

  private static func open(
    in folder: borrowing FileDescriptor, isMaking: Bool
  ) throws(FileError) -> FileDescriptor {
    do throws(FileError) {
      return try FileDescriptor(
        opening: name, in: folder, flags: O_RDWR | O_NONBLOCK | O_NOFOLLOW | (isMaking ? O_CREAT : 0),
        mode: 0o600)
    } catch .notRegularFile {
      throw .lockNotOwn(name: name)
    } catch .notPermitted {
      // The file is another user's, or no file can be made in the folder.
      if let status = try? FileStatus(of: name, in: folder), !isOwn(status) { throw .lockNotOwn(name: name) }
      throw .notPermitted
    }
  }

  /// Whether only the effective user can open the file.
  private static func isOwn(_ status: FileStatus) -> Bool {
    status.kind == nil && status.isOwn && status.permissions & 0o077 == 0
  }

  private static func isNamed(
    _ status: FileStatus, in folder: borrowing FileDescriptor
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      return try FileStatus(of: name, in: folder).identity == status.identity
    } catch .missing {
      return false
    }
  }
}
