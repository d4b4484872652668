import PushTesting
import Synchronization
import UserNotifications

/// What the phones have shown.
final class Seen: Sendable {
  private let state = Mutex((counts: [String: Int](), all: 0, degraded: 0))

  func note(_ shown: ShownNotification) {
    state.withLock { state in
      state.all += 1
      if shown.degraded != nil { state.degraded += 1 }
      if shown.content.sound != nil { state.counts[shown.body, default: 0] += 1 }
    }
  }

  /// How many notifications were shown, quiet ones too.
  var all: Int { state.withLock(\.all) }

  /// How many were not opened.
  var degraded: Int { state.withLock(\.degraded) }

  /// How many of the messages 0 to `count` - 1 were shown once with sound.
  func once(of count: Int) -> Int {
    state.withLock { state in (0..<count).count { state.counts["\($0)"] == 1 } }
  }
}
