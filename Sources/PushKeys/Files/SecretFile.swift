internal import PushFiles

/// A file with a secret of another system, its owner's alone.
package struct SecretFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  /// Names a file, and touches nothing yet.
  package init(path: String) { self.path = path }

  /// Reads the file whole; what a key file must be, it must be too.
  ///
  /// - Throws: ``KeyFileError``, as ``KeyFile/load()``; `keySet(.empty)` for an empty file.
  package func read() throws(KeyFileError) -> FileContents {
    let location = try KeyFileError.converting { () throws(FileError) in try FileLocation(path) }
    let folder = try KeyFileError.converting { () throws(FileError) in try Folder(location.folder) }
    let file = try KeyFileError.converting { () throws(FileError) in
      try folder.open(location.name, isFollowingLinks: false)
    }
    try KeyFile.check(file, in: folder)
    return try FileContents(of: file)
  }
}
