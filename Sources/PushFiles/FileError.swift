/// Why a file cannot be read or written.
public enum FileError: Error, Equatable, Sendable {
  /// There is no such file, or no such folder.
  case missing
  /// There is something of that name already.
  case exists
  /// It is no regular file.
  case notRegularFile(FileKind)
  /// Somebody else could put another file in its place: the group or others may write to the folder, which has no
  /// sticky bit.
  case folderWritableByOthers
  /// Somebody else could put another file in its place: the folder is another user's, and not root's.
  case folderOfAnotherUser
  /// The system does not permit it.
  case notPermitted
  /// It has more bytes than it may have.
  case tooLarge
  /// Others kept the folder locked, or changed the file while it was read.
  case busy
  /// The change is in the file, but the disk did not confirm it: a power failure may undo it.
  case notDurable
  /// Something else that the system said: which call, and its `errno`.
  case system(call: String, errno: Int32)

  /// What a failed call on a path means.
  init(path call: String, errno: Int32) {
    switch FailedPath(errno: errno) {
    case .missing: self = .missing
    case .exists: self = .exists
    case .isSymbolicLink: self = .notRegularFile(.symbolicLink)
    case .isSocket: self = .notRegularFile(.socket)
    case .isFolder: self = .notRegularFile(.folder)
    case .notPermitted: self = .notPermitted
    case nil: self = .system(call: call, errno: errno)
    }
  }
}

/// What a path leads to instead of a regular file.
public enum FileKind: String, Sendable {
  /// A symbolic link, wherever it points.
  case symbolicLink = "symbolic link"
  /// A folder.
  case folder
  /// A named pipe.
  case pipe
  /// A socket.
  case socket
  /// A device.
  case device
}
