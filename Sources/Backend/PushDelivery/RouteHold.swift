/// What keeps a route from sending: a pause, or a stop until somebody resumes it.
struct RouteHold {
  /// Why the route takes no pushes.
  enum Stop: Hashable, Sendable {
    /// APNs refuses all of them.
    case refused(APNsReason?)
    /// APNs refused the devices of so many in a row.
    case badDevices(APNsReason?, inARow: Int)
    /// APNs refused so many in a row for this reason.
    case equalRefusals(APNsReason?, inARow: Int)
    /// Something that is not APNs answers.
    case stranger(StrangeAnswer)

    var reason: APNsReason? {
      switch self {
      case .refused(let reason), .badDevices(let reason, _), .equalRefusals(let reason, _): reason
      case .stranger: nil
      }
    }

    var cause: DeliveryError.Cause {
      switch self {
      case .refused(let reason): .routeStopped(reason)
      case .badDevices(let reason, let count): .badDevices(reason, inARow: count)
      case .equalRefusals(let reason, let count): .equalRefusals(reason, inARow: count)
      case .stranger(let answer): .notAPNs(answer.text)
      }
    }
  }

  private(set) var stop: Stop?
  private(set) var pausedUntil = Duration.zero
  /// How many pushes in a row had a device that APNs refused.
  private var badDevices = 0
  /// How many pushes in a row were refused for the same reason, as if each was wrong.
  private var refusals: (reason: APNsReason?, count: Int) = (nil, 0)
  /// Whether there were too many of them, and APNs has accepted nothing since.
  private var isWrong = false

  /// Whether the route may send.
  func isOver(at now: Duration) -> Bool { stop == nil && pausedUntil <= now }

  /// Stops the route.
  mutating func stop(for stop: Stop) { self.stop = stop }

  /// Sends nothing until then.
  mutating func pause(until end: Duration) { pausedUntil = max(pausedUntil, end) }

  /// Sends again, and knows what was wrong.
  mutating func resume() {
    (stop, pausedUntil, badDevices) = (nil, .zero, 0)
  }

  /// Counts refused devices and pushes.
  ///
  /// If there are so many in a row that the configuration must be wrong, this returns why to stop.
  ///
  /// Only devices that have proven their address count, because anybody can claim an address.
  mutating func count(_ response: APNsResponse, isProven: Bool, under policy: RetryPolicy) -> Stop? {
    switch response.verdict {
    case .accepted: (badDevices, refusals, isWrong) = (0, (nil, 0), false)
    case .removeToken: badDevices = 0
    case .quarantineDevice where isProven:
      badDevices += 1
      guard let limit = policy.badDevicesInARow, badDevices >= limit, stop == nil else { return nil }
      return .badDevices(response.reason, inARow: badDevices)
    case .discard where isProven:
      if response.reason != refusals.reason { (refusals, isWrong) = ((response.reason, 0), false) }
      refusals.count += 1
      guard let limit = policy.equalRefusalsInARow, isWrong || refusals.count >= limit else { return nil }
      isWrong = true
      return .equalRefusals(response.reason, inARow: refusals.count)
    case .quarantineDevice, .discard, .keep: break
    }
    return nil
  }
}
