private import Synchronization

/// What a phone has shown or its app has got and no test has read yet.
final class UnreadQueue<Element: Sendable>: Sendable {
  private struct State {
    var unread: [Element] = []
    var waiters: [(id: Int, continuation: CheckedContinuation<Element, any Error>)] = []
    var nextWaiter = 0
  }

  /// The most unread elements; a new one then replaces the oldest.
  static var capacity: Int { 1000 }

  private let state = Mutex(State())

  /// Adds an element, or passes it to the reader that has waited longest.
  func add(_ element: Element) {
    let waiter = state.withLock { state -> CheckedContinuation<Element, any Error>? in
      guard state.waiters.isEmpty else { return state.waiters.removeFirst().continuation }
      if state.unread.count >= Self.capacity { state.unread.removeFirst() }
      state.unread.append(element)
      return nil
    }
    waiter?.resume(returning: element)
  }

  /// Waits for the next element, and takes it.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before there is one.
  func next() async throws -> Element {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Element, any Error>? in
          if !state.unread.isEmpty { return .success(state.unread.removeFirst()) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}
