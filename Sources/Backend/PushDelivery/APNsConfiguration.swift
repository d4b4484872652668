public import PushCore
package import PushNetwork

/// Where a client finds APNs, and how it sends.
public struct APNsConfiguration: Sendable {
  /// A server that plays APNs.
  public struct Server: Hashable, Sendable {
    /// The host, whose name the certificate must have.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The name or IP address to connect to; nil for the host.
    public var address: String?

    /// Whether the host and the address can be names or IP addresses.
    ///
    /// A client takes no other server.
    public var isValid: Bool { endpoint.isValid }

    /// Whether the system says that there is no host of this name; false as well if it cannot tell within 5 seconds.
    ///
    /// A client tries such a server as long as any other, because a name may be missing for a while. Check this before,
    /// if somebody typed the name.
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

  /// Servers that play APNs; if there are none, pushes go to Apple's.
  ///
  /// If there is one, nothing goes to Apple's servers: pushes to an environment without a server end with
  /// ``DeliveryError/Cause/noServer(_:)``.
  public var servers: [APNsEnvironment: Server] = [:]

  /// The port of Apple's servers: 443, or 2197 where a firewall allows only that; no other.
  public var applePort: UInt16 = 443

  /// A root certificate in PEM to trust in addition to the system's, for a server that plays APNs.
  public var additionalRoot: [UInt8]?

  /// The proxy through which servers are reached; nil for none.
  ///
  /// Servers on this machine are reached without it: `localhost`, names below it, 127.0.0.0/8 and ::1. So are those in
  /// ``proxyExceptions``.
  public var proxy: HTTPProxy?

  /// The servers that are reached without the proxy.
  public var proxyExceptions = ProxyExceptions()

  /// Makes the configuration that suits APNs.
  public init() {}

  /// How many connections a route has.
  public var connections = ConnectionPolicy()

  /// How connections are used.
  package var connection = HTTP2Configuration()

  /// How a connection of a route is used.
  var routeConnection: HTTP2Configuration {
    var connection = connection
    connection.limits.concurrentStreams = min(connection.limits.concurrentStreams, connections.streams)
    return connection
  }

  /// The server of an environment; nil if only the other environment has one.
  func server(of environment: APNsEnvironment) -> HTTP2Endpoint? {
    guard servers.isEmpty else { return servers[environment]?.endpoint }
    return Server(host: Self.appleHost(of: environment), port: applePort).endpoint
  }

  /// The proxy through which a server is reached; nil if it is reached without one.
  ///
  /// It depends on the server's ``Server/address``, if there is one.
  public func proxy(to server: Server) -> HTTPProxy? { proxy(to: server.endpoint) }

  /// The proxy through which an endpoint is reached; nil if it is reached without one.
  func proxy(to endpoint: HTTP2Endpoint, of key: RouteProxy = .configured) -> HTTPProxy? {
    guard !endpoint.isLoopback, !proxyExceptions.contains(host: endpoint.address, port: endpoint.port)
    else { return nil }
    return switch key {
    case .configured: proxy
    case .none: nil
    case .proxy(let proxy): proxy
    }
  }

  /// Whether pushes with any of the keys reach a server without a proxy.
  package func isReachedDirectly(_ server: Server, with keys: APNsKeys) -> Bool {
    keys.all.contains { proxy(to: server.endpoint, of: $0.proxy) == nil }
  }

  /// The proxies through which pushes with a key go; none if they all go without one.
  func proxies(of key: APNsKey) -> [HTTPProxy] {
    APNsEnvironment.allCases.filter(key.environments.contains).compactMap { server(of: $0) }
      .compactMap { proxy(to: $0, of: key.proxy) }
  }

  private static func appleHost(of environment: APNsEnvironment) -> String {
    switch environment {
    case .production: "api.push.apple.com"
    case .sandbox: "api.sandbox.push.apple.com"
    }
  }

  /// The names of Apple's servers.
  package static let appleHosts = Set(APNsEnvironment.allCases.map(appleHost))

  /// The ports of Apple's servers.
  package static let applePorts: Set<UInt16> = [443, 2197]

  /// Checks every property but the root certificate.
  ///
  /// - Throws: `ConfigurationError`.
  func check() throws(ConfigurationError) {
    try retries.check()
    try connections.check()
    let check = PropertyCheck()
    for (environment, server) in servers {
      let name = "servers[\(environment.rawValue)]"
      try check.require(name, mustBe: "at a name or an IP address", server.isValid)
      try check.require("\(name).port", mustBe: "1 or more", server.port > 0)
    }
    try check.require("applePort", mustBe: "443 or 2197", Self.applePorts.contains(applePort))
  }

  /// The root certificates to trust.
  ///
  /// - Throws: `ConfigurationError` if the additional one cannot be read.
  func roots() throws(ConfigurationError) -> TLSRoots {
    guard let additionalRoot else { return .system }
    do throws(TLSError) {
      return try .system(adding: additionalRoot)
    } catch {
      throw ConfigurationError("additionalRoot", mustBe: "a certificate in PEM")
    }
  }
}
