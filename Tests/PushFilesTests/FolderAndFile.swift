import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file's inode number, which a new file of the same name does not share while both exist.
func number(of path: String) throws -> UInt64 {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { throw SetupError(call: "lstat", errno: errno) }
  return UInt64(status.st_ino)
}
