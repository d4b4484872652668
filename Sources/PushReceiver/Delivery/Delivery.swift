private import Synchronization

/// One notification on its way to the person: handed over exactly once, by whoever comes first.
public final class Delivery: Sendable {
  private enum State {
    /// Nothing to show yet; `isDue` if it is to be handed over as soon as there is something.
    case empty(isDue: Bool)
    case waiting(best: Reception, handler: @Sendable (Reception) -> Void, tasks: [Task<Void, Never>])
    case over
  }

  private let state = Mutex(State.empty(isDue: false))

  init() {}

  /// Whether something was handed over.
  var isOver: Bool {
    state.withLock { state in
      if case .over = state { true } else { false }
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
    guard case .waiting(let best, let handler, let tasks) = waiting else { return }
    for task in tasks { task.cancel() }
    handler(best)
  }

  /// Starts with what is shown if nothing better comes in time.
  func begin(with best: Reception, handler: @escaping @Sendable (Reception) -> Void) {
    let isDue = state.withLock { state in
      let isDue = if case .empty(isDue: true) = state { true } else { false }
      state = .waiting(best: best, handler: handler, tasks: [])
      return isDue
    }
    if isDue { handOver() }
  }

  /// Puts something better in the place of what is shown; false if that came too late.
  func improve(_ reception: Reception) -> Bool {
    state.withLock { state in
      guard case .waiting(_, let handler, let tasks) = state else { return false }
      state = .waiting(best: reception, handler: handler, tasks: tasks)
      return true
    }
  }

  /// Keeps a task, to cancel it when something is handed over.
  func keep(_ task: Task<Void, Never>) {
    let isOver = state.withLock { state in
      guard case .waiting(let best, let handler, let tasks) = state else { return true }
      state = .waiting(best: best, handler: handler, tasks: tasks + [task])
      return false
    }
    if isOver { task.cancel() }
  }
}
