/// What a path leads to instead of a regular file.
package enum FileKind: String, Sendable {
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
