#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The failures of calls on paths that have cases of their own.
enum FailedPath {
  case missing, exists, isSymbolicLink, isSocket, isFolder, notPermitted

  init?(errno: Int32) {
    switch errno {
    case ENOENT, ENOTDIR: self = .missing
    case EEXIST: self = .exists
    case ELOOP: self = .isSymbolicLink
    case ENXIO: self = .isSocket
    case EISDIR: self = .isFolder
    case EACCES, EPERM: self = .notPermitted
    default: return nil
    }
  }
}
