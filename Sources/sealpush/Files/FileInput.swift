private import Glibc

/// What the tool reads, up to a bound.
enum FileInput {
  /// More than any payload, and little enough to read at once: 1 MiB.
  static let maximumSize = 1 << 20

  /// Reads a file, or standard input for `-` or no path.
  static func read(_ path: String?) throws(ToolError) -> [UInt8] {
    guard let path, path != "-" else { return try readAll(STDIN_FILENO, "standard input") }
    let file = try open(path)
    defer { close(file) }
    return try readAll(file, path)
  }

  /// Opens a file to read, through links if there are any.
  static func open(_ path: String) throws(ToolError) -> Int32 {
    let file = Interruption.retrying { unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else {
      let status: ExitStatus = errno == EACCES ? .noPermission : .noInput
      throw ToolError(status, "cannot read \(path): \(SystemMessage.current)")
    }
    return file
  }

  private static func readAll(_ file: Int32, _ name: String) throws(ToolError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(file, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw ToolError(.noInput, "cannot read \(name): \(SystemMessage.current)") }
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(count)
      guard bytes.count <= maximumSize else {
        throw ToolError(.badData, "\(name) is longer than \(maximumSize) bytes, which no payload is")
      }
    }
  }
}
