private import Synchronization

/// One notification on its way to the person: handed over exactly once, by whoever comes first.
public final class Delivery: Sendable {
  private enum State {
    /// Nothing to show yet; `isDue` if it is to be handed over as soon as there is something.
    case empty(isDue: Bool)
    case waiting(Waiting)
    case over
  }

  private struct Waiting {
    var best: Reception
    let handler: @Sendable (_ best: Reception, _ wasClosed: Bool) -> Void
    var tasks: [Task<Void, Never>] = []
    /// Whether nothing better is taken any more.
    var isClosed = false
  }

  private let state = Mutex(State.empty(isDue: false))

  init() {}

  /// Whether nothing better is taken any more.
  var isOver: Bool {
    state.withLock { state in
      switch state {
      case .empty: false
      case .waiting(let waiting): waiting.isClosed
      case .over: true
      }
    }
  }

  /// Hands over what there is now, and stops the work for something better.
  ///
  /// Does nothing if something was handed over before. The extension calls it from
  /// `serviceExtensionTimeWillExpire()`.
  public func handOver() {
    let waiting = state.withLock { state -> State in
      defer {
        if case .empty = state { state = .empty(isDue: true) } else { state = .over }
      }
      return state
    }
    guard case .waiting(let waiting) = waiting else { return }
    waiting.handler(waiting.best, waiting.isClosed)
    // Only now: what gives up when it is cancelled must not change what is handed over.
    for task in waiting.tasks { task.cancel() }
  }

  /// Takes nothing better any more, and says what will be handed over; null if it was, or if somebody else closed it.
  func close() -> Reception? {
    state.withLock { state in
      guard case .waiting(var waiting) = state, !waiting.isClosed else { return nil }
      waiting.isClosed = true
      state = .waiting(waiting)
      return waiting.best
    }
  }

  /// Starts with what is shown if nothing better comes in time.
  func begin(
    with best: Reception, handler: @escaping @Sendable (_ best: Reception, _ wasClosed: Bool) -> Void
  ) {
    let isDue = state.withLock { state in
      let isDue = if case .empty(isDue: true) = state { true } else { false }
      state = .waiting(Waiting(best: best, handler: handler))
      return isDue
    }
    if isDue { handOver() }
  }

  /// Puts something better in the place of what is shown; false if that came too late.
  func improve(_ reception: Reception) -> Bool {
    state.withLock { state in
      guard case .waiting(var waiting) = state, !waiting.isClosed else { return false }
      waiting.best = reception
      state = .waiting(waiting)
      return true
    }
  }

  /// Keeps a task, to cancel it when something is handed over.
  func keep(_ task: Task<Void, Never>) {
    let isOver = state.withLock { state in
      guard case .waiting(var waiting) = state else { return true }
      waiting.tasks.append(task)
      state = .waiting(waiting)
      return false
    }
    if isOver { task.cancel() }
  }
}
