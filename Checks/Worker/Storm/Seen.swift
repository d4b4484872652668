import PushTesting
import Synchronization
import UserNotifications

/// The notifications that the phones have shown.
final class Seen: Sendable {
  private let state = Mutex((counts: [String: Int](), all: 0, degraded: 0))

  func note(_ shown: ShownNotification) {
    state.withLock { state in
      state.all += 1
      if shown.degraded != nil { state.degraded += 1 }
      if shown.content.sound != nil { state.counts[shown.body, default: 0] += 1 }
    }
  }

  /// The number of notifications that were shown, including quiet ones.
  var all: Int { state.withLock(\.all) }

  /// The number of pushes that were not opened.
  var degraded: Int { state.withLock(\.degraded) }

  /// How many of the alerts with these numbers were shown once with sound.
  func once(of numbers: [Int]) -> Int {
    state.withLock { state in numbers.count { state.counts["\($0)"] == 1 } }
  }
}
