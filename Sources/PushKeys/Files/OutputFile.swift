internal import PushFiles

/// A file of results, written whole or not at all.
package struct OutputFile: Sendable {
  private let path: String

  /// Names a file, and touches nothing yet.
  package init(path: String) { self.path = path }

  /// Writes a file, over an old one only if `isReplacing`; a private one is 0600 whatever the process's mask.
  ///
  /// - Throws: ``KeyFileError``.
  package func write(
    _ bytes: Span<UInt8>, isPrivate: Bool = false, isReplacing: Bool = false
  ) throws(KeyFileError) {
    try KeyFileError.converting { () throws(FileError) in
      let location = try FileLocation(path)
      try Folder(location.folder)
        .write(bytes, to: location, for: isPrivate ? .owner : .anyone, isReplacing: isReplacing)
    }
  }
}
