internal import PushNetwork

/// What the pushes of a route wait for, and its connection; on the route's actor.
struct RouteWaits {
  /// Why a wait is over.
  enum Wake { case time, change, cancelled }

  /// What ends a wait before its time.
  enum Heeded {
    /// Any change of the route: a connection, a stop, the end of a pause.
    case change
    /// What ends all pushes of the route.
    case stop
  }

  private struct Wait {
    let end: Duration
    let heeded: Heeded
    let continuation: CheckedContinuation<Wake, Never>
  }

  private var waits: [UInt64: Wait] = [:]
  private var lastNumber: UInt64 = 0

  /// How many changes there were: who has looked at the route before the last one must look again, and not wait.
  private(set) var changes: UInt64 = 0

  /// The earliest end of a wait.
  var firstEnd: Duration? { waits.values.map(\.end).min() }

  /// The number of the next wait.
  mutating func number() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(
    _ number: UInt64, until end: Duration, heeding heeded: Heeded,
    resuming continuation: CheckedContinuation<Wake, Never>
  ) {
    waits[number] = Wait(end: end, heeded: heeded, continuation: continuation)
  }

  mutating func wake(_ number: UInt64, for reason: Wake) {
    waits.removeValue(forKey: number)?.continuation.resume(returning: reason)
  }

  /// Wakes those whom a change concerns; a stop concerns all.
  mutating func wakeAll(for change: Heeded) {
    changes += 1
    for (number, wait) in waits where change == .stop || wait.heeded == .change { wake(number, for: .change) }
  }

  /// Wakes those whose time has come.
  mutating func wake(at now: Duration) {
    for (number, wait) in waits where wait.end <= now { wake(number, for: .time) }
  }
}
