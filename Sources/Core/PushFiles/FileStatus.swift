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

  /// Reads the status of a file in a folder, or of a symbolic link itself.
  init(of name: String, in folder: borrowing FileDescriptor) throws(FileError) {
    let folder = folder.number
    var status = stat()
    try SystemCall.resultOnPath(of: "fstatat") {
      unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)
    }
    self.status = status
  }

  /// Reads the status of the file at a path; nil if there is none, or if its status cannot be read.
  package init?(at path: String, isFollowingLinks: Bool) {
    var status = stat()
    let result = unsafe isFollowingLinks ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { return nil }
    self.status = status
  }

  /// Whether a path leads to anything, a broken link included.
  package static func isThere(_ path: String) -> Bool { FileStatus(at: path, isFollowingLinks: false) != nil }

  /// The length, in bytes.
  package var size: Int { Int(status.st_size) }

  /// When it was last modified, in Unix seconds.
  var modifiedAt: Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// The times of the last change of the contents (`mtime`) and of the status (`ctime`), to the nanosecond.
  private var times: [timespec] {
    #if canImport(Darwin)
      [status.st_mtimespec, status.st_ctimespec]
    #else
      [status.st_mtim, status.st_ctim]
    #endif
  }

  /// A stamp that changes when the file is replaced or written; nil for anything but a regular file.
  package var stamp: FileStamp? {
    identity.map { identity in
      FileStamp(identity: identity, size: size, times: times.map { [Int($0.tv_sec), Int($0.tv_nsec)] })
    }
  }

  /// The permission bits, including set-user-ID, set-group-ID and sticky.
  package var permissions: UInt32 { UInt32(status.st_mode) & 0o7777 }

  /// Whether the effective user owns it.
  package var isOwn: Bool { status.st_uid == geteuid() }

  /// The owner's user ID.
  package var owner: UInt32 { UInt32(status.st_uid) }

  /// Whether root owns it.
  package var isRoots: Bool { status.st_uid == 0 }

  /// Whether the effective user owns it, and only that user and root have access.
  ///
  /// A file with a secret must be so before it is changed.
  package var isOursAlone: Bool { isOwn && permissions & 0o077 == 0 }

  /// Whether others have no access to it, and the group has none, or may only read if the effective user cannot write.
  ///
  /// A secret that is mounted for a service is readable by its group. Only the mode's bits and the owner decide whether
  /// the user can write, even for root, who can write every file. With an access control list, the group's bits are the
  /// maximum that the list grants.
  package var isClosedToOthers: Bool {
    let isOursToWrite = isOwn && permissions & 0o200 != 0
    return permissions & (isOursToWrite ? 0o077 : 0o037) == 0
  }

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

  /// Identifies the file; nil for anything but a regular file.
  package var identity: FileIdentity? {
    kind == nil ? FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
  }
}

/// Identifies a regular file, regardless of the path that leads to it.
package struct FileIdentity: Equatable, Sendable {
  fileprivate let device: UInt64
  fileprivate let number: UInt64
}

/// A regular file as it was when its status was read.
package struct FileStamp: Equatable, Sendable {
  fileprivate let identity: FileIdentity
  fileprivate let size: Int
  fileprivate let times: [[Int]]
}
