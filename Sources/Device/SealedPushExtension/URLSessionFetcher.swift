private import Foundation
public import PushAttachments
public import PushReceiver

/// Fetches blobs over HTTPS with Foundation's `URLSession`.
///
/// It has a module of its own because on Linux it links FoundationNetworking, which costs a process 6 MB of memory. It
/// keeps nothing, and sends nothing but the request: no cookies, cache, credentials or language, and the same
/// `User-Agent` everywhere. It gives up if the server is silent for 15 seconds. It follows at most three redirects,
/// each to a valid `AttachmentURL`.
///
/// A body is never collected: on Linux at most 17 pieces of 16 KiB wait for `receive`.
///
/// On Linux, fetch only from servers that you trust: there, Foundation (Swift 6.3) does not protect the process from a
/// hostile server. A server that closes the connection in the middle of its header crashes the process. The body of a
/// redirect stays in memory until the fetch ends. A connection that always has bytes to read stays open after its fetch
/// has ended, and every other session of the process waits meanwhile.
public struct URLSessionFetcher: BlobFetcher {
  private let isFollowed: @Sendable (_ address: String) -> Bool

  /// Makes a fetcher; all fetchers of a process share one session.
  public init() {
    isFollowed = { address in (try? AttachmentURL(address)) != nil }
  }

  /// Makes a fetcher that follows redirects to other addresses, for tests whose server is this machine.
  package init(isFollowed: @escaping @Sendable (_ address: String) -> Bool) { self.isFollowed = isFollowed }

  /// Fetches the blob at `url`, and passes its bytes in order to `receive`, on one of Foundation's threads.
  ///
  /// After it has returned or thrown, `receive` is not called again.
  ///
  /// - Throws: The error that `receive` throws, `CancellationError` at once when the task is cancelled, or a
  ///   `CodedError` such as `fetch-404`.
  public func fetch(
    _ url: AttachmentURL, receive: @escaping @Sendable (_ piece: [UInt8]) throws(AttachmentError) -> Void
  ) async throws {
    guard let address = URL(string: url.text, encodingInvalidCharacters: false) else {
      throw FetchError.failed(code: NSURLErrorBadURL)
    }
    let exchange = Exchange(isFollowed: isFollowed, receive: receive)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchange.start(from: address, resuming: continuation)
      }
    } onCancel: {
      exchange.end(with: .failure(CancellationError()))
    }
  }
}

extension EnrichmentStep {
  /// Fetches the message's attachments with the system's `URLSession`, decrypts them, and shows the ones that arrive in
  /// time.
  ///
  /// `folder` holds the files until the system takes them over; it is created if it does not exist.
  public static func attachments(into folder: String) -> EnrichmentStep {
    attachments(from: URLSessionFetcher(), into: folder)
  }
}

/// Why a blob could not be fetched.
///
/// No case contains the address: whoever knows it may be able to fetch the blob.
package enum FetchError: CodedError, Equatable, Sendable {
  /// The server answered, but not with 200.
  case status(Int)
  /// The server used a content encoding, although it was asked not to.
  case contentEncoding
  /// The server redirects to an address that is not public or not HTTPS.
  case redirectRefused
  /// The server redirects for the fourth time.
  case tooManyRedirects
  /// Foundation failed, with this code of `NSURLErrorDomain`.
  case failed(code: Int)

  /// The code for the log, such as `fetch-404` for a server's answer.
  package var code: String {
    switch self {
    case .status(let status): "fetch-\(status)"
    case .contentEncoding: "fetch-content-encoding"
    case .redirectRefused: "fetch-redirect-refused"
    case .tooManyRedirects: "fetch-too-many-redirects"
    case .failed(let code): "fetch-failed\(code)"
    }
  }
}
