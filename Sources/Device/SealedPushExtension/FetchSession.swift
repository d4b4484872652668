internal import Foundation
private import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The session of the process, and which exchange each of its tasks belongs to.
///
/// There is one, which is never invalidated: on Linux a session that is let go while its connections close can bring
/// the process down. A task leaves nothing in it.
final class FetchSession: Sendable {
  static let shared = FetchSession()

  private let delegate: Delegate
  private let session: URLSession
  private let ends = DispatchQueue(label: "SealedPushExtension.ends")

  private init() {
    delegate = Delegate()
    session = URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: Self.queue)
  }

  /// A task that is not yet begun, for `exchange`.
  func task(fetching address: URL, for exchange: Exchange) -> URLSessionDataTask {
    var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData)
    request.timeoutInterval = Self.timeout
    let task = session.dataTask(with: request)
    delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
    return task
  }

  /// Lets a task go, whatever it does.
  func stop(_ task: URLSessionDataTask) {
    delegate.exchanges.withLock { exchanges in _ = exchanges.removeValue(forKey: task.taskIdentifier) }
    // On Linux this waits for the thread that reads the network, which may wait for the one that this is.
    ends.async { task.cancel() }
  }

  /// How long a server may be silent, in seconds.
  private static let timeout: TimeInterval = 15

  private static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.httpAdditionalHeaders = [
      "Accept": "*/*", "Accept-Encoding": "identity", "Accept-Language": "*", "User-Agent": "SealedPush",
    ]
    #if !canImport(FoundationNetworking)
      configuration.waitsForConnectivity = false
    #endif
    return configuration
  }

  private static var queue: OperationQueue {
    #if canImport(FoundationNetworking)
      let queue = BoundedQueue()
    #else
      let queue = OperationQueue()
    #endif
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

extension FetchSession {
  /// What the session tells, passed on to the exchange that it is about.
  private final class Delegate: NSObject, URLSessionDataDelegate {
    let exchanges = Mutex<[Int: Exchange]>([:])

    private func exchange(of task: URLSessionTask) -> Exchange? {
      exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      let isAccepted = exchange(of: dataTask)?.accepts(response) ?? false
      completionHandler(isAccepted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      exchange(of: dataTask)?.take(data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      let isFollowed = exchange(of: task)?.redirect(to: request) { completionHandler($0) } ?? false
      #if !canImport(FoundationNetworking)
        // There alone: on Linux an answer for a task that was cancelled is a trap, and none is waited for.
        if !isFollowed { completionHandler(nil) }
      #else
        _ = isFollowed
      #endif
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // Who asks for a password has refused: 401 or 407.
      if let refusal = challenge.failureResponse { _ = exchange(of: task)?.accepts(refusal) }
      #if !canImport(FoundationNetworking)
        // On Linux the server's certificate is no challenge, and cancelling here would wait for the thread that
        // reads the network, which may wait for this one: the end of the exchange cancels.
        // A server that offers to know the client by a certificate may do without.
        let methods = [NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate]
        let isUsual = methods.contains(challenge.protectionSpace.authenticationMethod)
        completionHandler(isUsual ? .performDefaultHandling : .cancelAuthenticationChallenge, nil)
      #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      exchange(of: task)?.complete(with: task.response, error: error)
    }
  }
}

#if canImport(FoundationNetworking)
  /// A queue that blocks the caller while it is full.
  ///
  /// FoundationNetworking puts every piece that it reads into its session's queue and reads on, so a body that comes
  /// faster than it is received would be in memory whole. It must not wait in turn for what runs in the queue.
  final class BoundedQueue: OperationQueue, @unchecked Sendable {
    private let places = DispatchSemaphore(value: 16)

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      places.wait()
      super.addOperation { [places] in
        block()
        places.signal()
      }
    }
  }
#endif
