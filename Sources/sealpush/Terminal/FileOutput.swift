private import Glibc

/// Files that the tool writes for others. Private keys are not among them.
enum FileOutput {
  /// Writes `bytes` to a new file, or to standard output for `-` or no path.
  ///
  /// A file that exists is left alone unless `replaces`.
  static func write(
    _ bytes: [UInt8], to path: String?, replaces: Bool, _ console: Console
  ) throws(ToolError) {
    guard let path, path != "-" else { return try console.write(bytes) }
    let mode = O_WRONLY | O_CREAT | O_CLOEXEC | (replaces ? O_TRUNC : O_EXCL)
    let file = unsafe Glibc.open(path, mode, 0o644)
    guard file >= 0 else {
      guard errno != EEXIST else {
        throw ToolError(.cannotCreate, "\(path) exists", hint: "--force replaces it")
      }
      throw ToolError(.cannotCreate, "cannot create \(path): \(SystemMessage.current)")
    }
    let isWritten = writeAll(bytes, to: file)
    let code = errno
    guard close(file) == 0, isWritten else {
      unsafe unlink(path)
      throw ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: isWritten ? errno : code))")
    }
  }

  /// Writes all of `bytes`, however many calls it takes.
  static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(file, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}
