public import PushCore
package import PushNetwork
private import Synchronization

/// Sends a team's pushes to APNs, and survives what APNs answers.
///
/// ```swift
/// let client = try APNsClient(token: try ProviderToken(p8: key.span, keyID: "ABCDE12345", teamID: "FGHIJ67890"))
/// let response = try await client.send(push, to: device.address)
/// if response.verdict == .removeToken { … }
/// ```
///
/// Each push ends exactly once: with APNs' last answer, or with a ``DeliveryError``. What APNs certainly did not process
/// is sent again, and makes no duplicate. An attempt without an answer is sent again too, with the same message ID and
/// collapse ID, and counted as unknown: see ``APNsResponse/mayBeDuplicate``.
///
/// Pushes of a team, an environment and a topic are a route, with connections of its own: a route that is slow or
/// stopped does not delay another. See ``ConnectionPolicy`` for how many. Of a great many routes, those that were used
/// longest ago are forgotten, with their connections, unless they have pushes.
public final class APNsClient: Sendable {
  private struct State {
    var routes: RouteTable
    var isShutDown = false
  }

  private let token: ProviderToken
  private let configuration: APNsConfiguration
  private let context: TLSContext
  private let clock: any PushClock
  private let counters = DeliveryCounters()
  private let state: Mutex<State>

  /// Makes a client, which connects when there is something to send.
  ///
  /// - Throws: ``APNsConfigurationError`` if the configuration's root is no certificate.
  public init(
    token: ProviderToken, configuration: APNsConfiguration = APNsConfiguration(),
    clock: any PushClock = SystemClock()
  ) throws(APNsConfigurationError) {
    self.token = token
    self.configuration = configuration
    self.clock = clock
    state = Mutex(State(routes: RouteTable(maximum: configuration.connections.maximumRoutes)))
    do throws(TLSError) {
      let roots: TLSRoots =
        try configuration.additionalRoot.map { pem throws(TLSError) in
          try .system(adding: pem)
        } ?? .system
      context = TLSContext(trusting: roots)
    } catch {
      throw .root
    }
  }

  deinit { shutdown() }

  /// Sends a push, as often as the ``RetryPolicy`` says, and gives APNs' last answer.
  ///
  /// It may take as long as ``RetryPolicy/totalTime``; cancel its task to end it.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  public func send(
    _ push: SealedPush, to address: DeviceAddress
  ) async throws(DeliveryError) -> APNsResponse {
    try await send(AddressedPush(push, to: address))
  }

  /// Sends a push as ``send(_:to:)`` does, perhaps to an address that nobody has proven.
  ///
  /// - Throws: ``DeliveryError`` if there is no answer.
  public func send(_ push: AddressedPush) async throws(DeliveryError) -> APNsResponse {
    try await send(push, under: policy)
  }

  /// Sends a push as ``send(_:)`` does, but as often as another policy says.
  ///
  /// What a policy says of pushes together is the client's.
  package func send(
    _ push: AddressedPush, under policy: RetryPolicy
  ) async throws(DeliveryError) -> APNsResponse {
    try await sender(of: push, on: route(of: push)).deliver(push, under: policy)
  }

  /// The client's policy.
  package var policy: RetryPolicy { configuration.retries }

  /// What sends a push on its route.
  func sender(of push: AddressedPush, on route: APNsRoute) throws(DeliveryError) -> RouteSender {
    guard push.push.headers.topic == push.address.topic else {
      throw DeliveryError(cause: .wrongTopic, mayBeDelivered: false)
    }
    guard let sender = sender(for: route) else {
      throw DeliveryError(cause: .shutDown, mayBeDelivered: false)
    }
    return sender
  }

  /// Ends the requests of a pass that have no task.
  func cancelRequests(of pass: DeliveryPass) {
    for route in state.withLock({ $0.routes.all.values }) {
      Task { await route.cancelRequests(of: pass.id) }
    }
  }

  /// The route that a push takes.
  func route(of push: AddressedPush) -> APNsRoute {
    APNsRoute(
      teamID: token.teamID, environment: push.address.environment, topic: push.push.headers.apnsTopic)
  }

  /// How long a route may take before it is held up, and by which clock.
  var patience: (time: Duration, clock: any PushClock) { (configuration.retries.patience, clock) }

  /// What has been done so far.
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

  /// Sends on a stopped route again.
  public func resume(_ route: APNsRoute) async {
    await state.withLock { $0.routes[route] }?.resume()
  }

  /// Ends every push that has not ended, and closes all connections; nothing can be sent afterwards.
  public func shutdown() {
    let routes = state.withLock { state in
      state.isShutDown = true
      return state.routes.takeAll()
    }
    for route in routes { Task { await route.shutDown() } }
  }

  private func sender(for route: APNsRoute) -> RouteSender? {
    state.withLock { state in
      guard !state.isShutDown else { return nil }
      return state.routes.use(route) {
        let server = RouteServer(
          endpoint: configuration.server(of: route.environment), context: context,
          configuration: configuration.routeConnection, clock: clock, counters: counters
        )
        return RouteSender(
          server: server, configuration: configuration, token: token, clock: clock, counters: counters)
      }
    }
  }
}

/// Pushes that APNs treats alike: of one team, to one environment, for one topic.
public struct APNsRoute: Hashable, Sendable {
  /// The team.
  public let teamID: String
  /// The environment.
  public let environment: APNsEnvironment
  /// The topic, with the push type's suffix (`apns-topic`).
  public let topic: String

  /// Names a route.
  public init(teamID: String, environment: APNsEnvironment, topic: String) {
    (self.teamID, self.environment, self.topic) = (teamID, environment, topic)
  }
}

/// Where a client finds APNs, and how it sends.
public struct APNsConfiguration: Sendable {
  /// A server that plays APNs.
  public struct Server: Hashable, Sendable {
    /// The host, for which its certificate must be.
    public var host: String
    /// The port.
    public var port: UInt16
    /// Where to connect to, if not to the host.
    public var address: String?

    /// Whether its host and its address can be names or IP addresses.
    ///
    /// Pushes to any other server end with ``DeliveryError/Cause/invalidHost``.
    public var isValid: Bool { endpoint.isValid }

    /// Whether the system says that no host has that name; false as well if it cannot tell within 5 seconds.
    ///
    /// A client tries such a server for as long as any other, because a name may be missing for a while: ask before, if
    /// somebody has typed it.
    public var hasNoHost: Bool {
      get async { await endpoint.hasNoHost(within: .seconds(5)) }
    }

    var endpoint: HTTP2Endpoint { HTTP2Endpoint(host: host, port: port, address: address) }

    /// Describes a server.
    public init(host: String, port: UInt16 = 443, address: String? = nil) {
      (self.host, self.port, self.address) = (host, port, address)
    }
  }

  /// What to do about answers and failures.
  public var retries = RetryPolicy()

  /// APNs' servers; the ports are 443 or 2197.
  public var servers: [APNsEnvironment: Server] = [
    .production: Server(host: "api.push.apple.com"), .sandbox: Server(host: "api.sandbox.push.apple.com"),
  ]

  /// A root certificate in PEM that is trusted besides the system's, for a server that plays APNs.
  public var additionalRoot: [UInt8]?

  /// Makes the configuration that suits APNs.
  public init() {}

  /// How many connections a route has.
  public var connections = ConnectionPolicy()

  /// How connections are used.
  package var connection = HTTP2Configuration()

  /// How a connection of a route is used.
  var routeConnection: HTTP2Configuration {
    var connection = connection
    connection.limits.concurrentStreams = min(
      connection.limits.concurrentStreams, max(1, connections.streams))
    return connection
  }

  func server(of environment: APNsEnvironment) -> HTTP2Endpoint {
    (servers[environment] ?? APNsConfiguration().servers[environment]!).endpoint
  }
}

/// Why a configuration cannot be used.
public enum APNsConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The additional root is not a certificate in PEM.
  case root

  /// What is wrong.
  public var description: String { "the additional root is not a certificate in PEM" }
}

/// A client's metrics, which all its routes count.
final class DeliveryCounters: Sendable {
  private let state = Mutex(DeliveryMetrics())

  var metrics: DeliveryMetrics { state.withLock(\.self) }

  func count(_ change: (inout DeliveryMetrics) -> Void) { state.withLock { change(&$0) } }
}
