import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension TemporaryFolder {
  /// Holds the folder's lock as another process would, for as long as the result is open.
  func lock() throws -> CInt {
    let holder = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard flock(holder, LOCK_EX | LOCK_NB) == 0 else { throw SetupError(call: "flock", errno: errno) }
    return holder
  }
}

/// The file's number, which a new file of the same name does not share while both exist.
func number(of path: String) throws -> UInt64 {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw SetupError(call: "lstat", errno: errno) }
  return UInt64(status.st_ino)
}
