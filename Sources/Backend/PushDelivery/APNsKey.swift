public import PushCore

/// A team's key, the pushes that it is for, and how APNs is reached with them.
public struct APNsKey: Sendable {
  /// What APNs is shown.
  public let token: ProviderToken

  /// The apps that it is for; nil for all that no other key names.
  public let topics: Set<Topic>?

  /// The environments that it is for, at least one: some of Apple's keys are for one only.
  public let environments: Set<APNsEnvironment>

  /// What APNs is reached through.
  public let proxy: RouteProxy

  /// Describes a key.
  public init(
    _ token: ProviderToken, topics: Set<Topic>? = nil,
    environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases), proxy: RouteProxy = .configured
  ) {
    (self.token, self.topics, self.environments, self.proxy) = (token, topics, environments, proxy)
  }

  /// Whether connections that were made with one key serve the other one as well.
  func isSame(as other: APNsKey) -> Bool { token.isSame(as: other.token) && proxy.isSame(as: other.proxy) }
}

/// What the routes of a key go through.
public enum RouteProxy: Sendable {
  /// The proxy of the client's configuration, if it has one.
  case configured
  /// No proxy.
  case none
  /// This one, except to the servers in ``APNsConfiguration/proxyExceptions``.
  case proxy(HTTPProxy)

  fileprivate func isSame(as other: RouteProxy) -> Bool {
    switch (self, other) {
    case (.configured, .configured), (.none, .none): true
    case (.proxy(let left), .proxy(let right)): left.isSame(as: right)
    default: false
    }
  }
}
