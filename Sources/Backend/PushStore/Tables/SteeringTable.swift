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

/// The columns of the table `pause`, in which an empty text stands for all.
package struct PauseColumns: RowColumns {
  private let topic, environment, since: Column

  package init(in names: some ColumnNames) {
    topic = names.column("topic")
    environment = names.column("environment")
    since = names.column("since")
  }

  /// Nil if something else has written the row.
  package func pause(in row: borrowing some StoreRow & ~Copyable) -> Steering.Pause? {
    guard let topic = row.text(in: topic), let environment = row.text(in: environment) else { return nil }
    let scope = RouteScope(
      topic: try? Topic(topic), environment: APNsEnvironment(rawValue: environment))
    // What cannot be read would otherwise pause everything.
    guard topic.isEmpty == (scope.topic == nil), environment.isEmpty == (scope.environment == nil) else {
      return nil
    }
    return Steering.Pause(scope, since: StoreTime.unixTime(seconds: row.real(in: since) ?? 0))
  }
}

/// The columns of the table `rate`.
package struct RateColumns: RowColumns {
  private let topic, count, seconds: Column

  package init(in names: some ColumnNames) {
    topic = names.column("topic")
    count = names.column("count")
    seconds = names.column("seconds")
  }

  /// Nil if something else has written the row.
  package func rate(in row: borrowing some StoreRow & ~Copyable) -> (topic: Topic, limit: RateLimit)? {
    guard let topic = row.text(in: topic).flatMap({ try? Topic($0) }) else { return nil }
    let count = Int(clamping: row.integer(in: count))
    return (topic, RateLimit(count, within: .seconds(min(row.real(in: seconds) ?? 0, 86_400))))
  }
}

/// The columns of the table `stopped_route`.
package struct StoppedRouteColumns: RowColumns {
  private let topic, environment, reason, stoppedAt: Column

  package init(in names: some ColumnNames) {
    topic = names.column("topic")
    environment = names.column("environment")
    reason = names.column("reason")
    stoppedAt = names.column("stopped_at")
  }

  /// Nil if something else has written the row.
  package func stopped(in row: borrowing some StoreRow & ~Copyable) -> StoppedRoute? {
    guard let topic = row.text(in: topic).flatMap({ try? Topic($0) }),
      let environment = row.text(in: environment).flatMap(APNsEnvironment.init)
    else { return nil }
    return StoppedRoute(
      Route(topic: topic, environment: environment), reason: row.text(in: reason) ?? "",
      stoppedAt: StoreTime.unixTime(seconds: row.real(in: stoppedAt) ?? 0))
  }
}

extension RouteScope {
  /// The values of the columns `topic` and `environment`.
  package var columns: (topic: String, environment: String) {
    (topic?.text ?? "", environment?.rawValue ?? "")
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
