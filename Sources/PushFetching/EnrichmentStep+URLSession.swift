public import PushReceiver

extension EnrichmentStep {
  /// Fetches the message's attachments with the system's `URLSession`, opens them, and shows those that come in time.
  ///
  /// `folder` holds the files until the system takes them over; it is made if it is not there.
  public static func attachments(into folder: String) -> EnrichmentStep {
    attachments(from: URLSessionFetcher(), into: folder)
  }
}
