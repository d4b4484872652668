internal import PushAttachments
internal import PushEnvelope
internal import PushFiles

/// Fetches attachments, opens them on the way, and puts them into a folder.
struct AttachmentLoader: Sendable {
  /// How old a file is that nobody will show any more, in seconds: an extension lives for half a minute.
  static let staleAge = 3600

  private let fetcher: any BlobFetcher
  private let folder: PassingFolder

  init(fetcher: any BlobFetcher, folder: String) {
    self.fetcher = fetcher
    self.folder = PassingFolder(path: folder, prefix: "sealed-push-")
  }

  /// Makes the folder, and removes what killed processes left there.
  ///
  /// - Throws: ``AttachmentError/unwritable(_:)``, also if somebody else can put files into the folder, who could then put
  ///   another file in the place of one that was checked.
  func prepare() throws(AttachmentError) {
    do throws(FileError) {
      try folder.prepare(removingFilesOlderThan: Self.staleAge)
    } catch {
      throw .unwritable(AttachmentFileFault(error))
    }
  }

  /// The file of one attachment, whole and checked, or nothing.
  func load(
    _ descriptor: AttachmentDescriptor, at index: Int, of message: OpenedMessage
  ) async throws -> ShownAttachment {
    guard let url = descriptor.url else { throw AttachmentError.missingURL }
    // A message may be opened twice at once.
    let identifier = "\(message.opened.claims.messageID.text)-\(index)"
    let path = folder.path(of: "\(identifier)-\(MessageID.random().text).\(descriptor.type.fileExtension)")
    let download = try BlobDownload(descriptor, to: path)
    try await fetcher.fetch(url) { piece throws(AttachmentError) in try download.append(piece) }
    try download.finish()
    let file = PassingFile(path: path)
    try Task.checkCancellation()
    return ShownAttachment(identifier: identifier, type: descriptor.type, file: file)
  }
}
