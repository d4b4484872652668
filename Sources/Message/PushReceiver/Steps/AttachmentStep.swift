public import PushAttachments
internal import PushCore
internal import PushFiles

extension EnrichmentStep {
  /// Fetches and decrypts the message's attachments independently, and shows the ones that arrive in time.
  ///
  /// Nothing is fetched for an anonymous message: otherwise anyone with the device's public key could make the phone
  /// reveal its IP address. `folder` holds the files until the system takes them over, under names that begin with
  /// `sealed-push-`. It is created if it does not exist, and not used if another user may write to it. Files of killed
  /// processes are removed when a message opens an hour or more later.
  public static func attachments(from fetcher: any BlobFetcher, into folder: String) -> EnrichmentStep {
    let loader = AttachmentLoader(fetcher: fetcher, folder: folder)
    return EnrichmentStep("attachments") { message in
      guard message.opened.sender != nil else { return [] }
      let member = SealedPushMember(reading: message.payload[SealedPushMember.name])
      let folder = Result { () throws(AttachmentError) in try loader.prepare() }
      return member.attachments.enumerated().map { index, descriptor in
        { content, message in
          try folder.get()
          var content = content
          content.attachments.append(try await loader.load(descriptor, at: index, of: message))
          return content
        }
      }
    }
  }
}

/// Fetches attachments, decrypts them as they arrive, and puts them into a folder.
private struct AttachmentLoader: Sendable {
  /// The age of a stale file, in seconds: an extension lives for half a minute.
  static let staleAge = 3600

  private let fetcher: any BlobFetcher
  private let folder: ScratchFolder

  init(fetcher: any BlobFetcher, folder: String) {
    self.fetcher = fetcher
    self.folder = ScratchFolder(path: folder, prefix: "sealed-push-")
  }

  /// Makes the folder, and removes what killed processes left there.
  ///
  /// - Throws: `AttachmentError.unwritable(_:)`, also if another user can put files into the folder and so replace
  ///   one that was checked.
  func prepare() throws(AttachmentError) {
    do throws(FileError) {
      try folder.prepare(removingFilesOlderThan: Self.staleAge)
    } catch {
      throw .unwritable(error, path: folder.path)
    }
  }

  /// Downloads one attachment into a file that is complete and checked.
  func load(
    _ descriptor: AttachmentDescriptor, at index: Int, of message: OpenedMessage
  ) async throws -> ShownAttachment {
    guard let url = descriptor.url else { throw AttachmentError.missingURL }
    // A message may be opened twice at once.
    let identifier = "\(message.opened.claims.messageID.text)-\(index)"
    let path = folder.path(of: "\(identifier)-\(MessageID.random().text).\(descriptor.type.fileExtension)")
    let download = try BlobDownload(of: descriptor, to: path)
    try await fetcher.fetch(url) { piece throws(AttachmentError) in try download.append(piece) }
    try download.finish()
    let file = ScratchFile(path: path)
    try Task.checkCancellation()
    return ShownAttachment(identifier: identifier, type: descriptor.type, file: file)
  }
}
