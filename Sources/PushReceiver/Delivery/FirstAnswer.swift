private import Synchronization

/// An answer that is given once, by whoever comes first; what comes later is dropped.
final class FirstAnswer<Answer: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Answer, Never>)
    case given(Answer)
    case taken
  }

  private let state = Mutex(State.open)

  /// Gives an answer, if nobody did before.
  func give(_ answer: Answer) {
    let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
      switch state {
      case .open: state = .given(answer)
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .given, .taken: break
      }
      return nil
    }
    continuation?.resume(returning: answer)
  }

  /// Waits for the answer, which one caller can have.
  func wait() async -> Answer {
    await withCheckedContinuation { continuation in
      let answer = state.withLock { state -> Answer? in
        guard case .given(let answer) = state else {
          state = .awaited(continuation)
          return nil
        }
        state = .taken
        return answer
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
