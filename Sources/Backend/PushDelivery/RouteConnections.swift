internal import PushNetwork

/// A route's connections: one, and one more whenever all of them have been full for long.
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
  /// All that are not closed: one to which the server said goodbye still has its answers to come.
  private(set) var open: [HTTP2Connection] = []
  /// Since when pushes have waited on each of them, without a break.
  private var fullSince: Duration?
  /// Since when one fewer would have been enough, without a break.
  private var spareSince: Duration?
  /// When there may be another attempt to have one more.
  private var nextAttempt = Duration.zero

  init(policy: ConnectionPolicy) {
    self.policy = policy
    streams = max(1, policy.streams)
  }

  /// Whether none takes pushes.
  var isEmpty: Bool { members.isEmpty }

  /// The one that has the fewest pushes.
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

  // MARK: They come and go

  mutating func add(_ connection: HTTP2Connection) {
    members.append(Member(connection: connection))
    open.append(connection)
    (fullSince, spareSince) = (nil, nil)
  }

  /// Gives a connection no more pushes.
  mutating func remove(_ connection: HTTP2Connection) {
    members.removeAll { $0.connection === connection }
    (fullSince, spareSince) = (nil, nil)
  }

  /// Takes note that a connection is closed.
  mutating func forget(_ connection: HTTP2Connection) {
    remove(connection)
    open.removeAll { $0 === connection }
  }

  // MARK: They have pushes

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
    // Before its first answer, APNs allows one stream: that says nothing of how much a connection takes.
    let isFull = members.allSatisfy { $0.load > streams && $0.lastAnswer != nil }
    fullSince = isFull ? fullSince ?? now : nil
    let load = members.reduce(0) { $0 + $1.load }
    spareSince = load / streams < members.count - 1 ? spareSince ?? now : nil
  }

  // MARK: How many there are

  /// Whether the route is to have one more.
  func needsOneMore(at now: Duration) -> Bool {
    guard let fullSince, members.count < policy.maximum else { return false }
    return now - fullSince >= policy.fullTime && now >= nextAttempt
  }

  /// Takes note that there is no other, and that none is to be tried before that time.
  mutating func putOff(until end: Duration) { nextAttempt = end }

  /// When one is to go, unless it is needed again.
  var spareEnd: Duration? { spareSince.map { $0 + policy.spareTime } }

  /// Takes the one away that is to go by now, which is given no more pushes.
  mutating func takeSpare(at now: Duration) -> HTTP2Connection? {
    guard let spareEnd, spareEnd <= now, let spare = leastLoaded else { return nil }
    remove(spare)
    look(at: now)
    return spare
  }
}
