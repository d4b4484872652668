/// A small file that any number of threads and processes change, each change whole.
///
/// Readers see the old bytes or the new ones. A process that is killed at any moment leaves one of the two, and at
/// most a file `.<name>.<16 hex digits>.tmp`, which the next change removes. Changes hold a lock on the folder
/// (`flock`) for as long as they take, and it goes with the process.
package struct SmallFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  /// The most bytes it may have.
  package let maximumSize: Int

  private let patience: Duration

  /// Names a file, whose folder's lock is waited for no longer than `patience`, and touches nothing yet.
  ///
  /// On iOS the file has its folder's protection class.
  package init(path: String, maximumSize: Int, patience: Duration = .seconds(1)) {
    self.path = path
    self.maximumSize = maximumSize
    self.patience = patience
  }

  /// Reads the file; null if its folder has none.
  ///
  /// - Throws: ``FileError``: ``FileError/missing`` if there is no folder; ``FileError/notRegularFile(_:)`` of a
  ///   link, too, wherever it points.
  package func read() throws(FileError) -> [UInt8]? {
    let location = try FileLocation(path)
    return try read(location.name, in: Folder(location.folder))
  }

  /// Changes the file under the lock: reads it, lets `change` make the new bytes, and puts them in its place, 0600.
  ///
  /// If `change` throws, or gives no bytes, the file stays as it is, or stays away. An error from the system leaves
  /// the old bytes, but for ``FileError/notDurable``. Where that is asked for, old bytes that are too many
  /// are handed over as an empty file's.
  ///
  /// - Throws: ``FileError``; ``FileError/busy`` without the lock; ``FileError/tooLarge`` of new bytes, too.
  package func update<Result>(
    overTooLarge isReplacingTooLarge: Bool = false,
    _ change: ([UInt8]?) throws(FileError) -> (bytes: [UInt8]?, result: Result)
  ) throws(FileError) -> Result {
    let location = try FileLocation(path)
    var folder = try Folder(location.folder)
    try folder.lock(within: patience)
    try folder.removeStaleFiles(of: location)
    let old: [UInt8]?
    do throws(FileError) {
      old = try read(location.name, in: folder)
    } catch .tooLarge where isReplacingTooLarge {
      old = []
    }
    let (bytes, result) = try change(old)
    guard let bytes else { return result }
    guard bytes.count <= maximumSize else { throw .tooLarge }
    try folder.write(
      bytes.span, to: location, for: .owner, isReplacing: true)
    return result
  }

  private func read(_ name: String, in folder: borrowing Folder) throws(FileError) -> [UInt8]? {
    let file: FileDescriptor
    do throws(FileError) {
      file = try folder.open(name, isFollowingLinks: false)
    } catch .missing {
      return nil
    }
    let size = try file.size(atMost: maximumSize)
    // One byte more than there should be, to see that it is not growing.
    var bytes = [UInt8](repeating: 0, count: size + 1)
    var span = bytes.mutableSpan
    let count = try file.read(into: &span)
    guard count <= size else { throw .busy }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
