internal import PushCore
/// Counts frames of which a peer may send so many within a second.
struct FrameBudget {
  private let limit: Int
  private let clock: any PushClock
  private var count = 0
  private var start = Duration.zero

  init(limit: Int, clock: any PushClock) { (self.limit, self.clock) = (limit, clock) }

  /// Takes back one that was counted: what came in its place costs the peer more.
  mutating func giveOneBack() { count = max(0, count - 1) }

  mutating func takeOne() -> Bool {
    count += 1
    guard count > limit else { return true }
    let now = clock.uptime
    guard now - start >= .seconds(1) else { return false }
    (count, start) = (1, now)
    return true
  }
}
