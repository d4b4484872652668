private import Locks
internal import PushCore

/// The result of work with a time limit.
enum Limited<Value: Sendable>: Sendable {
  /// It was done in time.
  case done(Value)
  /// It threw.
  case failed(any Error)
  /// Time ran out, or the caller was cancelled; a later result is dropped.
  case late
}

extension PushClock {
  /// Runs `work` for at most `limit`, and does not wait for it any longer, even if it never ends.
  func run<Value: Sendable>(
    within limit: Duration, work: @escaping @Sendable () async throws -> Value
  ) async -> Limited<Value> {
    let end = uptime + limit
    let answer = FirstAnswer<Limited<Value>>()
    let worker = Task.onOwnThreads {
      do {
        answer.give(.done(try await work()))
      } catch {
        answer.give(.failed(error))
      }
    }
    let timer = Task.detached {
      try? await self.sleep(until: end)
      answer.give(.late)
    }
    return await withTaskCancellationHandler {
      let result = await answer.wait()
      timer.cancel()
      worker.cancel()
      return result
    } onCancel: {
      answer.give(.late)
    }
  }
}

/// An answer that the first caller gives; later ones are dropped.
final class FirstAnswer<Answer: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Answer, Never>)
    case given(Answer)
    case taken
  }

  private let state = Mutex(State.open)

  /// Gives an answer, unless one was given before.
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

  /// Waits for the answer; only one caller may.
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
