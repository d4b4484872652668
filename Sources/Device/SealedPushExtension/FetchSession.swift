internal import Foundation
private import Locks

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The process's URL session, and the exchange of each of its tasks.
///
/// The one session is never invalidated: on Linux, releasing a session while its connections close can crash the
/// process. A finished task leaves nothing in it.
final class FetchSession: Sendable {
  static let shared = FetchSession()

  private let delegate: Delegate
  private let session: URLSession
  private let ends = DispatchQueue(label: "SealedPushExtension.ends")

  private init() {
    delegate = Delegate()
    session = URLSession(configuration: Self.configuration, delegate: delegate, delegateQueue: Self.queue)
  }

  /// Makes a task for `exchange`, without starting it.
  func task(fetching address: URL, for exchange: Exchange) -> URLSessionDataTask {
    var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData)
    request.timeoutInterval = Self.timeout
    let task = session.dataTask(with: request)
    delegate.exchanges.withLock { $0[task.taskIdentifier] = exchange }
    return task
  }

  /// Cancels a task, and forgets its exchange.
  func stop(_ task: URLSessionDataTask) {
    delegate.exchanges.withLock { exchanges in _ = exchanges.removeValue(forKey: task.taskIdentifier) }
    // On Linux `cancel` waits for the thread that reads the network, and that thread may wait for this one.
    ends.async { task.cancel() }
  }

  /// The longest time without bytes from a server, in seconds.
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
  /// Passes the session's events on to the exchange that each one is about.
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
        // Not on Linux: there, answering for a cancelled task traps, and nothing waits for the answer.
        if !isFollowed { completionHandler(nil) }
      #else
        _ = isFollowed
      #endif
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      // A server that asks for a password has refused: 401 or 407.
      if let refusal = challenge.failureResponse { _ = exchange(of: task)?.accepts(refusal) }
      #if !canImport(FoundationNetworking)
        // Not on Linux: the server's certificate is no challenge there, and cancelling here would wait for the thread
        // that reads the network, which may wait for this one. The end of the exchange cancels instead. A server may
        // ask for a client certificate without requiring one, so that challenge gets the default handling.
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
  /// FoundationNetworking puts every piece that it reads into its session's queue, and reads on. Without this limit, a
  /// body that arrives faster than it is received would be in memory as a whole. Blocks in the queue must never wait
  /// for the caller.
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
