public import PushAttachments
internal import PushPayload

extension EnrichmentStep {
  /// Fetches and opens the message's attachments, each for itself, and shows those that come in time.
  ///
  /// Nothing is fetched for an anonymous message: whoever has the device's public key could make the phone tell where it
  /// is. `folder` holds the files until the system takes them over, under names that begin with `sealed-push-`; it is made
  /// if it is not there, and not used if somebody else may write to it. Those of processes that were killed are removed
  /// when the next message opens, an hour later.
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
