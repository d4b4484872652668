#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The C functions that the methods below would hide.
private let cRead = unsafe read(_:_:_:)
private let cWrite = unsafe write(_:_:_:)
private let cClose = close(_:)

/// An open file or folder, closed when this value is destroyed.
package struct FileDescriptor: ~Copyable {
  /// The number, valid while this value lives.
  let number: CInt

  /// Opens a path, absolute or relative to the working folder.
  ///
  /// Child processes do not inherit the descriptor.
  init(opening path: String, _ flags: CInt) throws(FileError) {
    number = try SystemCall.resultOnPath(of: "open") { unsafe open(path, flags | O_CLOEXEC) }
  }

  /// Opens a file in a folder; if `flags` say so, creates it with `mode`.
  init(
    opening name: String, in folder: borrowing FileDescriptor, _ flags: CInt, mode: mode_t = 0
  ) throws(FileError) {
    let folder = folder.number
    number = try SystemCall.resultOnPath(of: "openat") {
      unsafe openat(folder, name, flags | O_CLOEXEC, mode)
    }
  }

  deinit { _ = cClose(number) }

  /// Its status: kind, size, owner, permissions.
  package var status: FileStatus {
    get throws(FileError) { try FileStatus(of: number) }
  }

  /// The length of a regular file, in bytes.
  ///
  /// - Throws: ``FileError/notRegularFile(_:)``; ``FileError/tooLarge`` above `limit`.
  package func size(atMost limit: Int) throws(FileError) -> Int {
    let status = try status
    if let kind = status.kind { throw .notRegularFile(kind) }
    guard status.size <= limit else { throw .tooLarge }
    return status.size
  }

  /// Reads until `bytes` is full or the file ends, and returns the number of bytes read.
  package func read(into bytes: inout MutableSpan<UInt8>) throws(FileError) -> Int {
    var count = 0
    while count < bytes.count {
      let start = count
      let more = try SystemCall.result(of: "read") {
        unsafe bytes.withUnsafeMutableBytes { buffer in
          let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
          return unsafe cRead(number, rest.baseAddress, rest.count)
        }
      }
      guard more > 0 else { break }
      count += more
    }
    return count
  }

  /// Writes all of `bytes`.
  func write(_ bytes: Span<UInt8>) throws(FileError) {
    var count = 0
    while count < bytes.count {
      let start = count
      count += try SystemCall.result(of: "write") {
        unsafe bytes.withUnsafeBytes { buffer in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
          return unsafe cWrite(number, rest.baseAddress, rest.count)
        }
      }
    }
  }

  /// Sets the permission bits, regardless of the process's umask.
  func setPermissions(_ mode: mode_t) throws(FileError) {
    try SystemCall.result(of: "fchmod") { fchmod(number, mode) }
  }

  /// Waits until written data is on the disk.
  func synchronize() throws(FileError) {
    #if canImport(Darwin)
      // fsync leaves the data in the drive's cache.
      if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    try SystemCall.result(of: "fsync") { fsync(number) }
  }

  /// Takes an exclusive advisory lock (`flock`); false if another process or descriptor holds it.
  ///
  /// The system releases the lock when the last copy of the descriptor is closed, also if the process is killed.
  func tryLock() throws(FileError) -> Bool {
    do throws(FileError) {
      try SystemCall.result(of: "flock") { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch .system(_, EWOULDBLOCK) {
      return false
    }
  }

  /// Releases the lock, even if copies of the descriptor exist.
  ///
  /// A child process has a copy between fork and exec, so closing alone might leave the lock held.
  func unlock() { _ = flock(number, LOCK_UN) }

  /// Closes the file and reports a failure, which is possible where the system delays writes.
  consuming func close() throws(FileError) {
    let number = number
    discard self
    // A retry after EINTR could close a file that another thread has just opened.
    guard cClose(number) == 0 || errno == EINTR else { throw .system(call: "close", errno: errno) }
  }
}

/// The status of an open file or folder.
package struct FileStatus {
  private let status: stat

  /// Reads the status of a descriptor.
  fileprivate init(of descriptor: CInt) throws(FileError) {
    var status = stat()
    try SystemCall.result(of: "fstat") { unsafe fstat(descriptor, &status) }
    self.status = status
  }

  /// The length, in bytes.
  var size: Int { Int(status.st_size) }

  /// When it was last modified, in Unix seconds.
  var modifiedAt: Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// The permission bits, including set-user-ID, set-group-ID and sticky.
  package var permissions: UInt32 { UInt32(status.st_mode) & 0o7777 }

  /// Whether the effective user owns it.
  package var isOwn: Bool { status.st_uid == geteuid() }

  /// Whether root owns it.
  var isRoots: Bool { status.st_uid == 0 }

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
}
