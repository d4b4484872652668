public import PushCore

/// An app in an environment: pushes to its devices go, wait and stop together.
public struct Route: Hashable, Sendable {
  /// The app.
  public let topic: Topic

  /// The environment.
  public let environment: APNsEnvironment

  /// Names a route.
  public init(topic: Topic, environment: APNsEnvironment) {
    (self.topic, self.environment) = (topic, environment)
  }

  /// The route to a device.
  public init(of address: DeviceAddress) { (topic, environment) = (address.topic, address.environment) }

  /// The topic and the environment, with a space between them: the column `held`.
  package var text: String { "\(topic.text) \(environment.rawValue)" }

  /// Reads the column `held`; nil if the text is no route.
  package init?(text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let topic = try? Topic(String(words[0])),
      let environment = APNsEnvironment(rawValue: String(words[1]))
    else { return nil }
    self.init(topic: topic, environment: environment)
  }
}

/// A set of routes: those of an app, those in an environment, one route, or all.
public struct RouteScope: Hashable, Sendable {
  /// The app; nil for all apps.
  public let topic: Topic?

  /// The environment; nil for both.
  public let environment: APNsEnvironment?

  /// All routes.
  public static let all = RouteScope()

  /// The routes of an app and an environment; nil stands for all of them.
  public init(topic: Topic? = nil, environment: APNsEnvironment? = nil) {
    (self.topic, self.environment) = (topic, environment)
  }

  /// Whether a route belongs to it.
  public func contains(_ route: Route) -> Bool {
    (topic ?? route.topic) == route.topic && (environment ?? route.environment) == route.environment
  }

  /// Whether all routes of another scope belong to it.
  public func contains(_ other: RouteScope) -> Bool {
    (topic == nil || topic == other.topic) && (environment == nil || environment == other.environment)
  }
}

/// A route that a worker has stopped, because APNs refuses its pushes or cannot be reached.
public struct StoppedRoute: Hashable, Sendable {
  /// The route.
  public let route: Route

  /// Why, for operators: it names no token, text or key; at most 500 bytes are kept.
  public let reason: String

  /// When it was stopped last.
  public let stoppedAt: UnixTime

  package init(_ route: Route, reason: String, stoppedAt: UnixTime) {
    (self.route, self.stoppedAt) = (route, stoppedAt)
    self.reason = Reason.shortened(reason)
  }

  /// How long it is shown after a worker has last said so: 10 minutes.
  package static let memory = Duration.seconds(600)
}
