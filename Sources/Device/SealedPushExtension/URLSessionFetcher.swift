private import Foundation
public import PushAttachments
public import PushReceiver

/// Fetches blobs over HTTPS with Foundation's `URLSession`.
///
/// It stands in a module of its own because on Linux it links FoundationNetworking, which costs a process 6 MB of
/// memory. Nothing is kept, and nothing sent but the request: no cookies, no cache, no credentials, no language, the
/// same `User-Agent` everywhere. A server that is silent for 15 s is given up. At most three redirects are followed,
/// each to a valid `AttachmentURL`.
///
/// A body is never collected: on Linux at most 17 pieces of 16 KiB wait for `receive`.
///
/// Of Foundation on Linux (Swift 6.3) a server can have more than it should, so fetch there from servers that you
/// trust: one that closes in the middle of its header brings the process down; the body of a redirect is in memory
/// until it ends; and a connection that is never without bytes to read stays open behind a fetch that has ended,
/// while every other session of the process waits.
public struct URLSessionFetcher: BlobFetcher {
  private let isFollowed: @Sendable (_ address: String) -> Bool

  /// Makes a fetcher; all of a process share one session.
  public init() {
    isFollowed = { address in (try? AttachmentURL(address)) != nil }
  }

  /// Makes a fetcher that follows redirects to other addresses, for tests whose server is this machine.
  package init(isFollowed: @escaping @Sendable (_ address: String) -> Bool) { self.isFollowed = isFollowed }

  /// Gets the blob at `url`, and gives its bytes in order to `receive`, on a thread of Foundation's.
  ///
  /// Once it has returned or thrown, `receive` is not called again.
  ///
  /// - Throws: what `receive` throws, `CancellationError` at once when the task is cancelled, or ``FetchError``.
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
  /// Fetches the message's attachments with the system's `URLSession`, opens them, and shows those that come in time.
  ///
  /// `folder` holds the files until the system takes them over; it is made if it is not there.
  public static func attachments(into folder: String) -> EnrichmentStep {
    attachments(from: URLSessionFetcher(), into: folder)
  }
}

/// Why a blob could not be fetched.
///
/// No case says where it is: an address may be a capability of its own.
public enum FetchError: CodedError, Equatable, Sendable {
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

  /// The word for the log: `fetch-404` for an answer, and the like.
  public var code: String {
    switch self {
    case .status(let status): "fetch-\(status)"
    case .contentEncoding: "fetch-content-encoding"
    case .redirectRefused: "fetch-redirect-refused"
    case .tooManyRedirects: "fetch-too-many-redirects"
    case .failed(let code): "fetch-failed\(code)"
    }
  }
}
