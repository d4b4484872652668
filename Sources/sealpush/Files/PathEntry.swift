private import Glibc

/// What has a name in a folder, with links not followed.
enum PathEntry {
  case nothing, file, link, other

  init(at path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFLNK: self = .link
    default: self = .other
    }
  }

  /// Where a path leads, with links followed; the path itself if it leads nowhere.
  static func target(of path: String) -> String {
    guard let target = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(target) }
    return unsafe String(cString: target)
  }

  /// Whether a path leads to something of this process's user.
  static func isOwn(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_uid == geteuid()
  }

  /// Whether this process may do what only a file's owner may.
  static var isRoot: Bool { geteuid() == 0 }
}
