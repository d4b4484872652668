#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The status of a file or folder.
package struct FileStatus {
  private let status: stat

  /// Reads the status of a descriptor.
  init(of descriptor: CInt) throws(FileError) {
    var status = stat()
    try SystemCall.result(of: "fstat") { unsafe fstat(descriptor, &status) }
    self.status = status
  }

  /// Reads the status of a file in a folder; of a symbolic link, its own status.
  init(of name: String, in folder: borrowing FileDescriptor) throws(FileError) {
    let folder = folder.number
    var status = stat()
    try SystemCall.resultOnPath(of: "fstatat") {
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    self.status = status
  }

  /// Reads the status of a file in a folder, as ``init(of:in:)`` does; nil if there is none of that name.
  init?(ifThere name: String, in folder: borrowing FileDescriptor) throws(FileError) {
    do throws(FileError) { try self.init(of: name, in: folder) } catch {
      guard error == .missing else { throw error }
      return nil
    }
  }

  /// Reads the status of the file at a path; nil if there is no file, or if its status cannot be read.
  package init?(at path: String, isFollowingLinks: Bool) {
    var status = stat()
    let result = unsafe isFollowingLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    self.status = status
  }

  /// Whether there is anything at a path, even a broken link.
  package static func isThere(_ path: String) -> Bool { FileStatus(at: path, isFollowingLinks: false) != nil }

  /// The length, in bytes.
  package var size: Int { Int(status.st_size) }

  /// When the contents were last modified, in Unix seconds.
  var modifiedAt: Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// When the contents were last modified, and when the contents or the status last changed, to the nanosecond.
  private var times: [timespec] {
    #if canImport(Darwin)
      [status.st_mtimespec, status.st_ctimespec]
    #else
      [status.st_mtim, status.st_ctim]
    #endif
  }

  /// A stamp that differs after the file was written or replaced; nil for anything but a regular file.
  package var stamp: FileStamp? {
    identity.map { identity in
      FileStamp(identity: identity, size: size, times: times.map { [Int($0.tv_sec), Int($0.tv_nsec)] })
    }
  }

  /// The permission bits, including set-user-ID, set-group-ID and sticky.
  package var permissions: UInt32 { UInt32(status.st_mode) & 0o7777 }

  /// Whether the effective user owns the file.
  package var isOwn: Bool { status.st_uid == geteuid() }

  /// The owner's user ID.
  package var owner: UInt32 { UInt32(status.st_uid) }

  /// Whether root owns the file.
  package var isRoots: Bool { status.st_uid == 0 }

  /// Whether a group of this process may write the file or folder.
  var isShared: Bool { permissions & 0o020 != 0 && isOfOwnGroup }

  /// Whether nobody may write the file or folder but its owner and, if it is shared, the members of its group.
  var isWritableByNoStranger: Bool { permissions & 0o022 == 0 || permissions & 0o002 == 0 && isOfOwnGroup }

  /// Whether the group is one of this process.
  private var isOfOwnGroup: Bool {
    if status.st_gid == getegid() { return true }
    var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    let count = unsafe getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(count, 0))).contains(status.st_gid)
  }

  /// Whether only the effective user, who owns the file, and root have access, as a secret file needs before a change.
  package var isOursAlone: Bool { isOwn && permissions & 0o077 == 0 }

  /// Whether others have no access to the file, and its group none but to read a file that the user cannot write.
  ///
  /// Files that are mounted for a service are often readable by a group. Whether the user can write the file is decided
  /// by the owner and the mode, for root too, who can write every file. With an access control list, the group's bits
  /// are the most that the list grants.
  package var isClosedToOthers: Bool {
    let isOursToWrite = isOwn && permissions & 0o200 != 0
    return permissions & (isOursToWrite ? 0o077 : 0o037) == 0
  }

  /// Whether the file or folder was removed, and is there only for whoever has it open.
  var isRemoved: Bool { status.st_nlink == 0 }

  /// The kind; nil for a regular file.
  package var kind: FileKind? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: .folder
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFLNK: .symbolicLink
    default: .device
    }
  }

  /// Whether both statuses are of the same file or folder.
  package func isSame(as other: FileStatus) -> Bool {
    status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
  }

  /// The file's identity; nil for anything but a regular file.
  package var identity: FileIdentity? {
    kind == nil ? FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
  }
}

/// The identity of a regular file, whatever path leads to it.
package struct FileIdentity: Equatable, Sendable {
  fileprivate let device: UInt64
  fileprivate let number: UInt64
}

/// The state of a regular file when its status was read, to notice changes.
package struct FileStamp: Equatable, Sendable {
  fileprivate let identity: FileIdentity
  fileprivate let size: Int
  fileprivate let times: [[Int]]
}
