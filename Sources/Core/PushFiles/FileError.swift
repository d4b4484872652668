#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file cannot be read or written.
public enum FileError: Error, Hashable, Sendable {
  /// There is no such file, or no such folder.
  case missing
  /// A file of that name already exists.
  case exists
  /// The path leads to something else than a regular file.
  case notRegularFile(FileKind)
  /// Another user could replace the file: group or others may write to a folder on the way to it, which has no sticky
  /// bit; `mode` is its permission bits.
  case folderWritableByOthers(path: String, mode: UInt32)
  /// Another user could replace the file: a folder on the way to it belongs to neither the effective user nor root;
  /// `owner` is its owner's user ID.
  case folderOfAnotherUser(path: String, owner: UInt32)
  /// Another user could replace the file: a symbolic link on the way to it belongs to neither the effective user nor
  /// root; `owner` is its owner's user ID.
  case linkOfAnotherUser(path: String, owner: UInt32)
  /// The folder's lock, the file `name`, is not the effective user's alone: it is not a regular file, belongs to
  /// another user, or is accessible to its group or others.
  case lockNotOwn(name: String)
  /// The system denied permission.
  case notPermitted
  /// The file is larger than its limit.
  case tooLarge
  /// Another process held the folder's lock for too long, or changed the file while it was read.
  case busy
  /// The file is changed, but the disk did not confirm it: a power failure may undo the change.
  case notDurable
  /// Any other error of the system: the call, and its `errno`.
  case system(call: String, errno: Int32)

  /// The error for a failed call on a path.
  init(path call: String, errno: Int32) {
    switch errno {
    case ENOENT, ENOTDIR: self = .missing
    case EEXIST: self = .exists
    case ELOOP: self = .notRegularFile(.symbolicLink)
    case ENXIO: self = .notRegularFile(.socket)
    case EISDIR: self = .notRegularFile(.folder)
    case EACCES, EPERM: self = .notPermitted
    default: self = .system(call: call, errno: errno)
    }
  }
}

extension FileError: CustomStringConvertible {
  /// What is wrong; the error around this one names the file.
  public var description: String {
    switch self {
    case .missing: "no such file or folder"
    case .exists: "it exists"
    case .notRegularFile(let kind): "it is a \(kind.rawValue)"
    case .folderWritableByOthers(let folder, let mode):
      "others can write to \(PrintableText.escaped(folder)), which has mode \(PrintableText.mode(mode))"
    case .folderOfAnotherUser(let folder, let owner):
      "\(PrintableText.escaped(folder)) belongs to another user (\(owner))"
    case .linkOfAnotherUser(let link, let owner):
      "the link \(PrintableText.escaped(link)) belongs to another user (\(owner))"
    case .lockNotOwn(let name): "\(name), the lock of its folder, is not a file of yours with mode 0600"
    case .notPermitted: "permission denied"
    case .tooLarge: "it is too large"
    case .busy: "another process is using it"
    case .notDurable: "the disk did not confirm it"
    case .system(_, let errno): SystemMessage.text(of: errno)
    }
  }
}

/// What a path leads to if it is not a regular file.
public enum FileKind: String, Sendable {
  /// A symbolic link, whatever its target.
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
