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
    try write(to: path, replaces: replaces) { (file) throws(KeyFileError) in
      try file.write(bytes.span, isPrivate: isPrivate, isReplacing: replaces)
    }
  }

  /// Writes a private key to a file of its owner's alone, as ``write(_:to:replaces:isPrivate:_:)``.
  static func write(
    _ key: PrivateKey, as format: KeyFormat, to path: String, replaces: Bool
  ) throws(ToolError) {
    try write(to: path, replaces: replaces) { (file) throws(KeyFileError) in
      try key.withEncodedBytes(as: format) { (bytes) throws(KeyFileError) in
        try file.writeKey(bytes, isReplacing: replaces)
      }
    }
  }

  private static func write(
    to path: String, replaces: Bool, _ write: (OutputFile) throws(KeyFileError) -> Void
  ) throws(ToolError) {
    try check(path, replaces: replaces)
    do throws(KeyFileError) {
      try write(OutputFile(path: path))
    } catch {
      throw describe(error, path, existing: "--force replaces it")
    }
  }

  /// Makes sure that ``write(_:to:replaces:isPrivate:_:)`` would not stop at what stands there or at the folder, for
  /// who does something else first.
  static func check(
    _ path: String?, replaces: Bool, existing hint: String = "--force replaces it"
  ) throws(ToolError) {
    guard let path, path != "-" else { return }
    let file = OutputFile(path: path)
    switch PathEntry(at: path) {
    case .nothing: break
    case _ where !replaces: throw describe(.exists, path, existing: hint)
    case .file:
      guard !file.hasPrivateKeys else {
        throw ToolError(
          .cannotCreate, "\(path) has private keys, which --force does not replace",
          hint: "give another name, or move the file away yourself")
      }
    case .link, .other:
      // A device must not be replaced by a file.
      throw ToolError(.cannotCreate, "\(path) is no regular file", hint: "- is standard output")
    }
    do throws(KeyFileError) {
      try file.prepare()
    } catch {
      throw describe(error, path, existing: hint)
    }
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
    case .folderWritableByOthers, .folderOfAnotherUser, .notEnoughMemory, .busy: Keys.describe(error, path)
    default: ToolError(.cannotCreate, "cannot create \(path)")
    }
  }

  /// Writes all of `bytes`, however many calls it takes.
  static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool { written(bytes, to: file) == bytes.count }

  /// Writes `bytes`, and gives how many were written: all, or up to a call that failed, and `errno` says why.
  static func written(_ bytes: [UInt8], to file: Int32) -> Int {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(file, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      // Whoever shares a pipe or a terminal may have made it so that writing does not wait.
      if count < 0 && errno == EAGAIN && waitForRoom(in: file) { continue }
      guard count > 0 else { break }
      written += count
    }
    return written
  }

  /// Waits until a file takes bytes, or says why it takes none; false if it cannot be waited for, and `errno` says why.
  private static func waitForRoom(in file: Int32) -> Bool {
    var files = [pollfd(fd: file, events: Int16(POLLOUT), revents: 0)]
    return Interruption.retrying { unsafe poll(&files, nfds_t(files.count), -1) } > 0
  }
}
