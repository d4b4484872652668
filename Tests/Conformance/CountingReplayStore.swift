import PushEnvelope
import PushReceiver
import Synchronization

/// Remembers nothing but how often it was asked.
final class CountingReplayStore: ReplayStore {
  private let asked = Mutex(0)

  var count: Int { asked.withLock { $0 } }

  func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    asked.withLock { $0 += 1 }
    return .first
  }
}
