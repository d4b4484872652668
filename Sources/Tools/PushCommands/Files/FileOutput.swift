import PushFiles
import PushKeys

/// A file that the tool writes and that is not a key file, or standard output.
///
/// The path is checked at once, so that a command fails before it does anything else.
struct FileOutput {
  private let path: String?
  private let replaces: Bool
  private let hint: String

  /// Checks that a file can be created or replaced; `-` or no path is standard output.
  ///
  /// An existing file is an error unless `replaces`; `hint` belongs to that error.
  init(path: String?, replaces: Bool, existing hint: String = "--force replaces it") throws(ToolError) {
    self.path = path == "-" ? nil : path
    self.replaces = replaces
    self.hint = hint
    guard let path = self.path else { return }
    let file = OutputFile(path: path)
    if let status = FileStatus(at: path, isFollowingLinks: false) {
      guard replaces else { throw KeyFileFailure.writing(.exists, at: path, existing: hint) }
      // A device or pipe must not be replaced by a file.
      guard status.kind == nil else {
        throw ToolError(.cannotCreate, "\(path) is not a regular file", hint: "- is standard output")
      }
      guard !file.hasPrivateKeys else {
        throw ToolError(
          .cannotCreate, "\(path) has private keys, and --force does not replace those",
          hint: "give another name, or move the file away yourself")
      }
    }
    try describing { () throws(KeyFileError) in try file.prepare() }
  }

  /// Writes `bytes`; a file is written whole or not at all, and if it is private, only its owner can read it.
  ///
  /// A terminal gets the bytes escaped.
  func write(
    _ bytes: [UInt8], as form: OutputForm, isPrivate: Bool = false, console: Console
  ) throws(ToolError) {
    guard let path else { return try console.write(bytes, as: form) }
    try describing { () throws(KeyFileError) in
      try OutputFile(path: path).write(bytes.span, isPrivate: isPrivate, isReplacing: replaces)
    }
  }

  /// Writes a private key to a file that only its owner can read; never to standard output.
  ///
  /// Returns false if the format has no such keys.
  func write(_ key: PrivateKey, as format: KeyFormat) throws(ToolError) -> Bool {
    guard let path else { preconditionFailure("private keys are not printed") }
    var isWritten = false
    try describing { () throws(KeyFileError) in
      let written: Void? = try key.withEncodedBytes(as: format) { (bytes) throws(KeyFileError) in
        try OutputFile(path: path).writeKey(bytes, isReplacing: replaces)
      }
      isWritten = written != nil
    }
    return isWritten
  }

  private func describing(work: () throws(KeyFileError) -> Void) throws(ToolError) {
    do throws(KeyFileError) {
      try work()
    } catch {
      throw KeyFileFailure.writing(error, existing: hint)
    }
  }
}
