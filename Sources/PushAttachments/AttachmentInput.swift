internal import PushFiles

/// A file that is read piece by piece, with errors of this module.
struct AttachmentInput: ~Copyable {
  /// The length of a piece, in bytes.
  static let pieceSize = 1 << 16

  private let file: FileDescriptor

  /// Opens a regular file of at most `limit` bytes, through links if there are any.
  init(_ path: String, limit: Int = .max) throws(AttachmentError) {
    do throws(FileError) {
      file = try Self.open(path, limit: limit)
    } catch {
      throw error == .tooLarge ? .tooLarge(limit: limit) : .unreadable(AttachmentFileFault(error))
    }
  }

  private static func open(_ path: String, limit: Int) throws(FileError) -> FileDescriptor {
    let location = try FileLocation(path)
    let file = try Folder(location.folder).open(location.name, isFollowingLinks: true)
    _ = try file.size(atMost: limit)
    return file
  }

  /// Replaces what is in `piece` by the next bytes; false at the end.
  func read(into piece: inout RecordMemory) throws(AttachmentError) -> Bool {
    do throws(FileError) {
      try piece.fill(atMost: Self.pieceSize) { bytes throws(FileError) in try file.read(into: &bytes) }
    } catch {
      throw .unreadable(AttachmentFileFault(error))
    }
    return piece.count > 0
  }
}
