/// A small file that any number of threads and processes can change atomically.
///
/// Readers see either the old bytes or the new ones, even if a process is killed at any moment. A killed process may
/// leave a file `.<name>.<16 hex digits>.tmp`, which the next change removes. A change holds the folder's lock, the
/// file `.sealed-push.<user ID>.lock`. The system releases the lock when the process ends.
package struct SmallFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  package let path: String

  /// The size limit, in bytes.
  package let maximumSize: Int

  private let durability: Durability
  private let patience: Duration
  private let isGuarded: Bool

  /// Takes a path, and does not access the disk yet.
  ///
  /// A change waits at most `patience` for the folder's lock. With `isGuarded`, a change is refused if another user can
  /// replace the file or a folder on the way to it; reading is still allowed then. On iOS the file gets its folder's
  /// protection class.
  package init(
    path: String, maximumSize: Int, durability: Durability = .lasting, patience: Duration = .seconds(1),
    isGuarded: Bool = false
  ) {
    self.path = path
    self.maximumSize = maximumSize
    self.durability = durability
    self.patience = patience
    self.isGuarded = isGuarded
  }

  /// Reads the file; nil if the folder exists but the file does not.
  ///
  /// - Throws: ``FileError``: ``FileError/missing`` if there is no folder; ``FileError/notRegularFile(_:)`` also for a
  ///   symbolic link, whatever its target.
  package func read() throws(FileError) -> [UInt8]? {
    let location = try FileLocation(path)
    return try read(location.name, in: Folder(location.folder))
  }

  /// Changes the file under the lock: reads it, passes the bytes to `change`, and replaces them with the result (0600).
  ///
  /// If `change` throws or returns no bytes, the file stays as it was, or missing. After any error of the system but
  /// ``FileError/notDurable`` the file has its old bytes. With `overTooLarge`, `change` gets an empty file if the file
  /// is over the size limit.
  ///
  /// - Throws: ``FileError``; ``FileError/missing`` if there is no folder, or it is removed meanwhile;
  ///   ``FileError/busy`` if the lock is not free in time; ``FileError/lockNotOwn(name:)``;
  ///   ``FileError/tooLarge`` also for the new bytes.
  package func update<Result>(
    overTooLarge isReplacingTooLarge: Bool = false,
    change: ([UInt8]?) throws(FileError) -> (bytes: [UInt8]?, result: Result)
  ) throws(FileError) -> Result {
    let location = try FileLocation(path)
    var folder = try Folder(location.folder, isGuarded: isGuarded)
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
      bytes.span, to: location, for: .owner, isReplacing: true, durability: durability)
    return result
  }

  private func read(_ name: String, in folder: borrowing Folder) throws(FileError) -> [UInt8]? {
    let file: FileDescriptor
    do throws(FileError) {
      file = try folder.open(name, isFollowingLinks: false)
    } catch .missing {
      try folder.checkThere()
      return nil
    }
    let size = try file.size(atMost: maximumSize)
    // One byte more than the size, to notice that the file is growing.
    var bytes = [UInt8](repeating: 0, count: size + 1)
    var span = bytes.mutableSpan
    let count = try file.read(into: &span)
    guard count <= size else { throw .busy }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
