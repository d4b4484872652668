/// The pushes of a route that wait, by their numbers.
struct RouteWaits {
  /// What a push waits for.
  enum Purpose {
    /// A connection: any change of the route may bring it.
    case connection
    /// The time of another attempt.
    case time
  }

  private struct Wait {
    let end: Duration
    let purpose: Purpose
  }

  private var waits: [UInt64: Wait] = [:]

  /// How many pushes wait for a connection.
  private(set) var countForConnection = 0

  /// The earliest end of a wait.
  var firstEnd: Duration? { waits.values.map(\.end).min() }

  mutating func add(_ push: UInt64, until end: Duration, for purpose: Purpose) {
    waits[push] = Wait(end: end, purpose: purpose)
    if purpose == .connection { countForConnection += 1 }
  }

  mutating func remove(_ push: UInt64) {
    if waits.removeValue(forKey: push)?.purpose == .connection { countForConnection -= 1 }
  }

  /// Removes all pushes, and returns them in the order in which they came.
  mutating func takeAll() -> [UInt64] { take { _ in true } }

  /// Removes the pushes that wait for a connection, and returns them in the order in which they came.
  mutating func takeAllForConnection() -> [UInt64] {
    countForConnection == 0 ? [] : take { $0.purpose == .connection }
  }

  /// Removes the pushes whose time has come, and returns them in the order in which they came.
  mutating func takeDue(at now: Duration) -> [UInt64] { take { $0.end <= now } }

  private mutating func take(where isTaken: (Wait) -> Bool) -> [UInt64] {
    let taken = waits.filter { isTaken($0.value) }.keys.sorted()
    for push in taken { remove(push) }
    return taken
  }
}
