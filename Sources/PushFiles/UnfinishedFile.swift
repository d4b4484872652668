/// A file in the making, its owner's alone: it has its name only when it is whole.
///
/// Until then it is `.<name>.<16 hex digits>.tmp` in the same folder, and gone if it does not get that far. It is not
/// waited for to be on the disk.
package struct UnfinishedFile: ~Copyable {
  private let folder: Folder
  private let location: FileLocation
  private let temporaryName: String
  private var file: FileDescriptor?

  /// Makes an empty file, 0600 whatever the process's mask.
  ///
  /// - Throws: ``FileError``.
  package init(_ location: FileLocation) throws(FileError) {
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

  // After a renaming there is nothing of that name.
  deinit { try? folder.remove(temporaryName) }

  /// Adds bytes at the end.
  ///
  /// - Throws: ``FileError``.
  package func write(_ bytes: Span<UInt8>) throws(FileError) { try file?.write(bytes) }

  /// Ends the file and gives it its name.
  ///
  /// - Throws: ``FileError``; ``FileError/exists`` if something has the name and `isReplacing` is false.
  package consuming func finish(isReplacing: Bool) throws(FileError) {
    if let file = file.take() { try file.close() }
    guard !isReplacing else { return try folder.rename(temporaryName, to: location.name) }
    try folder.link(temporaryName, to: location.name)
  }
}
