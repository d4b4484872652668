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
      throw describe(error, path, existing: "--force replaces it")
    }
  }

  /// Makes sure that ``write(_:to:replaces:isPrivate:_:)`` would not stop at what stands there, for who writes
  /// something else first.
  static func check(
    _ path: String?, replaces: Bool, existing hint: String = "--force replaces it"
  ) throws(ToolError) {
    var status = stat()
    guard let path, path != "-", unsafe lstat(path, &status) == 0 else { return }
    guard replaces else { throw describe(.exists, path, existing: hint) }
    guard isReplaceable(path) else { throw ToolError(.cannotCreate, "\(path) is no regular file") }
  }

  /// Whether a path leads to a regular file or to nothing: a device must not be replaced by a file.
  private static func isReplaceable(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// What is wrong with a file that was to be made; of one that is there already, what to say about that.
  static func describe(_ error: KeyFileError, _ path: String, existing hint: String) -> ToolError {
    switch error {
    case .exists: ToolError(.cannotCreate, "\(path) exists", hint: hint)
    case .missing: ToolError(.cannotCreate, "cannot create \(path): its folder does not exist")
    case .notPermitted: ToolError(.cannotCreate, "cannot create \(path): not permitted")
    case .notRegularFile(let kind):
      ToolError(.cannotCreate, "\(path) is no regular file but a \(kind.rawValue)")
    case .system(_, let errno):
      ToolError(.cannotCreate, "cannot write \(path): \(SystemMessage.text(of: errno))")
    case .notDurable:
      ToolError(.failed, "\(path) is written, but the disk did not confirm it", hint: "write it again")
    case .folderWritableByOthers, .notEnoughMemory: Keys.describe(error, path)
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
