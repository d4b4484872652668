/// The connections of a server that are open.
struct OpenConnections {
  /// A connection whose request has not arrived.
  private struct Waiting {
    let connection: PlainConnection
    let since: ContinuousClock.Instant
  }

  private var next = 0
  private var waiting: [Int: Waiting] = [:]
  private var answered: Set<Int> = []

  /// Whether there are none.
  var isEmpty: Bool { waiting.isEmpty && answered.isEmpty }

  /// Adds a connection, and returns its number; nil if the rules leave no room.
  ///
  /// The connection that has been silent for longest makes room if its time is over: programs that connect and say nothing
  /// keep nobody out.
  mutating func add(_ connection: PlainConnection, by rules: PlainRules) -> Int? {
    let now = ContinuousClock.now
    if waiting.count + answered.count >= rules.maximumConnections {
      guard let oldest = waiting.min(by: { $0.key < $1.key }),
        oldest.value.since.duration(to: now) >= rules.requestTimeWhenFull
      else { return nil }
      oldest.value.connection.hangUp()
      waiting[oldest.key] = nil
    }
    next += 1
    waiting[next] = Waiting(connection: connection, since: now)
    return next
  }

  /// Says that a connection's request has arrived.
  mutating func hasArrived(_ number: Int) {
    if waiting.removeValue(forKey: number) != nil { answered.insert(number) }
  }

  /// Removes a connection that is over.
  mutating func remove(_ number: Int) {
    waiting[number] = nil
    answered.remove(number)
  }
}
