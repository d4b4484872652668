/// A client's routes: the most recently used ones, and all that have pushes.
///
/// The number is limited, because each route has a connection, and an enrolment, which anybody may send in, can name an
/// app.
struct RouteTable {
  private struct Member {
    var sender: RouteSender
    /// The number of the push that used it last.
    var lastUse: UInt64
  }

  private let maximum: Int
  private var members: [APNsRoute: Member] = [:]
  private var uses: UInt64 = 0

  init(maximum: Int) { self.maximum = max(1, maximum) }

  /// The senders of all routes.
  var all: [APNsRoute: RouteSender] { members.mapValues(\.sender) }

  /// The sender of a route; nil if there is no such route.
  subscript(route: APNsRoute) -> RouteSender? { members[route]?.sender }

  /// The sender of a route for a push; makes it if this is the route's first push.
  mutating func use(_ route: APNsRoute, make: () -> RouteSender) -> RouteSender {
    uses += 1
    if let index = members.index(forKey: route) {
      members.values[index].lastUse = uses
      return members.values[index].sender
    }
    makeRoom()
    let sender = make()
    members[route] = Member(sender: sender, lastUse: uses)
    return sender
  }

  /// Takes the routes away that a condition holds for.
  mutating func take(where isTaken: (APNsRoute, RouteSender) -> Bool) -> [RouteSender] {
    let taken = members.filter { isTaken($0.key, $0.value.sender) }
    for route in taken.keys { members[route] = nil }
    return taken.values.map(\.sender)
  }

  /// Takes all routes away.
  mutating func takeAll() -> [RouteSender] {
    defer { members = [:] }
    return members.values.map(\.sender)
  }

  private mutating func makeRoom() {
    while members.count >= maximum, let oldest = oldestIdle { members[oldest] = nil }
  }

  /// The least recently used route of those that have no pushes, whose senders nothing else holds.
  private var oldestIdle: APNsRoute? {
    mutating get {
      var oldest: (route: APNsRoute, use: UInt64)?
      // A copy of the members, as of their indices, would hold all of them.
      var index = members.startIndex
      while index != members.endIndex {
        let (route, use) = (members[index].key, members[index].value.lastUse)
        if use < oldest?.use ?? .max, isKnownUniquelyReferenced(&members.values[index].sender) {
          oldest = (route, use)
        }
        index = members.index(after: index)
      }
      return oldest?.route
    }
  }
}
