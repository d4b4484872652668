public import PushEnvelope
private import Synchronization

/// A replay store that lives as long as its process, and remembers a bounded number of messages.
///
/// When it is full, what expired goes first, then what was recorded first.
public final class InMemoryReplayStore: ReplayStore {
  private struct State {
    var entries: [ReplayEntry.Key: ReplayEntry] = [:]
    var order: [ReplayEntry.Key] = []
    /// No entry ends before this.
    var earliestEnd = UnixTime.distantFuture
  }

  /// The process's own, which receivers share unless they are given another.
  public static let shared = InMemoryReplayStore()

  private let capacity: Int
  private let state = Mutex(State())

  /// Makes an empty store for at most `capacity` messages, at least one.
  public init(capacity: Int = 1024) { self.capacity = max(1, capacity) }

  /// Remembers a message and says whether it was remembered already.
  public func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    state.withLock { state in
      if let known = state.entries[entry.key], known.expiresAt >= now {
        guard known.digest == entry.digest else { return .conflict }
        // A job that was tried again may be good for longer.
        if entry.expiresAt > known.expiresAt { state.entries[entry.key] = entry }
        return .duplicate
      }
      if state.entries[entry.key] == nil {
        makeRoom(in: &state, at: now)
      } else {
        state.order.removeAll { $0 == entry.key }
      }
      state.order.append(entry.key)
      state.entries[entry.key] = entry
      state.earliestEnd = min(state.earliestEnd, entry.expiresAt)
      return .first
    }
  }

  private func makeRoom(in state: inout State, at now: UnixTime) {
    guard state.order.count >= capacity else { return }
    if state.earliestEnd < now { dropExpired(in: &state, at: now) }
    while state.order.count >= capacity { state.entries[state.order.removeFirst()] = nil }
  }

  private func dropExpired(in state: inout State, at now: UnixTime) {
    state.order.removeAll { key in
      guard let known = state.entries[key], known.expiresAt < now else { return false }
      state.entries[key] = nil
      return true
    }
    state.earliestEnd = state.entries.values.map(\.expiresAt).min() ?? .distantFuture
  }
}
