private import Synchronization

/// The places of a pass over deliveries, each taken from the reading of a job until its result is taken.
///
/// One task reads and one task consumes; both wait here.
final class DeliveryPlaces<Element: Sendable, Failure: Error>: Sendable {
  typealias Step = Result<Element?, Failure>

  private struct State {
    let limit: Int
    var task: Task<Void, Never>?
    var taken = 0
    var ready: ArraySlice<Element> = []
    var end: Failure??
    var isStopped = false
    var reader: CheckedContinuation<Bool, Never>?
    var consumer: CheckedContinuation<Step, Never>?

    /// What the waiting tasks can go on with.
    mutating func wake() -> (@Sendable () -> Void)? {
      let reader = readerStep()
      let consumer = consumerStep()
      guard reader != nil || consumer != nil else { return nil }
      return {
        if let (continuation, mayRead) = reader { continuation.resume(returning: mayRead) }
        if let (continuation, step) = consumer { continuation.resume(returning: step) }
      }
    }

    private mutating func readerStep() -> (CheckedContinuation<Bool, Never>, Bool)? {
      guard let waiting = reader, isStopped || taken < limit else { return nil }
      reader = nil
      return (waiting, !isStopped)
    }

    private mutating func consumerStep() -> (CheckedContinuation<Step, Never>, Step)? {
      guard let waiting = consumer else { return nil }
      if isStopped {
        consumer = nil
        return (waiting, .success(nil))
      }
      if let element = ready.popFirst() {
        consumer = nil
        taken -= 1
        return (waiting, .success(element))
      }
      guard let end, taken == 0 else { return nil }
      consumer = nil
      isStopped = true
      return (waiting, end.map(Step.failure) ?? .success(nil))
    }
  }

  private let state: Mutex<State>

  init(limit: Int) { state = Mutex(State(limit: limit)) }

  /// Starts the reader, once.
  func start(_ reader: (DeliveryPlaces) -> Task<Void, Never>) {
    state.withLock { state in
      if state.task == nil, !state.isStopped { state.task = reader(self) }
    }
  }

  /// Waits until one more job may be read; false if none may.
  func take() async -> Bool {
    await withCheckedContinuation { continuation in update { $0.reader = continuation } }
  }

  /// Takes the place of a job that was read.
  func begin() { update { $0.taken += 1 } }

  /// Gives a job's result.
  func give(_ element: Element) { update { $0.ready.append(element) } }

  /// Says that the input is at its end.
  func end(_ failure: Failure?) { update { $0.end = .some(failure) } }

  /// The next result; nil at the end.
  func next() async -> Step {
    await withCheckedContinuation { continuation in
      update {
        precondition($0.consumer == nil, "one task at a time asks an iterator")
        $0.consumer = continuation
      }
    }
  }

  /// Ends the pass: the reader's task and those of the pushes are cancelled.
  func stop() {
    update { $0.isStopped = true }
    state.withLock { $0.task }?.cancel()
  }

  private func update(_ change: (inout State) -> Void) {
    let wake = state.withLock { state in
      change(&state)
      return state.wake()
    }
    wake?()
  }
}
