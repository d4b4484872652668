/// A client's routes: those that were used last, and all that have pushes.
///
/// Apps may come from enrolments, which anyone may hand in, and each route has a connection.
struct RouteTable {
  private struct Member {
    var sender: RouteSender
    /// Which push used it last.
    var lastUse: UInt64
  }

  private let maximum: Int
  private var members: [APNsRoute: Member] = [:]
  private var uses: UInt64 = 0

  init(maximum: Int) { self.maximum = max(1, maximum) }

  /// All of them.
  var all: [APNsRoute: RouteSender] { members.mapValues(\.sender) }

  /// What sends on a route; nil if there is no such route.
  subscript(route: APNsRoute) -> RouteSender? { members[route]?.sender }

  /// What sends on a route for a push, which may be its first.
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

  /// Takes all routes away.
  mutating func takeAll() -> [RouteSender] {
    defer { members = [:] }
    return members.values.map(\.sender)
  }

  private mutating func makeRoom() {
    while members.count >= maximum, let oldest = oldestIdle { members[oldest] = nil }
  }

  /// The route that was used longest ago, of those that have no pushes: nobody else holds those.
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
