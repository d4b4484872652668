/// What keeps a route from sending: a pause, or a stop until somebody resumes it.
struct RouteHold {
  /// Why the route takes no pushes.
  enum Stop {
    /// APNs refuses all of them.
    case refused(APNsReason?)
    /// APNs refused the devices of so many in a row.
    case badDevices(APNsReason?, inARow: Int)

    var reason: APNsReason? {
      switch self {
      case .refused(let reason), .badDevices(let reason, _): reason
      }
    }

    var cause: DeliveryError.Cause {
      switch self {
      case .refused(let reason): .routeStopped(reason)
      case .badDevices(let reason, let count): .badDevices(reason, inARow: count)
      }
    }
  }

  private(set) var stop: Stop?
  private(set) var pausedUntil = Duration.zero
  /// How many pushes in a row had a device that APNs refused.
  private var badDevices = 0

  /// Whether the route may send.
  func isOver(at now: Duration) -> Bool { stop == nil && pausedUntil <= now }

  /// Stops the route.
  mutating func stop(for stop: Stop) { self.stop = stop }

  /// Sends nothing until then.
  mutating func pause(until end: Duration) { pausedUntil = max(pausedUntil, end) }

  /// Counts refused devices.
  ///
  /// If there are so many in a row that the environment or the topic must be wrong, this returns why to stop.
  ///
  /// Only devices that have proven their address count, because anybody can claim an address.
  mutating func count(_ response: APNsResponse, isProven: Bool, limit: Int?) -> Stop? {
    switch response.verdict {
    case .accepted, .removeToken: badDevices = 0
    case .quarantineDevice where !isProven: break
    case .quarantineDevice:
      badDevices += 1
      guard let limit, badDevices >= limit, stop == nil else { return nil }
      return .badDevices(response.reason, inARow: badDevices)
    case .discard, .keep: break
    }
    return nil
  }
}
