private import Synchronization

/// The first of several results, for a caller that does not wait for the others.
///
/// A task group would wait for all results, and the look-up of a name cannot be cancelled.
final class Race<Value: Sendable>: Sendable {
  private enum State {
    case running
    case awaited(CheckedContinuation<Value, Never>)
    case ended(Value)
  }

  private let state = Mutex(State.running)

  /// Gives a result, which counts if it is the first.
  func end(with value: Value) {
    let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .running: state = .ended(value)
      case .awaited(let continuation):
        state = .ended(value)
        return continuation
      case .ended: break
      }
      return nil
    }
    continuation?.resume(returning: value)
  }

  /// Waits for the first result; only one caller may.
  func result(ifCancelled value: Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early = state.withLock { state -> Value? in
          if case .ended(let value) = state { return value }
          state = .awaited(continuation)
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      end(with: value)
    }
  }
}
