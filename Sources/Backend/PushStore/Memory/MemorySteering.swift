internal import PushCore

/// What operators let workers do, in memory.
struct MemorySteering {
  private var pauses: [RouteScope: UnixTime] = [:]
  private var rates: [Topic: RateLimit] = [:]
  private var uses: [Topic: [Double: Int64]] = [:]
  private var stopped: [Route: StoppedRoute] = [:]

  var steering: Steering {
    Steering(pauses: pauses.map { Steering.Pause($0.key, since: $0.value) }, rates: rates)
  }

  mutating func pause(_ scope: RouteScope, at now: Duration) -> Bool {
    guard pauses[scope] == nil else { return false }
    pauses[scope] = now.unixTime
    return true
  }

  mutating func resume(_ scope: RouteScope) -> Int {
    let ended = pauses.keys.filter { scope.contains($0) }
    for scope in ended { pauses[scope] = nil }
    return ended.count
  }

  mutating func limit(_ topic: Topic, to rate: RateLimit?) { rates[topic] = rate }

  /// A share of a topic's limit; nil if there is no limit.
  func share(of topic: Topic, atMost count: Int, at now: Duration) -> RateShare? {
    guard let limit = rates[topic] else { return nil }
    let window = RateWindow(of: limit, at: now.inSeconds)
    let used = (uses[topic] ?? [:]).filter { $0.key > window.start && $0.key <= window.end }
    return window.share(of: count, used: used.values.reduce(0, +))
  }

  mutating func takeShare(of topic: Topic, atMost count: Int, at now: Duration) -> RateShare? {
    guard let limit = rates[topic], let share = share(of: topic, atMost: count, at: now) else { return nil }
    let window = RateWindow(of: limit, at: now.inSeconds)
    uses[topic] = (uses[topic] ?? [:]).filter { $0.key > window.start && $0.key <= window.end }
    if share.count > 0 { uses[topic]?[window.slot, default: 0] += Int64(share.count) }
    return share
  }

  mutating func releaseHeld(atMost count: Int, of jobs: inout MemoryJobs, at now: Duration) -> Int {
    let steering = steering
    return jobs.heldRoutes.filter { !steering.isPaused($0) }.reduce(0) { released, route in
      let share = share(of: route.topic, atMost: count, at: now)
      return released + jobs.release(route, atMost: share?.count ?? count, at: now)
    }
  }

  mutating func note(stopped new: [StoppedRoute], going: [Route]) {
    for route in going { stopped[route] = nil }
    for route in new { stopped[route.route] = route }
  }

  mutating func stoppedRoutes(at now: Duration) -> [StoppedRoute] {
    let end = (now - StoppedRoute.memory).unixTime
    stopped = stopped.filter { $0.value.stoppedAt > end }
    return stopped.values.sorted { $0.route.text < $1.route.text }
  }
}
