internal import PushFiles

/// An attachment on disk, as it is shown.
///
/// Whatever is made, file or blob, is its owner's alone (0600), and has its name only when it is whole and right:
/// until then it is a hidden file beside it, which is removed whatever happens, unless the process is killed. One
/// record is in memory at a time.
public struct AttachmentFile: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// Names a file, and touches nothing yet.
  public init(path: String) { self.path = path }

  /// Seals the file into a blob to upload, and describes it; the descriptor has no address yet.
  ///
  /// `limit` is the most bytes that the file may have; null: its type's limit. A blob that exists is left alone
  /// unless `isReplacing`.
  ///
  /// - Throws: ``AttachmentError``.
  public func seal(
    to blob: String, as type: AttachmentType, limit: Int? = nil, isReplacing: Bool = false
  ) throws(AttachmentError) -> AttachmentDescriptor {
    let limit = limit ?? type.limit
    let input = try AttachmentInput(path, limit: limit)
    let output = try AttachmentOutput(blob)
    var sealer = try BlobSealer(type, limit: limit)
    var piece = RecordMemory(capacity: AttachmentInput.pieceSize)
    while try input.read(into: &piece) {
      try sealer.append(piece.bytes) { bytes throws(AttachmentError) in try output.write(bytes) }
    }
    let descriptor = try sealer.finish { bytes throws(AttachmentError) in try output.write(bytes) }
    try output.finish(isReplacing: isReplacing)
    return descriptor
  }

  /// Makes the file by opening a blob; nothing is there unless all of the blob is right.
  ///
  /// `limit` is the most bytes that the file may have; null: its type's limit. A file that exists is left alone
  /// unless `isReplacing`.
  ///
  /// - Throws: ``AttachmentError``.
  public func open(
    _ blob: String, with descriptor: AttachmentDescriptor, limit: Int? = nil, isReplacing: Bool = false
  ) throws(AttachmentError) {
    var opener = try BlobOpener(descriptor, limit: limit)
    let input = try AttachmentInput(blob)
    let output = try AttachmentOutput(path)
    var piece = RecordMemory(capacity: AttachmentInput.pieceSize)
    while try input.read(into: &piece) {
      try opener.append(piece.bytes) { bytes throws(AttachmentError) in try output.write(bytes) }
    }
    try opener.finish()
    try output.finish(isReplacing: isReplacing)
  }
}
