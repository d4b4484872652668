internal import PushFiles

/// The folder of a file of results, open, so that it stays the same one whatever happens to its path.
package struct OutputFolder: ~Copyable {
  private let folder: Folder

  /// Opens the folder that a file is in, or is to be made in.
  ///
  /// - Throws: ``KeyFileError``.
  package init(of path: String) throws(KeyFileError) {
    folder = try KeyFileError.converting { () throws(FileError) in try Folder(FileLocation(path).folder) }
  }

  /// Waits until the names of its files are on the disk.
  ///
  /// - Throws: ``KeyFileError``.
  package borrowing func synchronize() throws(KeyFileError) {
    do throws(FileError) { try folder.synchronize() } catch { throw KeyFileError(error) }
  }
}
