package import PushCore

/// The tables `pause`, `rate`, `rate_use` and `stopped_route`, and the column `held` of the table `job`.
///
/// Its calls do what those of ``SteeringBook`` do.
package protocol SteeringTable<Failure> {
  associatedtype Failure: Error

  func steering() throws(Failure) -> Steering
  func pause(_ scope: RouteScope) throws(Failure) -> Bool
  func resume(_ scope: RouteScope) throws(Failure) -> Int
  func limit(_ topic: Topic, to rate: RateLimit?) throws(Failure)
  /// Takes a share, or, with `isLook`, only says how large it would be.
  func share(of topic: Topic, atMost count: Int, isLook: Bool) throws(Failure) -> RateShare?
  /// The routes for which jobs are held: an index is probed once for each.
  func heldRoutes() throws(Failure) -> [Route]
  func release(_ route: Route, atMost count: Int) throws(Failure) -> Int
  func note(stopped: [StoppedRoute], going: [Route]) throws(Failure)
  func stoppedRoutes() throws(Failure) -> [StoppedRoute]
}

extension SteeringTable {
  fileprivate func releaseHeld(atMost count: Int) throws(Failure) -> Int {
    let routes = try heldRoutes()
    guard !routes.isEmpty else { return 0 }
    let steering = try steering()
    var released = 0
    for route in routes where !steering.isPaused(route) {
      let share = try share(of: route.topic, atMost: count, isLook: true)
      guard share?.count != 0 else { continue }
      released += try release(route, atMost: share?.count ?? count)
    }
    return released
  }
}

// MARK: SteeringBook

extension TableStore {
  /// The pauses and limits.
  public func steering() throws(StoreError) -> Steering {
    try work { (tables) throws(Failure) in try tables.steering.steering() }
  }

  /// Lets nothing be sealed for routes.
  @discardableResult
  public func pause(_ scope: RouteScope) throws(StoreError) -> Bool {
    try work { (tables) throws(Failure) in try tables.steering.pause(scope) }
  }

  /// Ends pauses.
  @discardableResult
  public func resume(_ scope: RouteScope) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.steering.resume(scope) }
  }

  /// Limits the pushes of a topic.
  public func limit(_ topic: Topic, to rate: RateLimit?) throws(StoreError) {
    try work { (tables) throws(Failure) in try tables.steering.limit(topic, to: rate) }
  }

  /// Takes a share of a topic's limit.
  public func takeShare(of topic: Topic, atMost count: Int) throws(StoreError) -> RateShare? {
    try work { (tables) throws(Failure) in
      try tables.steering.share(of: topic, atMost: count, isLook: false)
    }
  }

  /// Makes held jobs ready that may go again.
  @discardableResult
  public func releaseHeld(atMost count: Int) throws(StoreError) -> Int {
    try work { (tables) throws(Failure) in try tables.steering.releaseHeld(atMost: count) }
  }

  /// Writes which routes are stopped.
  public func note(stopped: [StoppedRoute], going: [Route]) throws(StoreError) {
    try work { (tables) throws(Failure) in try tables.steering.note(stopped: stopped, going: going) }
  }

  /// The routes that are stopped.
  public func stoppedRoutes() throws(StoreError) -> [StoppedRoute] {
    try work { (tables) throws(Failure) in try tables.steering.stoppedRoutes() }
  }
}
