internal import Foundation
private import Locks
internal import PushAttachments

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One fetch: its result so far, and the continuation that waits for it.
final class Exchange: Sendable {
  /// The most redirects that are followed.
  static let maximumRedirects = 3

  /// The longest piece that `receive` gets, in bytes.
  static let maximumPieceSize = 1 << 16

  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var task: URLSessionDataTask?
    var outcome: Result<Void, any Error>?
    var redirects = 0
    var isAccepted = false
    var isReceiving = false
  }

  private let state = Mutex(State())
  private let isFollowed: @Sendable (String) -> Bool
  private let receive: @Sendable ([UInt8]) throws(AttachmentError) -> Void

  init(
    isFollowed: @escaping @Sendable (String) -> Bool,
    receive: @escaping @Sendable ([UInt8]) throws(AttachmentError) -> Void
  ) {
    self.isFollowed = isFollowed
    self.receive = receive
  }

  /// Requests `address`, and resumes `continuation` when the exchange has ended.
  func start(from address: URL, resuming continuation: CheckedContinuation<Void, any Error>) {
    let task = FetchSession.shared.task(fetching: address, for: self)
    let outcome = state.withLock { state in
      if state.outcome == nil { (state.task, state.continuation) = (task, continuation) }
      return state.outcome
    }
    if let outcome {
      FetchSession.shared.stop(task)
      continuation.resume(with: outcome)
    } else {
      task.resume()
    }
  }

  /// Ends the exchange, unless it has ended already, as soon as `receive` is not running.
  func end(with outcome: Result<Void, any Error>) {
    close { state in state.outcome = state.outcome ?? outcome }
  }

  /// Whether the body of this response is wanted; ends the exchange if not.
  func accepts(_ response: URLResponse?) -> Bool {
    do throws(FetchError) {
      try Self.check(response)
    } catch {
      end(with: .failure(error))
      return false
    }
    return state.withLock { state in
      state.isAccepted = true
      return state.outcome == nil
    }
  }

  /// Passes a piece of the body to `receive`.
  func take(_ data: Data) {
    let isOpen = state.withLock { state in
      state.isReceiving = state.outcome == nil && state.isAccepted
      return state.isReceiving
    }
    guard isOpen else { return }
    var failure: AttachmentError?
    do throws(AttachmentError) {
      try handOn(data)
    } catch {
      failure = error
    }
    close { state in
      state.isReceiving = false
      if let failure { state.outcome = state.outcome ?? .failure(failure) }
    }
  }

  /// Calls `proceed` with the request to follow, unless the exchange has ended; an address that must not be followed
  /// ends it.
  func redirect(to request: URLRequest, proceed: (URLRequest) -> Void) -> Bool {
    let address = request.url?.absoluteString
    let isFollowed = address.map(isFollowed) ?? false
    // `proceed` is called under the lock, so never after the task was cancelled.
    let (isOpen, refusal): (Bool, FetchError?) = state.withLock { state in
      guard state.outcome == nil else { return (false, nil) }
      guard isFollowed else { return (false, .redirectRefused) }
      guard state.redirects < Self.maximumRedirects else { return (false, .tooManyRedirects) }
      state.redirects += 1
      proceed(request)
      return (true, nil)
    }
    if let refusal { end(with: .failure(refusal)) }
    return isOpen
  }

  /// Ends the exchange with its task's result.
  func complete(with response: URLResponse?, error: (any Error)?) {
    if let error { return end(with: .failure(FetchError.failed(code: (error as NSError).code))) }
    // A redirect that leads nowhere completes without having been announced.
    let isAccepted = state.withLock { state in state.isAccepted }
    if isAccepted || accepts(response) { end(with: .success(())) }
  }

  private func handOn(_ data: Data) throws(AttachmentError) {
    var rest = data[...]
    while !rest.isEmpty, state.withLock({ state in state.outcome == nil }) {
      try receive([UInt8](rest.prefix(Self.maximumPieceSize)))
      rest = rest.dropFirst(Self.maximumPieceSize)
    }
  }

  private func close(after change: (inout State) -> Void) {
    let (task, continuation, outcome) = state.withLock { state in
      change(&state)
      let isOver = state.outcome != nil
      return (
        isOver ? state.task.take() : nil, isOver && !state.isReceiving ? state.continuation.take() : nil,
        state.outcome
      )
    }
    if let task { FetchSession.shared.stop(task) }
    if let outcome { continuation?.resume(with: outcome) }
  }

  private static func check(_ response: URLResponse?) throws(FetchError) {
    guard let response = response as? HTTPURLResponse else {
      throw .failed(code: NSURLErrorBadServerResponse)
    }
    guard response.statusCode == 200 else { throw .status(response.statusCode) }
    let encoding = response.value(forHTTPHeaderField: "Content-Encoding") ?? ""
    guard ["", "identity"].contains(encoding.lowercased()) else { throw .contentEncoding }
  }
}
