internal import PushNetwork

/// When a route tries to connect: one attempt at a time, after waits that grow as long as connections are of no use.
struct RouteConnecting {
  private enum State {
    case idle
    case waiting(until: Duration)
    case trying
  }

  private let policy: RetryPolicy
  private var state = State.idle
  /// Connections in a row that failed, or ended before APNs answered anything on them.
  private var useless = 0

  /// Why the last attempt gave no connection; nil if it gave one.
  private(set) var error: HTTP2Error?

  /// Why TLS ended a connection on which APNs had answered nothing; nil if there was none, or APNs has answered since.
  private(set) var refusal: HTTP2Error?

  init(policy: RetryPolicy) { self.policy = policy }

  /// When the wait before the next attempt ends; nil unless one waits.
  var waitEnd: Duration? { if case .waiting(let end) = state { end } else { nil } }

  /// Begins an attempt for a route without connections, or the wait before it, unless there is one already.
  ///
  /// - Returns: Whether to try now.
  mutating func begin(at now: Duration, random: Double) -> Bool {
    guard case .idle = state else { return false }
    guard useless > 0 else { return tryNow() }
    state = .waiting(until: now + policy.reconnectDelay(after: useless, random: random))
    return false
  }

  /// Ends the wait if its time has come; returns whether to try now.
  mutating func endWait(at now: Duration, isWanted: Bool) -> Bool {
    guard let waitEnd, waitEnd <= now else { return false }
    state = .idle
    return isWanted && tryNow()
  }

  private mutating func tryNow() -> Bool {
    useless += 1
    state = .trying
    return true
  }

  /// Begins an attempt for a route that has connections, unless there is one already; returns whether to try.
  mutating func beginOneMore() -> Bool {
    guard case .idle = state else { return false }
    state = .trying
    return true
  }

  /// Takes note that an attempt ended.
  mutating func end() { state = .idle }

  /// Takes note that an attempt ended, for a route without connections.
  mutating func end(with error: HTTP2Error?) {
    state = .idle
    self.error = error
  }

  /// Takes note that TLS ended a connection; returns whether APNs had answered nothing before.
  mutating func refused(with error: HTTP2Error) -> Bool {
    guard useless > 0 else { return false }
    refusal = error
    return true
  }

  /// Ends the wait before an attempt that nobody wants any more.
  mutating func cancelWait() {
    if case .waiting = state { state = .idle }
  }

  /// Takes note that APNs answered on a connection, which was of use: a goodbye before the answer was no refusal.
  ///
  /// - Returns: Whether this ends the wait before the next attempt.
  mutating func answered() -> Bool {
    useless = 0
    refusal = nil
    guard waitEnd != nil else { return false }
    state = .idle
    return true
  }
}
