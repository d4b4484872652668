internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore
private import Synchronization

/// Which routes APNs refuses, and which addresses it has refused on them lately.
///
/// Nothing is sealed for a route that is stopped. When APNs refuses so many devices in a row that the configuration must
/// be wrong, none of these refusals counts.
final class RouteWatch: Sendable {
  /// A route for pushes of one type.
  private struct TypedRoute: Hashable {
    /// With the push type's suffix: APNs may refuse an app's calls and take its alerts.
    let topic: String
    let environment: APNsEnvironment

    init(of address: DeviceAddress, for pushType: PushType) {
      (topic, environment) = (pushType.apnsTopic(of: address.topic), address.environment)
    }
  }

  private struct Hold {
    let reason: String
    let end: Duration
  }

  /// A route that has accepted nothing since it was stopped.
  private struct Stop {
    let route: StoppedRoute
    /// Until when that counts.
    let end: Duration
  }

  private struct State {
    /// Routes on which APNs has answered.
    var known: Set<TypedRoute> = []
    var holds: [TypedRoute: Hold] = [:]
    /// Routes that have accepted nothing since their last hold.
    var stopped: [TypedRoute: Stop] = [:]
    var refused: [TypedRoute: [DeviceAddress]] = [:]
    /// Routes that have refused too many devices and accepted none since.
    var wrong: Set<TypedRoute> = []

    /// The uptime at which routes have last accepted a push.
    var accepted: [TypedRoute: Duration] = [:]
    /// Addresses that APNs has refused lately, here or elsewhere.
    var suspects: Set<DeviceAddress> = []

    /// Forgets which routes have answered, and how.
    mutating func forgetKnown() { (known, refused, wrong, accepted) = ([], [:], [], [:]) }
  }

  /// How many holds there may be before the ended ones are forgotten.
  static let maximumHolds = 256

  /// How many there are.
  var holdCount: Int { state.withLock(\.holds.count) }

  /// How long after its hold a route counts as stopped if it has neither accepted a push nor been stopped again.
  ///
  /// Until its next push, nobody knows.
  static let stoppedTime = Duration.seconds(300)

  /// How many routes are stopped.
  var stoppedCount: Int {
    let now = clock.uptime
    return state.withLock { $0.stopped.values.count { $0.end > now } }
  }

  /// The routes that are stopped, and why.
  var stoppedRoutes: [Route: StoppedRoute] {
    let now = clock.uptime
    return state.withLock { state in
      let stopped = state.stopped.values.filter { $0.end > now }.map(\.route)
      // Of an app's routes for several types of pushes, the one that was stopped last tells why.
      return Dictionary(stopped.map { ($0.route, $0) }) { $0.stoppedAt < $1.stoppedAt ? $1 : $0 }
    }
  }

  /// How many routes may be known before all are forgotten, with what they have refused.
  static let maximumKnown = 256

  /// How many are known.
  var knownCount: Int { state.withLock(\.known.count) }

  /// How many addresses that APNs has refused are known.
  static let maximumSuspects = 10_000

  /// What an outcome says of its route.
  struct Judgement {
    /// The addresses that are not to blame: they are refused no longer.
    var released: [DeviceAddress] = []
    /// Whether the route refuses one device after the other, and must pause.
    var isRouteWrong = false
    /// How long ago the route has accepted a push; nil if it has accepted none.
    var acceptedAgo: Duration?
  }

  private let apns: any PushSending
  private let configuration: WorkerConfiguration
  private let clock: any PushClock
  private let report: @Sendable (WorkerEvent) -> Void
  private let state = Mutex(State())

  init(
    apns: any PushSending, configuration: WorkerConfiguration, clock: any PushClock,
    report: @escaping @Sendable (WorkerEvent) -> Void
  ) {
    self.apns = apns
    self.configuration = configuration
    self.clock = clock
    self.report = report
  }

  /// Why nothing may be sent to an address now; nil if pushes may be sent.
  func hold(on address: DeviceAddress, for pushType: PushType = .alert, at now: Duration) -> String? {
    state.withLock { state in
      guard !state.holds.isEmpty else { return nil }
      let route = TypedRoute(of: address, for: pushType)
      guard let hold = state.holds[route] else { return nil }
      if hold.end > now { return hold.reason }
      state.holds[route] = nil
      return nil
    }
  }

  /// Until when nothing may be sent to an address; nil if pushes may be sent.
  func holdEnd(on address: DeviceAddress, at now: Duration) -> Duration? {
    state.withLock { state in
      state.holds[TypedRoute(of: address, for: .background)].flatMap { $0.end > now ? $0.end : nil }
    }
  }

  /// Until when all known routes are held; nil if there may be one that is not.
  ///
  /// Jobs that were leased meanwhile would only be postponed, for longer and longer.
  func standstill(at now: Duration) -> Duration? {
    state.withLock { state in
      guard !state.known.isEmpty else { return nil }
      let ends = state.known.map { state.holds[$0]?.end ?? .zero }
      return ends.min().flatMap { $0 > now ? $0 : nil }
    }
  }

  /// Lets pushes be sealed for all routes at once, because what stopped some of them may be mended.
  func releaseAll() { state.withLock { $0.holds = [:] } }

  /// Takes note of addresses that APNs has refused lately.
  func suspect(_ addresses: [DeviceAddress]) {
    guard !addresses.isEmpty else { return }
    state.withLock { state in
      for address in addresses where state.suspects.count < Self.maximumSuspects {
        state.suspects.insert(address)
      }
    }
  }

  /// Takes note of an outcome, and says what it means; the route is wrong once APNs has refused `limit` in a row.
  ///
  /// Only proven addresses count: otherwise anybody who enrols could stop the route.
  func note(
    _ outcome: PushOutcome, at address: DeviceAddress, for pushType: PushType = .alert, isProven: Bool,
    limit: Int
  ) -> Judgement {
    let (route, now) = (TypedRoute(of: address, for: pushType), clock.uptime)
    return state.withLock { state in
      // Apps come from enrolments, which anyone may hand in.
      if state.known.count >= Self.maximumKnown, !state.known.contains(route) { state.forgetKnown() }
      state.known.insert(route)
      var judgement = Judgement()
      switch outcome {
      case .accepted, .gone:
        // Most often all are empty, and then nothing has to be hashed.
        if !state.refused.isEmpty { state.refused[route] = nil }
        if !state.wrong.isEmpty { state.wrong.remove(route) }
        guard case .accepted = outcome else { return judgement }
        state.accepted[route] = now
        if !state.stopped.isEmpty { state.stopped[route] = nil }
        if !state.suspects.isEmpty, state.suspects.remove(address) != nil { judgement.released = [address] }
        return judgement
      case .refused:
        if state.suspects.count < Self.maximumSuspects { state.suspects.insert(address) }
        if isProven || state.wrong.contains(route) { state.refused[route, default: []].append(address) }
      case .failed, .later, .held: break
      }
      judgement.acceptedAgo = state.accepted[route].map { now - $0 }
      guard let refused = state.refused[route], state.wrong.contains(route) || refused.count >= limit else {
        return judgement
      }
      state.refused[route] = nil
      state.wrong.insert(route)
      (judgement.released, judgement.isRouteWrong) = (refused, true)
      return judgement
    }
  }

  /// Holds a route whose pushes would only take the places of other routes.
  func failed(
    at address: DeviceAddress, for pushType: PushType = .alert, cause: DeliveryError.Cause
  ) async {
    let reason: String
    switch cause {
    case .routeStopped(let given), .badDevices(let given, _): reason = given?.rawValue ?? "no reason given"
    case .equalRefusals(let given, _):
      reason = "it refused one push after the other: \(given?.rawValue ?? "no reason given")"
    case .notAPNs(let text): reason = "what answered is not APNs: \(text)"
    case .noKey: reason = "there is no key for it"
    case .noConnection: reason = "there is no connection"
    case .routeHeldUp:
      return await stop(
        address, for: pushType, reason: "it takes too long", pausing: configuration.slowRoutePause)
    default: return
    }
    await stop(address, for: pushType, reason: reason)
  }

  /// Lets nothing be sealed for a route for a while, in which an operator may mend the cause.
  ///
  /// The while is ``WorkerConfiguration/routePause``, unless `time` gives another.
  func stop(
    _ address: DeviceAddress, for pushType: PushType = .alert, reason: String, pausing time: Duration? = nil
  ) async {
    let (now, route) = (clock.uptime, TypedRoute(of: address, for: pushType))
    let end = now + (time ?? configuration.routePause)
    let isNew = state.withLock { state in
      if state.stopped.count >= Self.maximumHolds {
        state.stopped = state.stopped.filter { $0.value.end > now }
      }
      if state.stopped.count < Self.maximumHolds {
        // Which of the app's routes it is, if not that of its alerts.
        let isAlerts = route.topic == address.topic.text
        let reason = isAlerts ? reason : "\(pushType.rawValue): \(reason)"
        let stopped = StoppedRoute(Route(of: address), reason: reason, stoppedAt: clock.now)
        state.stopped[route] = Stop(route: stopped, end: end + Self.stoppedTime)
      }
      let old = state.holds[route]
      // The pause of a slow route does not shorten a longer pause.
      guard end > old?.end ?? .zero else { return false }
      // Apps come from enrolments, which anyone may hand in.
      if state.holds.count >= Self.maximumHolds { state.holds = state.holds.filter { $0.value.end > now } }
      state.holds[route] = Hold(reason: "the route waits: \(reason)", end: end)
      return old == nil
    }
    await apns.resume(topic: address.topic, environment: address.environment)
    guard isNew else { return }
    report(
      .routeStopped(topic: route.topic, environment: address.environment.rawValue, reason: reason))
  }
}
