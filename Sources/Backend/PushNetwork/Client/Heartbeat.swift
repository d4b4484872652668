/// Whether a connection lives: when it was heard last, and since when a ping waits for an answer.
struct Heartbeat {
  private let pingAfter: (idle: Duration, busy: Duration)
  private let pingTimeout: Duration
  /// Since when nothing was heard, although it might have been.
  private var quietSince = Duration.zero
  /// When a ping that was sent must have been answered.
  private var pingDeadline: Duration?

  init(configuration: HTTP2Configuration) {
    (pingAfter, pingTimeout) = (configuration.pingAfter, configuration.pingTimeout)
  }

  /// Takes note of a sign of life.
  mutating func heard(at now: Duration) { (quietSince, pingDeadline) = (now, nil) }

  /// Takes note that something is to be heard, which was not expected before.
  mutating func expects(at now: Duration) { quietSince = now }

  /// Whether a ping went without an answer for too long.
  func isDead(at now: Duration) -> Bool {
    guard let limit = pingDeadline else { return false }
    return limit <= now
  }

  /// Whether a ping is due, which then waits for its answer.
  mutating func beginsPing(at now: Duration, isBusy: Bool) -> Bool {
    guard pingDeadline == nil, next(isBusy: isBusy) <= now else { return false }
    pingDeadline = now + pingTimeout
    return true
  }

  /// When to look again.
  func next(isBusy: Bool) -> Duration {
    pingDeadline ?? quietSince + (isBusy ? pingAfter.busy : pingAfter.idle)
  }
}
