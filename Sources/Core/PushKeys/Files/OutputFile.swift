internal import PushFiles

/// An output file, written atomically.
///
/// A process that is killed leaves at most a file `.<name>.<16 hex digits>.tmp`, which ``prepare()`` removes.
package struct OutputFile: Sendable {
  private let path: String
  private let patience: Duration

  /// Names a file, without accessing it; calls wait at most `patience` for its folder's lock.
  package init(path: String, patience: Duration = .seconds(1)) {
    self.path = path
    self.patience = patience
  }

  /// Writes the file, and replaces an old one only if `isReplacing`.
  ///
  /// A private file is 0600, regardless of the process's umask.
  ///
  /// - Throws: ``KeyFileError``.
  package func write(
    _ bytes: Span<UInt8>, isPrivate: Bool = false, isReplacing: Bool = false
  ) throws(KeyFileError) {
    try converting { () throws(FileError) in
      let location = try FileLocation(path)
      try Folder(location.folder)
        .write(bytes, to: location, for: isPrivate ? .owner : .anyone, isReplacing: isReplacing)
    }
  }

  /// Writes a private key to a file, 0600, as a ``KeyFile`` is written: under the folder's lock, in a folder where nobody
  /// else can replace the file, and after the leftovers of killed processes are removed.
  ///
  /// - Throws: ``KeyFileError``.
  package func writeKey(_ bytes: Span<UInt8>, isReplacing: Bool = false) throws(KeyFileError) {
    try KeyFile(path: path).lock().write(bytes, isReplacing: isReplacing)
  }

  /// Checks that the folder exists and is writable, and removes temporary files that killed processes left.
  ///
  /// While another process holds the folder's lock, nothing is removed.
  ///
  /// - Throws: ``KeyFileError``.
  package func prepare() throws(KeyFileError) {
    try converting { () throws(FileError) in
      let location = try FileLocation(path)
      var folder = try Folder(location.folder)
      try folder.checkWritable()
      try? folder.removeStaleFiles(of: location, within: patience)
    }
  }

  /// Runs work that throws a `FileError`, and adds the path to the error.
  private func converting(_ work: () throws(FileError) -> Void) throws(KeyFileError) {
    try KeyFileError.at(path) { () throws(KeyFileFault) in try KeyFileFault.converting(work) }
  }

  /// Whether the file exists and has exactly these bytes.
  package func holds(_ bytes: [UInt8]) -> Bool {
    guard let contents = try? FileContents(at: path), contents.bytes.count == bytes.count else {
      return false
    }
    return bytes.indices.allSatisfy { bytes[$0] == contents.bytes[$0] }
  }

  /// Whether the file is a key set that must not be lost: it has private keys, is encrypted, or was written by a newer
  /// version.
  package var hasPrivateKeys: Bool {
    do throws(KeyFileError) {
      _ = try PublicKeyFile(path: path).load()
      return false
    } catch {
      switch error.fault {
      case .keySet(.privateKeyInPublicSet), .keySet(.unsupportedVersion): return true
      default: return false
      }
    }
  }
}
