#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

// The C functions that the methods below hide.
private let cRead = unsafe read(_:_:_:)
private let cWrite = unsafe write(_:_:_:)
private let cClose = close(_:)

/// What a power failure may do to data that was written.
package enum Durability: Sendable {
  /// Nothing: the data is on the disk. On Apple's systems the disk has emptied its cache (`F_FULLFSYNC`).
  case lasting

  /// It may undo the last changes, but not damage the file: data reaches the disk in the order in which it is written.
  ///
  /// On Apple's systems this is a barrier (`F_BARRIERFSYNC`), much cheaper on flash. Elsewhere it is `lasting`.
  case ordered
}

/// An open file or folder, closed when this value is destroyed.
package struct FileDescriptor: ~Copyable {
  /// The number, for calls made while this value lives.
  package let number: CInt

  private let isOwned: Bool

  /// Borrows a descriptor that other code closes, such as standard output's.
  package init(borrowing number: CInt) {
    self.number = number
    isOwned = false
  }

  /// Takes ownership of an open descriptor, and closes it in the end.
  package init(owning number: CInt) {
    self.number = number
    isOwned = true
  }

  /// Opens a file for reading; follows links, and waits until a named pipe's other end is open.
  ///
  /// - Throws: ``FileError``.
  package init(reading path: String) throws(FileError) { try self.init(opening: path, flags: O_RDONLY) }

  /// Opens a path, absolute or relative to the working folder.
  ///
  /// Child processes do not inherit the descriptor.
  init(opening path: String, flags: CInt) throws(FileError) {
    number = try SystemCall.resultOnPath(of: "open") { unsafe open(path, flags | O_CLOEXEC) }
    isOwned = true
  }

  /// Opens a file in a folder; if `flags` say so, creates it with `mode`.
  init(
    opening name: String, in folder: borrowing FileDescriptor, flags: CInt, mode: mode_t = 0
  ) throws(FileError) {
    let folder = folder.number
    number = try SystemCall.resultOnPath(of: "openat") {
      unsafe openat(folder, name, flags | O_CLOEXEC, mode)
    }
    isOwned = true
  }

  deinit { if isOwned { _ = cClose(number) } }

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

  /// Reads after the first `filled` bytes until `bytes` is full or the file ends; returns how many bytes are filled
  /// then.
  package func read(
    into bytes: inout MutableSpan<UInt8>, after filled: Int = 0
  ) throws(FileError) -> Int {
    var count = filled
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

  /// Waits for the first byte, and returns the bytes that are available; empty at the end.
  package func readAvailable(atMost limit: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = try SystemCall.result(of: "read") { unsafe cRead(number, &bytes, limit) }
    bytes.removeLast(limit - count)
    return bytes
  }

  /// Reads to the end.
  ///
  /// - Throws: ``FileError/tooLarge`` if that is more than `limit` bytes away.
  package func readToEnd(atMost limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var span = piece.mutableSpan
      let count = try read(into: &span)
      bytes += piece.prefix(count)
      guard bytes.count <= limit else { throw .tooLarge }
      guard count == piece.count else { return bytes }
    }
  }

  /// Writes all of `bytes`, and waits while a pipe or a terminal has no room.
  package func write(_ bytes: Span<UInt8>) throws(FileError) {
    var count = 0
    try write(bytes, count: &count)
  }

  /// Writes all of `bytes`; `count` is how many were written, even after an error.
  package func write(_ bytes: Span<UInt8>, count: inout Int) throws(FileError) {
    count = 0
    while count < bytes.count {
      let start = count
      do throws(FileError) {
        count += try SystemCall.result(of: "write") {
          unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
            return unsafe cWrite(number, rest.baseAddress, rest.count)
          }
        }
      } catch .system(_, EAGAIN) {
        // Another process that shares the pipe or terminal may have made it non-blocking.
        try waitForRoom()
      }
    }
  }

  private func waitForRoom() throws(FileError) {
    var files = [pollfd(fd: number, events: Int16(POLLOUT), revents: 0)]
    try SystemCall.result(of: "poll") { unsafe poll(&files, nfds_t(files.count), -1) }
  }

  /// The target of a symbolic link in this folder, at most 4096 bytes.
  func target(of link: String) throws(FileError) -> String {
    let limit = 4096
    var bytes = [CChar](repeating: 0, count: limit + 1)
    let count = try SystemCall.result(of: "readlinkat") {
      unsafe readlinkat(number, link, &bytes, limit + 1)
    }
    guard count <= limit else { throw .system(call: "readlinkat", errno: ENAMETOOLONG) }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Sets the permission bits, regardless of the process's umask.
  func setPermissions(_ mode: mode_t) throws(FileError) {
    try SystemCall.result(of: "fchmod") { fchmod(number, mode) }
  }

  /// Waits until written data is as durable as asked.
  func synchronize(_ durability: Durability) throws(FileError) {
    #if canImport(Darwin)
      // fsync leaves the data in the drive's cache, in any order. Not every file system supports these two calls.
      if fcntl(number, durability == .lasting ? F_FULLFSYNC : F_BARRIERFSYNC) == 0 { return }
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
    let (number, isOwned) = (number, isOwned)
    discard self
    guard isOwned else { return }
    // A retry after EINTR could close a file that another thread has just opened.
    guard cClose(number) == 0 || errno == EINTR else { throw .system(call: "close", errno: errno) }
  }
}
