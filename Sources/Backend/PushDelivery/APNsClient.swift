public import PushCore
internal import PushNetwork
private import Synchronization

/// Sends a team's pushes to APNs, and copes with whatever APNs answers.
///
/// ```swift
/// let client = try APNsClient(token: try ProviderToken(p8: key.span, keyID: "ABCDE12345", teamID: "FGHIJ67890"))
/// let response = try await client.send(push, to: device.address)
/// if response.verdict == .removeToken { … }
/// ```
///
/// Each push ends exactly once: with APNs' last answer, or with a ``DeliveryError``. The client sends a push again if
/// APNs certainly did not process it, which makes no duplicate. It also sends a push again if an attempt had no answer,
/// with the same message ID and collapse ID, and counts that attempt as unknown: see ``APNsResponse/mayBeDuplicate``.
///
/// A client may have the keys of several apps and teams: ``APNsKeys``. A key that APNs refuses stops only its own routes.
///
/// The pushes of one team, environment and topic are a route. Each route has its own connections, so a slow or stopped
/// route does not delay another: ``ConnectionPolicy`` says how many. If there are too many routes, the client forgets
/// the least recently used ones that have no pushes, and closes their connections.
public final class APNsClient: Sendable {
  private struct State {
    var keys: APNsKeys
    var routes: RouteTable
    /// Routes whose key was replaced, until their last pushes have ended.
    var replaced: [ReplacedRoute] = []
    var isShutDown = false

    /// The senders of all pushes that have not ended.
    var senders: [RouteSender] { Array(routes.all.values) + replaced.compactMap(\.sender) }
  }

  private struct ReplacedRoute {
    weak var sender: RouteSender?
  }

  private let configuration: APNsConfiguration
  private let context: TLSContext
  private let clock: any PushClock
  private let report: (@Sendable (DeliveryEvent) -> Void)?
  private let counters = DeliveryCounters()
  private let open = OpenPushes()
  private let state: Mutex<State>

  /// Makes a client with one key, which connects when it has something to send.
  ///
  /// - Throws: `ConfigurationError`, which names the configuration's property that is wrong.
  public convenience init(
    token: ProviderToken, configuration: APNsConfiguration = APNsConfiguration(),
    clock: any PushClock = SystemClock(), report: (@Sendable (DeliveryEvent) -> Void)? = nil
  ) throws(ConfigurationError) {
    try self.init(keys: APNsKeys(token), configuration: configuration, clock: clock, report: report)
  }

  /// Makes a client, which connects when it has something to send.
  ///
  /// `report` is called with what happens, on the thread that sends: it must return soon.
  ///
  /// - Throws: `ConfigurationError`, which names the configuration's property that is wrong.
  public init(
    keys: APNsKeys, configuration: APNsConfiguration = APNsConfiguration(),
    clock: any PushClock = SystemClock(), report: (@Sendable (DeliveryEvent) -> Void)? = nil
  ) throws(ConfigurationError) {
    try configuration.check()
    let roots = try configuration.roots()
    self.configuration = configuration
    self.clock = clock
    self.report = report
    state = Mutex(State(keys: keys, routes: RouteTable(maximum: configuration.connections.maximumRoutes)))
    context = TLSContext(trusting: roots)
  }

  deinit { shutdown() }

  /// Sends a push, as often as the ``RetryPolicy`` says, and gives APNs' last answer.
  ///
  /// It may take as long as ``RetryPolicy/totalTime``; cancel its task to end it.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  public func send(
    _ push: SealedNotification, to address: DeviceAddress
  ) async throws(DeliveryError) -> APNsResponse {
    try await send(AddressedPush(push, to: address))
  }

  /// Sends a push as ``send(_:to:)`` does, also to an address that no device has proven.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  public func send(_ push: AddressedPush) async throws(DeliveryError) -> APNsResponse {
    try await send(push, under: policy)
  }

  /// Sends a push as `send(_:)` does, with attempts and waits of another policy.
  ///
  /// The rest, which concerns several pushes together, is the client's policy.
  func send(
    _ push: AddressedPush, under policy: RetryPolicy
  ) async throws(DeliveryError) -> APNsResponse {
    let sender = try begin(push, on: route(of: push))
    let (pass, number) = (DeliveryPass(), sender.newNumber())
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let delivery = Delivery(under: policy, from: clock.uptime)
        sender.deliver(
          UnderwayPush(push, number: number, of: pass, delivery: delivery, countedIn: open) {
            continuation.resume(returning: $0)
          })
      }
    } onCancel: {
      pass.cancel()
      sender.enqueue { $0.cancel(number) }
    }
    return try result.get()
  }

  /// Sends a push of a pass, and calls `give` with its result.
  func send(
    _ push: AddressedPush, on route: APNsRoute, for pass: DeliveryPass,
    then give: @escaping @Sendable (Result<APNsResponse, DeliveryError>) -> Void
  ) {
    do throws(DeliveryError) {
      let sender = try begin(push, on: route)
      let delivery = Delivery(under: policy, from: clock.uptime)
      sender.deliver(
        UnderwayPush(
          push, number: sender.newNumber(), of: pass, delivery: delivery, countedIn: open, give: give))
    } catch {
      give(.failure(error))
      pass.wake?()
    }
  }

  /// Counts a push, and returns the sender of its route.
  private func begin(_ push: AddressedPush, on route: APNsRoute) throws(DeliveryError) -> RouteSender {
    guard open.begin() else { throw DeliveryError(cause: .shutDown, mayBeDelivered: false) }
    do throws(DeliveryError) { return try sender(of: push, on: route) } catch {
      open.end()
      throw error
    }
  }

  /// Ends the pushes of a pass.
  func cancel(_ pass: DeliveryPass) {
    pass.cancel()
    for sender in state.withLock(\.senders) {
      sender.enqueue { $0.cancelPushes(of: pass) }
    }
  }

  /// The client's policy.
  var policy: RetryPolicy { configuration.retries }

  /// The sender of a push's route.
  private func sender(of push: AddressedPush, on route: APNsRoute) throws(DeliveryError) -> RouteSender {
    guard push.push.headers.topic == push.address.topic else {
      throw DeliveryError(cause: .wrongTopic, mayBeDelivered: false)
    }
    guard let endpoint = configuration.server(of: route.environment) else {
      throw DeliveryError(cause: .noServer(route.environment), mayBeDelivered: false)
    }
    return try sender(for: route, to: push.address.topic, at: endpoint)
  }

  /// The route that a push takes.
  func route(of push: AddressedPush) -> APNsRoute {
    let environment = push.address.environment
    let key = state.withLock { $0.keys.key(for: push.address.topic, in: environment) }
    // Without a key there is no team, and nothing is sent.
    return APNsRoute(
      teamID: key?.token.teamID ?? "", environment: environment, topic: push.push.headers.apnsTopic)
  }

  /// How long a route may make no progress before it is held up, and the clock that measures this.
  var patience: (time: Duration, clock: any PushClock) { (configuration.retries.patience, clock) }

  /// The keys with which it sends.
  public var keys: APNsKeys { state.withLock(\.keys) }

  /// The proxies through which pushes go, each once; none if all go without one.
  package var proxies: [HTTPProxy] {
    keys.all.flatMap(configuration.proxies).reduce(into: []) { proxies, proxy in
      if !proxies.contains(where: { $0.isSame(as: proxy) }) { proxies.append(proxy) }
    }
  }

  /// Sends with other keys from the next push on; routes whose key and proxy stay keep their connections.
  ///
  /// A route that was stopped because APNs refused its key sends again if it has another key. What was begun ends with the
  /// key with which it began.
  public func replaceKeys(with keys: APNsKeys) {
    state.withLock { state in
      state.keys = keys
      let gone = state.routes.take { route, sender in
        let key = keys.key(for: sender.app, in: route.environment)
        return key.map { !$0.isSame(as: sender.key) } ?? true
      }
      state.replaced.removeAll { $0.sender == nil }
      state.replaced += gone.map { ReplacedRoute(sender: $0) }
    }
  }

  /// What the client has done so far.
  public var metrics: DeliveryMetrics { counters.metrics }

  /// The routes that are stopped, and APNs' reason.
  public var stoppedRoutes: [APNsRoute: APNsReason?] {
    get async {
      var stopped: [APNsRoute: APNsReason?] = [:]
      for (route, sender) in state.withLock({ $0.routes.all }) {
        if let stop = await sender.stop { stopped[route] = stop.reason }
      }
      return stopped
    }
  }

  /// Lets a stopped route send again.
  public func resume(_ route: APNsRoute) async {
    await state.withLock { $0.routes[route] }?.resume()
  }

  /// Returns when the client is shut down; if its task is cancelled, shuts it down as ``shutdown()`` does.
  ///
  /// So the client, like a worker, can be one of the services that a program runs: swift-service-lifecycle's `Service` asks
  /// for nothing else.
  public func run() async {
    await open.waitForClosing()
    if Task.isCancelled { shutdown() }
  }

  /// Shuts down as soon as every push has ended, at the latest after `time`, by the client's clock.
  ///
  /// Meanwhile, new pushes end at once with ``DeliveryError/Cause/shutDown``, and so do those of sequences that have not
  /// been read. If its task is cancelled, it waits no longer.
  public func shutdown(finishingWithin time: Duration) async {
    open.close()
    await withTaskGroup { [open, clock] group in
      group.addTask { await open.waitForEnd() }
      group.addTask { try? await clock.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
    shutdown()
  }

  /// Ends every push that has not ended, and closes all connections; nothing can be sent afterwards.
  public func shutdown() {
    open.close()
    let routes = state.withLock { state in
      state.isShutDown = true
      defer { state.replaced = [] }
      return state.routes.takeAll() + state.replaced.compactMap(\.sender)
    }
    for route in routes { route.enqueue { $0.shutDown() } }
  }

  private func sender(
    for route: APNsRoute, to app: Topic, at endpoint: HTTP2Endpoint
  ) throws(DeliveryError) -> RouteSender {
    let sender = state.withLock { state -> Result<RouteSender, DeliveryError> in
      guard !state.isShutDown else { return .failure(DeliveryError(cause: .shutDown, mayBeDelivered: false)) }
      // The keys may have been replaced since the route was chosen.
      guard let key = state.keys.key(for: app, in: route.environment), key.token.teamID == route.teamID else {
        let cause = DeliveryError.Cause.noKey(app, route.environment)
        return .failure(DeliveryError(cause: cause, mayBeDelivered: false))
      }
      let sender = state.routes.use(route) {
        let server = RouteServer(
          endpoint: endpoint, proxy: configuration.proxy(to: endpoint, of: key.proxy), context: context,
          configuration: configuration.routeConnection, clock: clock, counters: counters
        )
        return RouteSender(
          route: route, app: app, server: server, configuration: configuration, key: key, clock: clock,
          counters: counters, report: report)
      }
      return .success(sender)
    }
    return try sender.get()
  }
}
