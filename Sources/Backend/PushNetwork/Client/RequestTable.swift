internal import CNGHTTP2

/// The requests of a connection, each from its arrival to its end, which comes exactly once.
struct RequestTable {
  typealias Outcome = Result<HTTP2Response, HTTP2Failure>

  /// A request, until it ends.
  final class Exchange {
    fileprivate let number: UInt64
    fileprivate let deadline: Duration
    /// Called once and then released, because the closure may hold what its owner needs at the end.
    fileprivate var end: (@Sendable (Outcome) -> Void)?
    /// The message, while it waits for a stream.
    fileprivate var message: (fields: FieldBlock, body: [UInt8])?
    fileprivate var stream: Int32?
    /// Whether a byte of the request may have been sent.
    fileprivate var hasBegun = false

    fileprivate init(
      number: UInt64, deadline: Duration, end: @escaping @Sendable (Outcome) -> Void
    ) {
      self.number = number
      self.deadline = deadline
      self.end = end
    }
  }

  private var exchanges: [UInt64: Exchange] = [:]
  private var streams: [Int32: Exchange] = [:]
  private var waiting: [Exchange] = []
  private var firstWaiting = 0

  /// The number of open streams, including those of requests that have ended.
  var openStreams: Int { streams.count }

  /// Whether no request is open or waits.
  var isEmpty: Bool { exchanges.isEmpty }

  /// The number of requests that are open or wait.
  var count: Int { exchanges.count }

  /// Adds a request, which waits for a stream.
  mutating func add(
    _ fields: FieldBlock, body: [UInt8], number: UInt64, until deadline: Duration,
    then end: @escaping @Sendable (Outcome) -> Void
  ) {
    let exchange = Exchange(number: number, deadline: deadline, end: end)
    exchange.message = (fields, body)
    exchanges[number] = exchange
    waiting.append(exchange)
  }

  /// Takes the request that has waited longest, and ends those whose deadlines have passed.
  mutating func takeWaiting(at now: Duration) -> (exchange: Exchange, fields: FieldBlock, body: [UInt8])? {
    while firstWaiting < waiting.count {
      let exchange = waiting[firstWaiting]
      firstWaiting += 1
      if firstWaiting > 1024, firstWaiting > waiting.count / 2 {
        waiting.removeFirst(firstWaiting)
        firstWaiting = 0
      }
      // A request that has ended while it waited has nothing to send.
      guard let (fields, body) = exchange.message else { continue }
      guard exchange.deadline > now else {
        fail(exchange, for: .deadline)
        continue
      }
      exchange.message = nil
      return (exchange, fields, body)
    }
    return nil
  }

  /// Notes a request's stream.
  mutating func open(_ stream: Int32, for exchange: Exchange) {
    exchange.stream = stream
    streams[stream] = exchange
  }

  /// Notes that a byte of the request on a stream may have been sent.
  func begin(on stream: Int32) { streams[stream]?.hasBegun = true }

  /// Ends the request on a stream with its answer.
  mutating func answer(on stream: Int32, with message: FrameMessage) {
    guard let exchange = streams[stream] else { return }
    guard let response = HTTP2Response(message) else { return fail(exchange, for: .malformed) }
    end(exchange, with: .success(response))
  }

  /// Ends the request on a stream without an answer.
  mutating func fail(on stream: Int32, for reason: HTTP2Failure.Reason) {
    if let exchange = streams[stream] { fail(exchange, for: reason) }
  }

  /// Frees a stream, and ends its request.
  ///
  /// - Parameter part: What has arrived of the answer, if its end is missing.
  mutating func close(_ stream: Int32, code: UInt32, part: FrameMessage?) {
    guard let exchange = streams.removeValue(forKey: stream) else { return }
    if let part {
      // The server has processed the request. All that there is to know of a success is in the fields.
      if let response = HTTP2Response(part), response.status == 200 {
        end(exchange, with: .success(response))
      } else {
        fail(exchange, for: .reset(code: code))
      }
    } else if code == NGHTTP2_REFUSED_STREAM.rawValue {
      // nghttp2 also closes the streams above a GOAWAY's last one with this code.
      end(exchange, with: .failure(.notProcessed(.refused)))
    } else {
      fail(exchange, for: .reset(code: code))
    }
  }

  /// Ends a request without an answer, unless it has ended; returns its stream, if it has one.
  mutating func fail(_ number: UInt64, for reason: HTTP2Failure.Reason) -> Int32? {
    guard let exchange = exchanges[number] else { return nil }
    fail(exchange, for: reason)
    return exchange.stream
  }

  /// Ends a request without an answer; the failure says whether the server may have processed it.
  mutating func fail(_ exchange: Exchange, for reason: HTTP2Failure.Reason) {
    end(exchange, with: .failure(exchange.hasBegun ? .unknown(reason) : .notProcessed(reason)))
  }

  /// Ends a request, unless it has ended.
  private mutating func end(_ exchange: Exchange, with outcome: Outcome) {
    guard exchanges.removeValue(forKey: exchange.number) != nil else { return }
    exchange.message = nil
    // Requests that have ended would pile up here as long as no stream is free.
    if waiting.count > 2 * exchanges.count + 1024 {
      waiting = waiting[firstWaiting...].filter { $0.message != nil }
      firstWaiting = 0
    }
    let end = exchange.end
    exchange.end = nil
    end?(outcome)
  }

  /// Ends all requests, or only those that wait for a stream.
  mutating func failAll(for reason: HTTP2Failure.Reason, onlyWaiting: Bool = false) {
    for exchange in exchanges.values where !onlyWaiting || exchange.stream == nil {
      fail(exchange, for: reason)
    }
  }

  /// The requests whose deadlines have passed, and the first deadline of the others.
  func deadlines(at now: Duration) -> (passed: [UInt64], next: Duration?) {
    var (passed, next): ([UInt64], Duration?) = ([], nil)
    for (number, exchange) in exchanges {
      if exchange.deadline <= now {
        passed.append(number)
      } else {
        next = min(next ?? exchange.deadline, exchange.deadline)
      }
    }
    return (passed, next)
  }
}
