/// What gets blobs from where they are.
public protocol BlobFetcher: Sendable {
  /// Gets the blob at `url`, and gives its bytes in order to `receive`, one call at a time, on any thread.
  ///
  /// It keeps no more of the blob than a piece. When `receive` throws, which it does as soon as a blob is longer than it
  /// should be, the fetch ends and throws that error; so it does when its task is cancelled.
  func fetch(
    _ url: AttachmentURL, receive: @escaping @Sendable (_ piece: [UInt8]) throws(AttachmentError) -> Void
  ) async throws
}
