internal import PushCommands
internal import PushCore
internal import PushNetwork
internal import PushStore

/// What the page changes: a JSON object with the member `do`.
enum OperatorCommand {
  case pause(RouteScope)
  case resume(RouteScope)
  case limit(Topic, RateLimit?)
  case resend([JobID])
  case delete([JobID])

  /// - Throws: `PlainRefusal.badCommand` if the command is unknown, or a member is missing or invalid.
  init(parsing members: JSONObject) throws(PlainRefusal) {
    switch members["do"]?.string {
    case "pause": self = .pause(try Self.scope(in: members))
    case "resume": self = .resume(try Self.scope(in: members))
    case "rate":
      guard let topic = try Self.scope(in: members).topic,
        let limit = members["limit"]?.string.flatMap(GivenLimit.init)
      else { throw .badCommand }
      self = .limit(topic, limit.rate)
    case "resend": self = .resend(try Self.jobs(in: members))
    case "delete": self = .delete(try Self.jobs(in: members))
    default: throw .badCommand
    }
  }

  private static func scope(in members: JSONObject) throws(PlainRefusal) -> RouteScope {
    // A name that cannot be read must not stand for all.
    func name<Name>(_ member: String, _ read: (String) -> Name?) throws(PlainRefusal) -> Name? {
      guard let value = members[member] else { return nil }
      guard let name = value.string.flatMap(read) else { throw .badCommand }
      return name
    }
    return RouteScope(
      topic: try name("topic") { try? Topic($0) },
      environment: try name("environment", APNsEnvironment.init(rawValue:)))
  }

  private static func jobs(in members: JSONObject) throws(PlainRefusal) -> [JobID] {
    guard let values = members["jobs"]?.array, (1...OperatorView.maximumRows).contains(values.count) else {
      throw .badCommand
    }
    let jobs = values.compactMap { $0.number?.integer.map { JobID($0) } }
    guard jobs.count == values.count else { throw .badCommand }
    return jobs
  }

  /// Carries out the command, and returns how many pauses, limits or jobs it has changed.
  func carryOut(on store: any Store) async throws(StoreError) -> Int {
    switch self {
    case .pause(let scope): return try await store.pause(scope) ? 1 : 0
    case .resume(let scope): return try await store.resume(scope)
    case .limit(let topic, let rate):
      try await store.limit(topic, to: rate)
      return 1
    case .resend(let jobs): return try await store.resend(jobs)
    case .delete(let jobs): return try await store.delete(jobs)
    }
  }
}
