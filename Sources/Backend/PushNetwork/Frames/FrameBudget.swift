internal import PushCore
/// Limits the number of frames that a peer may send within a second.
struct FrameBudget {
  private let limit: Int
  private let clock: any PushClock
  private var count = 0
  private var start = Duration.zero

  init(limit: Int, clock: any PushClock) {
    self.limit = limit
    self.clock = clock
  }

  /// Uncounts one frame, because the peer has also sent something that costs it more.
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
