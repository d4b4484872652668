import PushTesting
import Synchronization
import UserNotifications

/// How often each message was shown with sound.
final class Seen: Sendable {
  private let state = Mutex((counts: [String: Int](), degraded: 0))

  func note(_ shown: ShownNotification) {
    state.withLock { state in
      if shown.degraded != nil { state.degraded += 1 }
      if shown.content.sound != nil { state.counts[shown.body, default: 0] += 1 }
    }
  }

  /// How many of the messages 0 to `count` - 1 were shown once with sound, and how many otherwise.
  func result(of count: Int) -> (once: Int, otherwise: Int) {
    state.withLock { state in
      let once = (0..<count).count { state.counts["\($0)"] == 1 }
      return (once, count - once + state.degraded)
    }
  }
}
