public import PushEnvelope
internal import PushHTTP2

/// A client's time: the date for provider tokens, and waiting for deadlines and retries.
public protocol DeliveryClock: Sendable {
  /// The current date.
  var now: UnixTime { get }

  /// The time since some moment before, which never goes back.
  var uptime: Duration { get }

  /// Waits until ``uptime`` reaches `end`; throws early only if its task is cancelled.
  func sleep(until end: Duration) async throws
}

/// The system's time.
public struct SystemDeliveryClock: DeliveryClock {
  /// Makes the clock.
  public init() {}

  /// The system's date.
  public var now: UnixTime { .now }

  /// The time since this was first asked, the system's sleep included.
  public var uptime: Duration { SystemUptime().uptime }

  /// Waits by a clock that goes on while the system sleeps.
  public func sleep(until end: Duration) async throws { try await SystemUptime().sleep(until: end) }
}

/// A delivery's clock as the connections see it.
struct ConnectionUptime: Uptime {
  let clock: any DeliveryClock

  var uptime: Duration { clock.uptime }

  func sleep(until end: Duration) async throws { try await clock.sleep(until: end) }
}
