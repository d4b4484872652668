private import Synchronization

/// Lets one batch of jobs be leased and prepared at a time, until it is closed.
final class BatchGate: Sendable {
  private enum State {
    case open
    case underWay
    /// No other batch may begin, and somebody waits for the one that is under way.
    case closing(CheckedContinuation<Void, Never>)
    case closed
  }

  private let state = Mutex(State.open)

  /// Begins a batch; false if the gate is closed, or another batch is under way.
  func begin() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .underWay
      return true
    }
  }

  /// Ends the batch that ``begin()`` began.
  func end() {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard case .closing(let continuation) = state else {
        state = .open
        return nil
      }
      state = .closed
      return continuation
    }
    waiting?.resume()
  }

  /// Lets no more batches begin, and waits for the end of the one that is under way.
  func close() async {
    await withCheckedContinuation { continuation in
      let isUnderWay = state.withLock { state in
        guard case .underWay = state else {
          state = .closed
          return false
        }
        state = .closing(continuation)
        return true
      }
      if !isUnderWay { continuation.resume() }
    }
  }
}
