public import PushCore

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

  /// Hashes the topic: one client's routes differ little in the rest.
  public func hash(into hasher: inout Hasher) { hasher.combine(topic) }
}
