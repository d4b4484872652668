package import PushCore

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
