public import PushCore

/// What operators let the workers of a store do.
public struct Steering: Hashable, Sendable {
  /// A set of routes to which nothing is sealed.
  public struct Pause: Hashable, Sendable {
    /// The routes.
    public let scope: RouteScope

    /// When the pause began.
    public let since: UnixTime

    package init(_ scope: RouteScope, since: UnixTime) { (self.scope, self.since) = (scope, since) }
  }

  /// The pauses, the oldest first.
  public let pauses: [Pause]

  /// The limits of topics, for both environments together.
  public let rates: [Topic: RateLimit]

  /// Nothing is paused, and nothing is limited.
  public static let none = Steering(pauses: [], rates: [:])

  package init(pauses: [Pause], rates: [Topic: RateLimit]) {
    self.pauses = pauses.sorted { $0.since < $1.since }
    self.rates = rates
  }

  /// Whether nothing may be sealed for a route.
  public func isPaused(_ route: Route) -> Bool { pauses.contains { $0.scope.contains(route) } }

  /// Whether nothing may be sealed at all.
  public var isAllPaused: Bool { pauses.contains { $0.scope == .all } }
}

/// What operators let workers do: pauses of routes and limits of topics, which all workers of the store heed, and outlive them.
///
/// A job that must wait for a route is *held*: it is not leased until it is released, or its time is over. Workers release what
/// may go again, a part at a time, so that a pause costs claims nothing, however many jobs it holds.
public protocol SteeringBook: Sendable {
  /// The pauses and limits.
  ///
  /// - Throws: ``StoreError``.
  func steering() async throws(StoreError) -> Steering

  /// Lets nothing be sealed for routes, and returns whether that is new; a pause that is there keeps the time at which it began.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func pause(_ scope: RouteScope) async throws(StoreError) -> Bool

  /// Ends all pauses within a scope, and returns how many; a wider pause stays.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func resume(_ scope: RouteScope) async throws(StoreError) -> Int

  /// Limits the pushes of a topic for all workers together; nil ends the limit.
  ///
  /// - Throws: ``StoreError``.
  func limit(_ topic: Topic, to rate: RateLimit?) async throws(StoreError)

  /// Takes up to `count` of the pushes that a topic's limit still allows; nil if the topic has no limit.
  ///
  /// - Throws: ``StoreError``.
  func takeShare(of topic: Topic, atMost count: Int) async throws(StoreError) -> RateShare?

  /// Makes up to `count` held jobs of each route ready, the most urgent and then the oldest first, and returns how many that
  /// were: none of a paused route, and no more than a topic's limit allows now.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func releaseHeld(atMost count: Int) async throws(StoreError) -> Int

  /// Writes which routes a worker has stopped, and which go again.
  ///
  /// - Throws: ``StoreError``.
  func note(stopped: [StoppedRoute], going: [Route]) async throws(StoreError)

  /// The routes that workers have stopped in the last 10 minutes, and that have not gone again, in the order of their topics.
  ///
  /// - Throws: ``StoreError``.
  func stoppedRoutes() async throws(StoreError) -> [StoppedRoute]
}
