#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What the system says of an open file or folder.
package struct FileStatus {
  private let status: stat

  /// Asks about a descriptor.
  init(of descriptor: CInt) throws(FileError) {
    var status = stat()
    try SystemCall.result(of: "fstat") { unsafe fstat(descriptor, &status) }
    self.status = status
  }

  /// Asks about the file at a path; nil if there is none, or it cannot be asked about.
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

  /// When it was last written, in Unix seconds by the system's clock.
  var modifiedAt: Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// The permission bits, with set-id and sticky.
  package var permissions: UInt32 { UInt32(status.st_mode) & 0o7777 }

  /// Whether it is the effective user's.
  package var isOwn: Bool { status.st_uid == geteuid() }

  /// Whether it is root's.
  var isRoots: Bool { status.st_uid == 0 }

  /// What it is; null for a regular file.
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

  /// Which file it is; nil for anything but a regular file.
  package var identity: FileIdentity? {
    kind == nil ? FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
  }
}

/// Which regular file something is, whatever path leads to it.
package struct FileIdentity: Equatable, Sendable {
  fileprivate let device: UInt64
  fileprivate let number: UInt64
}
