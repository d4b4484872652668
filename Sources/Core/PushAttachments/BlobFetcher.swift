private import Locks

/// Fetches blobs from their addresses.
public protocol BlobFetcher: Sendable {
  /// Fetches the blob at `url`, and passes its bytes to `receive` in order, one call at a time, on any thread.
  ///
  /// It keeps only one piece of the blob in memory. When `receive` throws, for example because the blob is too long, the
  /// fetch stops and throws the same error. It also stops when its task is cancelled.
  func fetch(
    _ url: AttachmentURL, receive: @escaping @Sendable (_ piece: [UInt8]) throws(AttachmentError) -> Void
  ) async throws
}

/// A blob that is opened into a file while it is downloaded.
///
/// It takes the bytes in order, on any thread.
///
/// The file gets its name only when the whole blob is valid. Until then it is a hidden file, which is removed when the
/// download is released. An existing file is replaced, so the name should be new. Only one record is in memory at a time.
package final class BlobDownload: Sendable {
  private struct State: ~Copyable {
    var opener: BlobOpener
    let output: Output
  }

  /// The output file, in a class of its own because the opener is mutated while it writes.
  private final class Output: Sendable {
    let file: Mutex<AttachmentOutput?>

    init(path: String) throws(AttachmentError) {
      let file = try AttachmentOutput(path: path)
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
  /// - Throws: ``AttachmentError``. A blob that is too large is refused before anything is fetched.
  package init(of descriptor: AttachmentDescriptor, to path: String) throws(AttachmentError) {
    let state = State(opener: try BlobOpener(descriptor: descriptor), output: try Output(path: path))
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

  /// Finishes the blob, and gives the file its name.
  ///
  /// - Throws: ``AttachmentError``, if the blob is incomplete or invalid.
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
