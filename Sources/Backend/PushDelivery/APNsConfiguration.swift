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
    /// Pushes to any other server end with ``DeliveryError/Cause/invalidHost``.
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

  /// APNs' servers; the ports are 443 or 2197.
  public var servers: [APNsEnvironment: Server] = [
    .production: Server(host: "api.push.apple.com"), .sandbox: Server(host: "api.sandbox.push.apple.com"),
  ]

  /// A root certificate in PEM to trust in addition to the system's, for a server that plays APNs.
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
