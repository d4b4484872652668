private import Synchronization

/// A signal that is given once.
final class StopSignal: Sendable {
  private let state = Mutex((isGiven: false, waiting: [Int: AsyncStream<Void>.Continuation](), last: 0))

  /// Whether it was given.
  var isGiven: Bool { state.withLock(\.isGiven) }

  /// Gives the signal.
  func give() {
    let waiting = state.withLock { state in
      state.isGiven = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for continuation in waiting.values { continuation.finish() }
  }

  /// Waits for the signal, or until the task is cancelled.
  func wait() async {
    let (bell, ring) = AsyncStream.makeStream(of: Void.self)
    let number = state.withLock { state -> Int? in
      guard !state.isGiven else { return nil }
      state.last += 1
      state.waiting[state.last] = ring
      return state.last
    }
    guard let number else { return }
    for await _ in bell {}
    _ = state.withLock { $0.waiting.removeValue(forKey: number) }
  }

  /// Waits for `work`, which is cancelled when the signal is given.
  func interrupting(_ work: @escaping @Sendable () async -> Void) async {
    await withTaskGroup { group in
      group.addTask { await self.wait() }
      group.addTask { await work() }
      await group.next()
      group.cancelAll()
    }
  }
}
