internal import PushFiles

/// An attachment's file on disk, not encrypted, as the system shows it.
///
/// Files and blobs are written with mode 0600, and get their name only when they are complete and verified. Until then
/// they are hidden files in the same folder, which are removed on any error unless the process is killed. Only one record
/// is in memory at a time.
public struct AttachmentFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// Names a file without touching it.
  public init(path: String) { self.path = path }

  /// Seals the file into a blob to upload, and returns its descriptor, which has no address yet.
  ///
  /// `limit` is the maximum length of the file in bytes; `nil` means its type's limit. An existing blob is replaced
  /// only if `isReplacing` is true.
  ///
  /// - Throws: ``AttachmentError``.
  public func seal(
    to blob: String, as type: AttachmentType, limit: Int? = nil, isReplacing: Bool = false
  ) throws(AttachmentError) -> AttachmentDescriptor {
    let limit = limit ?? type.limit
    let input = try AttachmentInput(path: path, limit: limit)
    let output = try AttachmentOutput(path: blob)
    var sealer = try BlobSealer(type: type, limit: limit)
    var piece = RecordMemory(capacity: AttachmentInput.pieceSize)
    while try input.read(into: &piece) {
      try sealer.append(piece.bytes) { bytes throws(AttachmentError) in try output.write(bytes) }
    }
    let descriptor = try sealer.finish { bytes throws(AttachmentError) in try output.write(bytes) }
    try output.finish(isReplacing: isReplacing)
    return descriptor
  }

  /// Opens a blob into the file, which is created only if the whole blob is valid.
  ///
  /// `limit` is the maximum length of the file in bytes; `nil` means its type's limit. An existing file is replaced
  /// only if `isReplacing` is true.
  ///
  /// - Throws: ``AttachmentError``.
  public func open(
    _ blob: String, with descriptor: AttachmentDescriptor, limit: Int? = nil, isReplacing: Bool = false
  ) throws(AttachmentError) {
    var opener = try BlobOpener(descriptor: descriptor, limit: limit)
    let input = try AttachmentInput(path: blob)
    let output = try AttachmentOutput(path: path)
    var piece = RecordMemory(capacity: AttachmentInput.pieceSize)
    while try input.read(into: &piece) {
      try opener.append(piece.bytes) { bytes throws(AttachmentError) in try output.write(bytes) }
    }
    try opener.finish()
    try output.finish(isReplacing: isReplacing)
  }
}

/// A file that is read in pieces.
///
/// It throws this module's errors.
private struct AttachmentInput: ~Copyable {
  /// The length of a piece, in bytes.
  static let pieceSize = 1 << 16

  private let path: String
  private let file: FileDescriptor

  /// Opens a regular file of at most `limit` bytes, and follows links.
  init(path: String, limit: Int = .max) throws(AttachmentError) {
    self.path = path
    do throws(FileError) {
      file = try Self.open(at: path, limit: limit)
    } catch {
      throw error == .tooLarge ? .tooLarge(limit: limit) : .unreadable(error, path: path)
    }
  }

  private static func open(at path: String, limit: Int) throws(FileError) -> FileDescriptor {
    let location = try FileLocation(path)
    let file = try Folder(location.folder).open(location.name, isFollowingLinks: true)
    _ = try file.size(atMost: limit)
    return file
  }

  /// Replaces the contents of `piece` with the next bytes; `false` at the end.
  func read(into piece: inout RecordMemory) throws(AttachmentError) -> Bool {
    do throws(FileError) {
      try piece.fill(atMost: Self.pieceSize) { bytes throws(FileError) in try file.read(into: &bytes) }
    } catch {
      throw .unreadable(error, path: path)
    }
    return piece.count > 0
  }
}

/// A file that is written in pieces.
///
/// It throws this module's errors.
struct AttachmentOutput: ~Copyable {
  private let path: String
  private let file: UnfinishedFile

  /// Creates a file that has no name yet.
  init(path: String) throws(AttachmentError) {
    self.path = path
    do throws(FileError) {
      file = try UnfinishedFile(at: try FileLocation(path))
    } catch {
      throw .unwritable(error, path: path)
    }
  }

  /// Appends bytes.
  func write(_ bytes: Span<UInt8>) throws(AttachmentError) {
    do throws(FileError) {
      try file.write(bytes)
    } catch {
      throw .unwritable(error, path: path)
    }
  }

  /// Gives the file its name.
  ///
  /// An existing file is replaced only if `isReplacing` is true.
  consuming func finish(isReplacing: Bool) throws(AttachmentError) {
    do throws(FileError) {
      try file.finish(isReplacing: isReplacing)
    } catch {
      throw .unwritable(error, path: path)
    }
  }
}
