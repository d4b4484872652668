#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// C's functions whose names the methods below hide.
private let cRead = unsafe read(_:_:_:)
private let cWrite = unsafe write(_:_:_:)
private let cClose = close(_:)

/// An open file or folder, closed at the end of its life.
package struct FileDescriptor: ~Copyable {
  /// The number, for calls made while this value lives.
  let number: CInt

  /// Opens a path, relative to the process's working folder; never handed on to a child process.
  init(opening path: String, _ flags: CInt) throws(FileError) {
    number = try SystemCall.resultOnPath(of: "open") { unsafe open(path, flags | O_CLOEXEC) }
  }

  /// Opens a name in a folder, making the file with `mode` if `flags` say so.
  init(
    opening name: String, in folder: borrowing FileDescriptor, _ flags: CInt, mode: mode_t = 0
  ) throws(FileError) {
    let folder = folder.number
    number = try SystemCall.resultOnPath(of: "openat") {
      unsafe openat(folder, name, flags | O_CLOEXEC, mode)
    }
  }

  deinit { _ = cClose(number) }

  /// What the system says of it.
  package var status: FileStatus {
    get throws(FileError) { try FileStatus(of: number) }
  }

  /// The length of a regular file, in bytes.
  ///
  /// - Throws: ``FileError/notRegularFile(_:)``; ``FileError/tooLarge`` if it is over `limit`.
  package func size(atMost limit: Int) throws(FileError) -> Int {
    let status = try status
    if let kind = status.kind { throw .notRegularFile(kind) }
    guard status.size <= limit else { throw .tooLarge }
    return status.size
  }

  /// Reads into `bytes` until it is full or the file ends, and gives the number of bytes.
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

  /// Sets the permission bits, whatever the process's mask.
  func setPermissions(_ mode: mode_t) throws(FileError) {
    try SystemCall.result(of: "fchmod") { fchmod(number, mode) }
  }

  /// Waits until what was written is on the disk.
  func synchronize() throws(FileError) {
    #if canImport(Darwin)
      // fsync leaves the data in the drive's own memory.
      if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    try SystemCall.result(of: "fsync") { fsync(number) }
  }

  /// Takes the lock that other processes and other descriptors respect; false if it is held.
  ///
  /// It goes with the process, however that ends, and at the latest with the descriptor's last copy.
  func tryLock() throws(FileError) -> Bool {
    do throws(FileError) {
      try SystemCall.result(of: "flock") { flock(number, LOCK_EX | LOCK_NB) }
      return true
    } catch .system(_, EWOULDBLOCK) {
      return false
    }
  }

  /// Gives the lock back, whoever else has a copy of the descriptor.
  ///
  /// A child that is being started has one until it runs its program, so closing alone may leave the lock held.
  func unlock() { _ = flock(number, LOCK_UN) }

  /// Closes the file, and says if that failed, as it may where writing is put off.
  consuming func close() throws(FileError) {
    let number = number
    discard self
    // Begun again after an interruption, it could close a file that another thread has opened.
    guard cClose(number) == 0 || errno == EINTR else { throw .system(call: "close", errno: errno) }
  }
}

/// What the system says of an open file or folder.
package struct FileStatus {
  private let status: stat

  /// Asks about a descriptor.
  fileprivate init(of descriptor: CInt) throws(FileError) {
    var status = stat()
    try SystemCall.result(of: "fstat") { unsafe fstat(descriptor, &status) }
    self.status = status
  }

  /// The length, in bytes.
  var size: Int { Int(status.st_size) }

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
}
