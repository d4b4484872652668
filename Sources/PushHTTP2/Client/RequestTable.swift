internal import CNGHTTP2

/// The requests of a connection, each from its arrival to its one end.
struct RequestTable {
  typealias Outcome = Result<HTTP2Response, HTTP2Failure>

  /// A request that has not ended.
  private struct Entry {
    var request: HTTP2Request?
    let deadline: Duration
    let continuation: CheckedContinuation<Outcome, Never>
    var stream: Int32?
    /// Whether a byte of it may have left.
    var hasBegun = false
  }

  private var entries: [UInt64: Entry] = [:]
  private var streams: [Int32: UInt64] = [:]
  private var waiting: [UInt64] = []
  private var firstWaiting = 0
  private var lastNumber: UInt64 = 0

  /// Streams that are open, of requests that have ended too.
  var openStreams: Int { streams.count }

  /// Whether no request is open or waits.
  var isEmpty: Bool { entries.isEmpty }

  /// How many requests are open or wait.
  var count: Int { entries.count }

  /// The next number of a request.
  mutating func number() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Adds a request, which waits for a stream.
  mutating func add(
    _ request: HTTP2Request, _ number: UInt64, until deadline: Duration,
    _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    entries[number] = Entry(request: request, deadline: deadline, continuation: continuation)
    waiting.append(number)
  }

  /// Takes the request that has waited longest; those whose deadlines have passed end.
  mutating func takeWaiting(at now: Duration) -> (number: UInt64, request: HTTP2Request)? {
    while firstWaiting < waiting.count {
      let number = waiting[firstWaiting]
      firstWaiting += 1
      if firstWaiting > 1024, firstWaiting > waiting.count / 2 {
        waiting.removeFirst(firstWaiting)
        firstWaiting = 0
      }
      // One that has ended while it waited is no longer there.
      guard let entry = entries[number], let request = entry.request else { continue }
      guard entry.deadline > now else {
        fail(number, .deadline)
        continue
      }
      entries[number]?.request = nil
      return (number, request)
    }
    return nil
  }

  /// Takes note of a request's stream.
  mutating func open(_ stream: Int32, for number: UInt64) {
    entries[number]?.stream = stream
    streams[stream] = number
  }

  /// Takes note that a byte of the request on a stream may have left.
  mutating func begin(_ stream: Int32) {
    if let number = streams[stream] { entries[number]?.hasBegun = true }
  }

  /// Ends the request on a stream with its answer.
  mutating func answer(on stream: Int32, _ message: FrameMessage) {
    guard let number = streams[stream] else { return }
    guard let response = HTTP2Response(message) else { return fail(on: stream, .malformed) }
    end(number, with: .success(response))
  }

  /// Ends the request on a stream without an answer.
  mutating func fail(on stream: Int32, _ reason: HTTP2Failure.Reason) {
    if let number = streams[stream] { fail(number, reason) }
  }

  /// Frees a stream, and ends its request.
  ///
  /// - Parameter amidAnswer: Whether a part of the answer had come, and not all.
  mutating func close(_ stream: Int32, _ code: UInt32, _ amidAnswer: Bool) {
    guard let number = streams.removeValue(forKey: stream) else { return }
    // nghttp2 closes the streams above a GOAWAY's last one with this code too. Whoever began to answer has processed.
    if code == NGHTTP2_REFUSED_STREAM.rawValue, !amidAnswer {
      end(number, with: .failure(.notProcessed(.refused)))
    } else {
      fail(number, .reset(code: code))
    }
  }

  /// Ends a request, unless it has ended; returns its stream, if it has one.
  @discardableResult
  mutating func end(_ number: UInt64, with outcome: Outcome) -> Int32? {
    guard let entry = entries.removeValue(forKey: number) else { return nil }
    // While nothing is taken, those that have ended would pile up.
    if waiting.count > 2 * entries.count + 1024 {
      waiting = waiting[firstWaiting...].filter { entries[$0]?.request != nil }
      firstWaiting = 0
    }
    entry.continuation.resume(returning: outcome)
    return entry.stream
  }

  /// Ends a request without an answer, as processed as it may have been.
  @discardableResult
  mutating func fail(_ number: UInt64, _ reason: HTTP2Failure.Reason) -> Int32? {
    let hasBegun = entries[number]?.hasBegun ?? false
    return end(number, with: .failure(hasBegun ? .unknown(reason) : .notProcessed(reason)))
  }

  /// Ends all requests, or all that wait for a stream.
  mutating func failAll(_ reason: HTTP2Failure.Reason, onlyWaiting: Bool = false) {
    for (number, entry) in entries where !onlyWaiting || entry.stream == nil { fail(number, reason) }
  }

  /// The requests whose deadlines have passed, and the first deadline of the others.
  func deadlines(at now: Duration) -> (passed: [UInt64], next: Duration?) {
    var (passed, next): ([UInt64], Duration?) = ([], nil)
    for (number, entry) in entries {
      if entry.deadline <= now {
        passed.append(number)
      } else {
        next = min(next ?? entry.deadline, entry.deadline)
      }
    }
    return (passed, next)
  }
}
