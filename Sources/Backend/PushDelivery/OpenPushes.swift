private import Synchronization

/// Counts a client's pushes that have not ended, so that a shutdown can wait for them.
final class OpenPushes: Sendable {
  private struct State {
    var count = 0
    var isClosed = false
    var waiting: [AsyncStream<Never>.Continuation] = []
    var closing: [AsyncStream<Never>.Continuation] = []
  }

  private let state = Mutex(State())

  /// Counts a push; false if no more may begin.
  func begin() -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.count += 1
      return true
    }
  }

  /// A push has ended.
  func end() {
    let waiting = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [] as [AsyncStream<Never>.Continuation] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.finish() }
  }

  /// Lets no more pushes begin.
  func close() {
    let closing = state.withLock { state in
      state.isClosed = true
      defer { state.closing = [] }
      return state.closing
    }
    for continuation in closing { continuation.finish() }
  }

  /// Waits until no more pushes may begin, or the task is cancelled.
  func waitForClosing() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    let isClosed = state.withLock { state in
      if !state.isClosed { state.closing.append(continuation) }
      return state.isClosed
    }
    guard !isClosed else { return }
    for await _ in stream {}
  }

  /// Waits until all pushes have ended, or the task is cancelled.
  func waitForEnd() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    let isEnded = state.withLock { state in
      guard state.count > 0 else { return true }
      state.waiting.append(continuation)
      return false
    }
    guard !isEnded else { return }
    for await _ in stream {}
  }
}
