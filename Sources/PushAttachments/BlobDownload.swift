private import Synchronization

/// A blob on its way into a file: takes its bytes on whatever thread they come, in order.
///
/// What is written has its name only when the blob is whole and right; until then it is a hidden file, which is removed
/// when the download is let go. The name must be new: what has it is replaced. One record is in memory at a time.
package final class BlobDownload: Sendable {
  private struct State: ~Copyable {
    var opener: BlobOpener
    let output: Output
  }

  /// The file, which the opener writes to while it changes itself.
  private final class Output: Sendable {
    let file: Mutex<AttachmentOutput?>

    init(_ path: String) throws(AttachmentError) {
      let file = try AttachmentOutput(path)
      self.file = Mutex(file)
    }

    func write(_ bytes: Span<UInt8>) throws(AttachmentError) {
      try file.withLock { file throws(AttachmentError) in try file?.write(bytes) }
    }

    func finish() throws(AttachmentError) {
      try file.withLock { file throws(AttachmentError) in try file.take()?.finish(isReplacing: true) }
    }
  }

  private let state: Mutex<State?>

  /// Starts to open the blob that `descriptor` describes into a new file.
  ///
  /// - Throws: ``AttachmentError``, of a blob that is too large before any of it is fetched.
  package init(_ descriptor: AttachmentDescriptor, to path: String) throws(AttachmentError) {
    let state = State(opener: try BlobOpener(descriptor), output: try Output(path))
    self.state = Mutex(state)
  }

  /// Takes the blob's next bytes.
  ///
  /// - Throws: ``AttachmentError``, also after ``finish()``.
  package func append(_ piece: [UInt8]) throws(AttachmentError) {
    try state.withLock { state throws(AttachmentError) in
      guard let output = state?.output else { throw .wrongSize }
      try state?.opener.append(piece.span) { bytes throws(AttachmentError) in try output.write(bytes) }
    }
  }

  /// Ends the blob, and gives the file its name.
  ///
  /// - Throws: ``AttachmentError``, if it is not all of the blob.
  package func finish() throws(AttachmentError) {
    try state.withLock { state throws(AttachmentError) in
      guard let whole = state.take() else { throw .wrongSize }
      try Self.finish(whole)
    }
  }

  private static func finish(_ state: consuming State) throws(AttachmentError) {
    let output = state.output
    try state.opener.finish()
    try output.finish()
  }
}
