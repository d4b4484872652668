internal import PushFiles

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

  /// The same, as PushFiles has it, which users of this module do not import.
  init(_ kind: PushFiles.FileKind) {
    switch kind {
    case .symbolicLink: self = .symbolicLink
    case .folder: self = .folder
    case .pipe: self = .pipe
    case .socket: self = .socket
    case .device: self = .device
    }
  }
}
