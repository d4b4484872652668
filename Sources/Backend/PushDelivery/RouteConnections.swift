internal import PushNetwork

/// A route's connections: one, and another when all of them have been full for long.
struct RouteConnections {
  /// A connection that takes pushes.
  private struct Member {
    let connection: HTTP2Connection
    /// How many pushes it has.
    var load = 0
    /// When APNs answered on it last.
    var lastAnswer: Duration?
  }

  private let policy: ConnectionPolicy
  private let streams: Int
  private var members: [Member] = []
  /// All that are not closed: a connection to which the server said goodbye still has answers to come.
  private(set) var open: [HTTP2Connection] = []
  /// Since when pushes have waited on all of them, without a break.
  private var fullSince: Duration?
  /// Since when one fewer would have been enough, without a break.
  private var spareSince: Duration?
  /// When there may be another attempt to have one more.
  private var nextAttempt = Duration.zero

  init(policy: ConnectionPolicy) {
    self.policy = policy
    streams = max(1, policy.streams)
  }

  /// Whether no connection takes pushes.
  var isEmpty: Bool { members.isEmpty }

  /// The connection that has the fewest pushes.
  var leastLoaded: HTTP2Connection? { members.min { $0.load < $1.load }?.connection }

  /// Whether a connection takes pushes.
  func takesPushes(_ connection: HTTP2Connection) -> Bool { index(of: connection) != nil }

  /// Whether APNs has answered anything on a connection since then.
  func hasAnswered(on connection: HTTP2Connection, since start: Duration) -> Bool {
    index(of: connection).flatMap { members[$0].lastAnswer }.map { $0 >= start } ?? false
  }

  private func index(of connection: HTTP2Connection) -> Int? {
    members.firstIndex { $0.connection === connection }
  }

  // MARK: Coming and going

  mutating func add(_ connection: HTTP2Connection) {
    members.append(Member(connection: connection))
    open.append(connection)
    (fullSince, spareSince) = (nil, nil)
  }

  /// Takes a connection out: it gets no more pushes.
  mutating func remove(_ connection: HTTP2Connection) {
    members.removeAll { $0.connection === connection }
    (fullSince, spareSince) = (nil, nil)
  }

  /// Takes note that a connection is closed.
  mutating func forget(_ connection: HTTP2Connection) {
    remove(connection)
    open.removeAll { $0 === connection }
  }

  // MARK: Their pushes

  mutating func begin(on connection: HTTP2Connection, at now: Duration) {
    if let index = index(of: connection) { members[index].load += 1 }
    look(at: now)
  }

  mutating func end(on connection: HTTP2Connection, at now: Duration, isAnswered: Bool) {
    if let index = index(of: connection) {
      members[index].load -= 1
      if isAnswered { members[index].lastAnswer = now }
    }
    look(at: now)
  }

  private mutating func look(at now: Duration) {
    // Before its first answer, APNs allows one stream, which does not show how much a connection can carry.
    let isFull = members.allSatisfy { $0.load > streams && $0.lastAnswer != nil }
    fullSince = isFull ? fullSince ?? now : nil
    let load = members.reduce(0) { $0 + $1.load }
    spareSince = load / streams < members.count - 1 ? spareSince ?? now : nil
  }

  // MARK: How many there are

  /// Whether the route should open another connection.
  func needsOneMore(at now: Duration) -> Bool {
    guard let fullSince, members.count < policy.maximum else { return false }
    return now - fullSince >= policy.fullTime && now >= nextAttempt
  }

  /// Notes that no other connection was possible, and that none is to be tried before `end`.
  mutating func putOff(until end: Duration) { nextAttempt = end }

  /// When a connection that is not needed is to be closed.
  var spareEnd: Duration? { spareSince.map { $0 + policy.spareTime } }

  /// Takes out a connection that has not been needed for long, if there is one: it gets no more pushes.
  mutating func takeSpare(at now: Duration) -> HTTP2Connection? {
    guard let spareEnd, spareEnd <= now, let spare = leastLoaded else { return nil }
    remove(spare)
    look(at: now)
    return spare
  }
}
