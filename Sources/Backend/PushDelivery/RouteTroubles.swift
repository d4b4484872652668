package import PushCore
private import Synchronization

/// Why routes deliver nothing, for a log: each trouble at once, and again while it lasts, but not at each attempt.
package final class RouteTroubles: Sendable {
  /// A connection that cannot be made, or a key that APNs refuses.
  package struct Trouble: Hashable, Sendable {
    /// `connection-failed`, `connection-ended` or `key-refused`.
    package let event: String
    package let route: APNsRoute
    /// What the system, the library for TLS, or APNs says.
    package let reason: String
  }

  /// How long a trouble that lasts is not told again.
  private static let silence = Duration.seconds(60)

  /// How many troubles are remembered: topics come from enrolments.
  private static let maximumCount = 256

  private let clock: any PushClock
  private let told = Mutex<[Trouble: Duration]>([:])

  /// Knows of no troubles yet.
  package init(clock: any PushClock = SystemClock()) { self.clock = clock }

  /// What is to be told of an event; nil if it is no trouble, or was told just now.
  package func news(in event: DeliveryEvent) -> Trouble? {
    switch event {
    case .connectionFailed(let reason, let route):
      return news(of: Trouble(event: "connection-failed", route: route, reason: reason))
    case .answered(let answer, _, let route, _) where answer.status == 403:
      return news(
        of: Trouble(event: "key-refused", route: route, reason: answer.reason?.rawValue ?? "status 403"))
    case .connected(let route):
      forgetConnections(of: route)
      return nil
    case .goodbye(let reason, let route) where reason != .idleTimeout && reason != .shutdown:
      return news(of: Trouble(event: "connection-ended", route: route, reason: reason.rawValue))
    case .answered, .unanswered, .goodbye, .routeStopped: return nil
    }
  }

  private func news(of trouble: Trouble) -> Trouble? {
    let now = clock.uptime
    return told.withLock { told in
      if let last = told[trouble], now - last < Self.silence { return nil }
      if told.count >= Self.maximumCount { told = [:] }
      told[trouble] = now
      return trouble
    }
  }

  /// After a connection was made, the next one that fails is told at once.
  private func forgetConnections(of route: APNsRoute) {
    told.withLock { told in
      told = told.filter { $0.key.route != route || $0.key.event != "connection-failed" }
    }
  }
}
