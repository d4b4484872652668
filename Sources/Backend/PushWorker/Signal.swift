private import Synchronization

/// A signal that is given once.
final class Signal: Sendable {
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

  /// Waits for `work`, and returns its result; nil if the signal was given before, which cancels the work.
  @discardableResult
  func interrupting<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask {
        await self.wait()
        return nil
      }
      group.addTask { await work() }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }
}
