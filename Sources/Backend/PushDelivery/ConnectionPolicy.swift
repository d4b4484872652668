internal import PushCore

/// How many routes and connections a client has, as values that you can change.
///
/// A route begins with one connection. It gets another when pushes have waited on all of its connections for
/// ``fullTime`` without a break.
public struct ConnectionPolicy: Sendable {
  /// The most connections that a route may have at a time, 1 or more.
  public var maximum = 4

  /// How many pushes may be open on a connection at a time, 1 or more; APNs allows 1000.
  ///
  /// A connection with more pushes is full, and the others wait. If the server allows fewer streams, the connection
  /// still gets this many pushes, and some of them wait on it.
  public var streams = 1000

  /// How long all connections must be full before there is one more.
  public var fullTime = Duration.seconds(1)

  /// How long one connection fewer must have been enough before one is closed.
  public var spareTime = Duration.seconds(60)

  /// How many routes a client remembers, 1 or more; more only while they have pushes.
  ///
  /// To make room for another one, it forgets the least recently used route: it closes the route's connections, and no
  /// longer knows whether the route was stopped.
  public var maximumRoutes = 256

  /// Makes the policy that suits APNs.
  public init() {}

  func check() throws(ConfigurationError) {
    let check = PropertyCheck(of: "connections")
    try check.require("maximum", maximum)
    try check.require("streams", streams)
    try check.require("fullTime", fullTime)
    try check.require("spareTime", spareTime)
    try check.require("maximumRoutes", maximumRoutes)
  }
}
