/// A file that is being written, readable by its owner only, which gets its name when it is complete.
///
/// Until then it is `.<name>.<16 hex digits>.tmp` in the same folder; an unfinished file is removed. Finishing does not
/// wait until the data is on the disk.
package struct UnfinishedFile: ~Copyable {
  private let folder: Folder
  private let location: FileLocation
  private let temporaryName: String
  private var file: FileDescriptor?

  /// Creates an empty file (0600, regardless of the process's umask).
  ///
  /// - Throws: ``FileError``.
  package init(at location: FileLocation) throws(FileError) {
    let folder = try Folder(location.folder)
    let temporaryName = location.temporaryName
    let file = try folder.make(temporaryName, mode: 0o600)
    do throws(FileError) {
      try file.setPermissions(0o600)
    } catch {
      try? folder.remove(temporaryName)
      throw error
    }
    self.folder = folder
    self.location = location
    self.temporaryName = temporaryName
    self.file = consume file
  }

  // After a rename the temporary name is free, and this does nothing.
  deinit { try? folder.remove(temporaryName) }

  /// Appends bytes.
  ///
  /// - Throws: ``FileError``.
  package func write(_ bytes: Span<UInt8>) throws(FileError) { try file?.write(bytes) }

  /// Closes the file and gives it its name.
  ///
  /// - Throws: ``FileError``; ``FileError/exists`` if the name is taken and `isReplacing` is false.
  package consuming func finish(isReplacing: Bool) throws(FileError) {
    if let file = file.take() { try file.close() }
    guard !isReplacing else { return try folder.rename(temporaryName, to: location.name) }
    try folder.link(temporaryName, to: location.name)
  }
}
