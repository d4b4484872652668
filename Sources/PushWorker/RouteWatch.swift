internal import PushDelivery
internal import PushEnvelope
internal import PushKeys
private import Synchronization

/// Which routes APNs refuses, and which addresses it has refused on them lately.
///
/// Nothing is sealed for a route that is stopped. When APNs refuses so many devices in a row that the configuration must
/// be wrong, none of them stays in quarantine.
final class RouteWatch: Sendable {
  private struct Route: Hashable {
    let topic: Topic
    let environment: APNsEnvironment

    init(_ address: DeviceAddress) { (topic, environment) = (address.topic, address.environment) }
  }

  private struct Hold {
    let reason: String
    let end: Duration
  }

  private struct State {
    var holds: [Route: Hold] = [:]
    var refused: [Route: [DeviceAddress]] = [:]
    /// Routes that have refused too many, and no device was found right since.
    var wrong: Set<Route> = []
  }

  private let state = Mutex(State())

  /// Why nothing can be sent to an address now; nil if something can.
  func hold(on address: DeviceAddress, at now: Duration) -> String? {
    state.withLock { state in
      guard let hold = state.holds[Route(address)] else { return nil }
      if hold.end > now { return hold.reason }
      state.holds[Route(address)] = nil
      return nil
    }
  }

  /// Takes note of an outcome; returns the addresses that are not to blame, once APNs has refused so many one after the
  /// other.
  func note(_ outcome: PushOutcome, at address: DeviceAddress, limit: Int) -> [DeviceAddress] {
    let route = Route(address)
    return state.withLock { state in
      switch outcome {
      case .accepted, .gone:
        state.refused[route] = nil
        state.wrong.remove(route)
      case .quarantined: state.refused[route, default: []].append(address)
      case .failed, .later: break
      }
      guard let refused = state.refused[route], state.wrong.contains(route) || refused.count >= limit else {
        return []
      }
      state.refused[route] = nil
      state.wrong.insert(route)
      return refused
    }
  }

  /// Holds a route; returns whether it was not held before.
  func stop(_ address: DeviceAddress, until end: Duration, _ reason: String) -> Bool {
    state.withLock { state in
      let isNew = state.holds[Route(address)] == nil
      state.holds[Route(address)] = Hold(reason: reason, end: end)
      return isNew
    }
  }
}
