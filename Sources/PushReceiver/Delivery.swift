private import Synchronization

/// One notification on its way to the person: handed over exactly once, by whoever comes first.
public final class Delivery: Sendable {
  private struct State {
    var handler: (@Sendable (Reception) -> Void)?
    var bestAttempt: Reception?
    var timer: Task<Void, Never>?
    var isExpired = false
    var isOver = false
  }

  private let state = Mutex(State())

  init() {}

  /// Whether something was handed over.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Hands over what there is now.
  ///
  /// Does nothing if something was handed over before.
  public func expire() {
    let bestAttempt = state.withLock { state in
      state.isExpired = true
      return state.bestAttempt
    }
    if let bestAttempt { deliver(bestAttempt) }
  }

  /// Starts with what is shown if nothing better comes in time.
  func begin(bestAttempt: Reception, handler: @escaping @Sendable (Reception) -> Void) {
    let isExpired = state.withLock { state in
      state.handler = handler
      state.bestAttempt = bestAttempt
      return state.isExpired
    }
    if isExpired { deliver(bestAttempt) }
  }

  /// Keeps the timer, to stop it when something is handed over.
  func setTimer(_ timer: Task<Void, Never>) {
    let isDelivered = state.withLock { state in
      state.timer = timer
      return state.isOver
    }
    if isDelivered { timer.cancel() }
  }

  /// Hands `reception` over, if nothing was before.
  func deliver(_ reception: Reception) {
    let (handler, timer) = state.withLock { state in
      defer {
        state.isOver = state.isOver || state.handler != nil
        (state.handler, state.bestAttempt) = (nil, nil)
      }
      return (state.handler, state.timer)
    }
    timer?.cancel()
    handler?(reception)
  }
}
