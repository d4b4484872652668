#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Folder {
  /// Who may read a new file.
  package enum Audience {
    /// Its owner alone, whatever the process's mask.
    case owner
    /// Whom the process's mask admits.
    case anyone
  }

  /// Writes a file so that its name leads to all of the bytes or, at any moment before, to what it led to.
  ///
  /// The order is: write under another name, wait for the disk, give it its name, wait for the disk. After an error
  /// there is no other name, and the old file stands; only if the very last step fails, a replaced file has its new
  /// contents, and a power failure may undo that.
  ///
  /// - Throws: ``FileError/notDurable`` for that, ``FileError/exists`` if something has the name and `isReplacing` is false.
  package func write(
    _ bytes: Span<UInt8>, to location: FileLocation, for audience: Audience, isReplacing: Bool
  ) throws(FileError) {
    let temporary = location.temporaryName
    let file = try make(temporary, mode: audience == .anyone ? 0o666 : 0o600)
    do throws(FileError) {
      try Self.fill(file, with: bytes, for: audience)
      try move(temporary, to: location.name, isReplacing: isReplacing)
    } catch {
      try? remove(temporary)
      throw error
    }
    do throws(FileError) {
      try synchronize()
    } catch {
      guard isReplacing else {
        try? remove(location.name)
        throw error
      }
      throw .notDurable
    }
  }

  private static func fill(
    _ file: consuming FileDescriptor, with bytes: Span<UInt8>, for audience: Audience
  ) throws(FileError) {
    if audience != .anyone { try file.setPermissions(0o600) }
    try file.write(bytes)
    try file.synchronize()
    try file.close()
  }

  private func move(_ name: String, to newName: String, isReplacing: Bool) throws(FileError) {
    guard !isReplacing else { return try rename(name, to: newName) }
    try link(name, to: newName)
    do throws(FileError) {
      try remove(name)
    } catch {
      try? remove(newName)
      throw error
    }
  }
}
