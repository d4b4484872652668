#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock of a folder, which a process holds while it changes files there: until this value's or the process's end.
///
/// It is an advisory lock (`flock`) on the empty file ``name`` in the folder (0600), because only the owner can open
/// that file, while anyone who may read the folder could lock the folder itself. Each user has their own lock, because
/// nobody changes another user's files, not even in a shared folder. The first change makes the file, which stays. iOS does not
/// suspend the process while it holds or awaits the lock.
package struct FolderLock: ~Copyable {
  /// The file's name: `.sealed-push.<user ID>.lock`, with the ID of the effective user.
  package static var name: String { ".sealed-push.\(geteuid()).lock" }

  private let file: FileDescriptor
  private let activity: ExpiringActivity?

  /// Waits at most `limit` for the lock.
  ///
  /// A missing file is made only if `isMaking`; while it is missing, nobody holds the lock. A file that is not the
  /// effective user's alone is refused at once, because another user could hold its lock forever.
  ///
  /// - Throws: ``FileError/busy`` after `limit`, or if the system is about to suspend the process;
  ///   ``FileError/lockNotOwn(name:)``; ``FileError/missing`` if the file is missing and `isMaking` is false.
  init(
    of folder: borrowing FileDescriptor, within limit: Duration, isMaking: Bool
  ) throws(FileError) {
    let activity = try ExpiringActivity.begin()
    do throws(FileError) {
      file = try Self.take(in: folder, within: limit, isMaking: isMaking)
    } catch {
      activity?.end()
      throw error
    }
    self.activity = activity
  }

  deinit {
    file.unlock()
    activity?.end()
  }

  private static func take(
    in folder: borrowing FileDescriptor, within limit: Duration, isMaking: Bool
  ) throws(FileError) -> FileDescriptor {
    let start = ContinuousClock.now
    while true {
      let file = try open(in: folder, isMaking: isMaking)
      let status = try file.status
      guard isOwn(status) else { throw .lockNotOwn(name: name) }
      // The process's umask may have removed permissions of the owner that the next process needs.
      if status.permissions != 0o600 { try file.setPermissions(0o600) }
      while try !file.tryLock() {
        guard start.duration(to: .now) < limit else { throw .busy }
        SystemCall.pause(milliseconds: .random(in: 5...15))
      }
      // If somebody has removed the file meanwhile, the next process makes and locks another one.
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
