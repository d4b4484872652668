private import Glibc
import PushKeys

/// Files that the tool writes, but for key files.
enum FileOutput {
  /// Writes `bytes` to a new file, whole or not at all, or to standard output for `-` or no path.
  ///
  /// A file that exists is left alone unless `replaces`. A private one is its owner's alone.
  static func write(
    _ bytes: [UInt8], to path: String?, replaces: Bool, isPrivate: Bool = false, _ console: Console
  ) throws(ToolError) {
    guard let path, path != "-" else { return try console.write(bytes) }
    guard !replaces || isReplaceable(path) else {
      throw ToolError(.cannotCreate, "\(path) is no regular file", hint: "- is standard output")
    }
    do throws(KeyFileError) {
      try OutputFile(path: path).write(bytes.span, isPrivate: isPrivate, isReplacing: replaces)
    } catch {
      throw describe(error, path)
    }
  }

  /// Whether a path leads to a regular file or to nothing: a device must not be replaced by a file.
  private static func isReplaceable(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  private static func describe(_ error: KeyFileError, _ path: String) -> ToolError {
    switch error {
    case .exists: ToolError(.cannotCreate, "\(path) exists", hint: "--force replaces it")
    case .missing: ToolError(.cannotCreate, "cannot create \(path): its folder does not exist")
    case .notPermitted: ToolError(.cannotCreate, "cannot create \(path): not permitted")
    case .notRegularFile(let kind):
      ToolError(.cannotCreate, "\(path) is no regular file but a \(kind.rawValue)")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    default: ToolError(.cannotCreate, "cannot create \(path)")
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
