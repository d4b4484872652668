/// Decides whether a connection is alive, from the time of the last bytes and from pings without an answer.
struct Heartbeat {
  private let pingAfter: (idle: Duration, busy: Duration)
  private let pingTimeout: Duration
  /// Since when nothing was heard, although the server may have had something to send.
  private var quietSince = Duration.zero
  /// When the ping that was sent must have its answer.
  private var pingDeadline: Duration?

  init(configuration: HTTP2Configuration) {
    pingAfter = configuration.pingAfter
    pingTimeout = configuration.pingTimeout
  }

  /// Notes that bytes arrived.
  mutating func heard(at now: Duration) { (quietSince, pingDeadline) = (now, nil) }

  /// Notes that from now on the server has something to send.
  mutating func expects(at now: Duration) { quietSince = now }

  /// Whether a ping went without an answer for too long.
  func isDead(at now: Duration) -> Bool {
    guard let limit = pingDeadline else { return false }
    return limit <= now
  }

  /// Whether a ping is due; if so, starts the wait for its answer.
  mutating func beginsPing(at now: Duration, isBusy: Bool) -> Bool {
    guard pingDeadline == nil, next(isBusy: isBusy) <= now else { return false }
    pingDeadline = now + pingTimeout
    return true
  }

  /// When to check again.
  func next(isBusy: Bool) -> Duration {
    pingDeadline ?? quietSince + (isBusy ? pingAfter.busy : pingAfter.idle)
  }
}
