internal import PushFiles

/// A file of results, written whole or not at all.
///
/// A process that is killed leaves at most a file `.<name>.<16 hex digits>.tmp`, which the next one that writes a
/// file of that name removes.
package struct OutputFile: Sendable {
  private let path: String
  private let patience: Duration

  /// Names a file, whose folder's lock is waited for no longer than `patience`, and touches nothing yet.
  package init(path: String, patience: Duration = .seconds(1)) {
    self.path = path
    self.patience = patience
  }

  /// Writes a file, over an old one only if `isReplacing`; a private one is 0600 whatever the process's mask.
  ///
  /// Without the lock it is written, too, and nothing is removed: in a folder of many users anybody may hold it.
  ///
  /// - Throws: ``KeyFileError``.
  package func write(
    _ bytes: Span<UInt8>, isPrivate: Bool = false, isReplacing: Bool = false
  ) throws(KeyFileError) {
    try KeyFileError.converting { () throws(FileError) in
      let location = try FileLocation(path)
      let folder = try Folder(location.folder)
      if (try? folder.lock(within: patience)) != nil { try? folder.removeStaleFiles(of: location) }
      try folder.write(bytes, to: location, for: isPrivate ? .owner : .anyone, isReplacing: isReplacing)
    }
  }
}
