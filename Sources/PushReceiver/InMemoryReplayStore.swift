public import PushEnvelope
private import Synchronization

/// A replay store that lives as long as its process, and remembers a bounded number of messages.
///
/// When it is full, what expired goes first, then what was recorded first.
public final class InMemoryReplayStore: ReplayStore {
  private struct State {
    var digests: [ReplayEntry.Key: ReplayEntry] = [:]
    var order: [ReplayEntry.Key] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// Makes an empty store for at most `capacity` messages, at least one.
  public init(capacity: Int = 1024) { self.capacity = max(1, capacity) }

  /// Remembers a message and says whether it was remembered already.
  public func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    state.withLock { state in
      if let known = state.digests[entry.key], known.expiresAt >= now {
        guard known.digest == entry.digest else { return .conflict }
        // A job that was tried again may be good for longer.
        if entry.expiresAt > known.expiresAt { state.digests[entry.key] = entry }
        return .duplicate
      }
      if state.digests[entry.key] == nil {
        makeRoom(in: &state, at: now)
        state.order.append(entry.key)
      }
      state.digests[entry.key] = entry
      return .first
    }
  }

  private func makeRoom(in state: inout State, at now: UnixTime) {
    guard state.order.count >= capacity else { return }
    state.order.removeAll { key in
      guard let known = state.digests[key], known.expiresAt < now else { return false }
      state.digests[key] = nil
      return true
    }
    while state.order.count >= capacity { state.digests[state.order.removeFirst()] = nil }
  }
}
