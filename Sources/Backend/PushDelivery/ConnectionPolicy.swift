/// How many routes and connections a client has, as values that you can change.
///
/// A route begins with one. It gets another when pushes have waited on each that it has, for ``fullTime`` without a break.
public struct ConnectionPolicy: Sendable {
  /// The most connections that a route may have at a time, 1 or more.
  public var maximum = 4

  /// How many pushes may be open on a connection at a time; APNs allows 1000.
  ///
  /// Others wait, and the connection is full. If the server allows fewer, so many pushes are on the connection and wait
  /// there.
  public var streams = 1000

  /// How long all connections must be full before there is one more.
  public var fullTime = Duration.seconds(1)

  /// How long one connection fewer must have been enough before one is closed.
  public var spareTime = Duration.seconds(60)

  /// How many routes a client remembers, 1 or more; more only while they have pushes.
  ///
  /// For one more, it forgets the route that was used longest ago: closes its connections, and no longer knows whether it
  /// was stopped.
  public var maximumRoutes = 256

  /// Makes the policy that suits APNs.
  public init() {}
}
