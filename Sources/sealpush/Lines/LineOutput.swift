private import Glibc

/// Where lines of output go, whole lines at a time.
final class LineOutput {
  private let path: String?
  private let file: Int32
  private let console: Console
  private var size = 0

  /// Creates a file, or takes standard output for `-` or no path.
  ///
  /// A file that exists is left alone unless `replaces`, and always if it is one of `others`.
  init(_ path: String?, replaces: Bool, unlike others: [FileIdentity], _ console: Console) throws(ToolError) {
    self.console = console
    guard let path, path != "-" else {
      (self.path, file) = (nil, STDOUT_FILENO)
      return
    }
    self.path = path
    if let identity = FileIdentity(path: path), others.contains(identity) {
      throw .usage("\(path) is another of the command's files")
    }
    try FileOutput.check(path, replaces: replaces)
    file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (replaces ? 0 : O_EXCL), 0o666)
    guard file >= 0 else {
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemMessage.current)")
    }
    guard ftruncate(file, 0) == 0 else {
      throw ToolError(.cannotCreate, "cannot replace \(path): \(SystemMessage.current)")
    }
  }

  /// The file, to tell it from others; null for what is no regular one.
  var identity: FileIdentity? { FileIdentity(file: file) }

  /// Writes lines; of a file, what was written before stays whole if they cannot be.
  func write(_ lines: [UInt8]) throws(ToolError) {
    guard let path else { return try console.write(lines) }
    guard FileOutput.writeAll(lines, to: file) else {
      let reason = SystemMessage.current
      _ = ftruncate(file, size)
      throw ToolError(.failed, "cannot write \(path): \(reason)")
    }
    size += lines.count
  }
}
