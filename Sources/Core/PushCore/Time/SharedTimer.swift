private import Synchronization

/// Waits that share the system's timers.
///
/// A timer of the system's stays until its time has come, even if nobody waits for it any more: a server that opens each
/// notification in milliseconds would have one of 25 seconds for each. Here a wait has a timer of its own only if it
/// ends before all timers that there are.
package final class SharedTimer: Sendable {
  private struct Wait {
    let end: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waits: [UInt64: Wait] = [:]
    var lastNumber: UInt64 = 0
    /// When the system's timers end, each before the one that was added before it.
    var timers: [Duration] = []

    /// Whether an end needs a timer, which it is then taken to have.
    mutating func addTimer(for end: Duration) -> Bool {
      if let first = timers.last, first <= end { return false }
      timers.append(end)
      return true
    }

    /// Takes out the waits that end by `now`, and gives the first end of those that stay.
    mutating func takeWaits(endingBy now: Duration) -> (ended: [Wait], next: Duration?) {
      var (numbers, next): ([UInt64], Duration?) = ([], nil)
      for (number, wait) in waits {
        if wait.end <= now { numbers.append(number) } else { next = min(next ?? wait.end, wait.end) }
      }
      let ended = numbers.compactMap { waits.removeValue(forKey: $0) }
      // It would keep the room for as many as there ever were.
      if waits.isEmpty { waits = [:] }
      return (ended, next)
    }
  }

  private let uptime: @Sendable () -> Duration
  private let sleepAlone: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// Makes a timer of a clock's ``PushClock/uptime``, whose own waits use `sleep`, which waits until that time.
  package init(
    uptime: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.uptime = uptime
    sleepAlone = sleep
  }

  /// Waits until the clock's ``PushClock/uptime`` has come so far, and returns early only by throwing when its task
  /// is cancelled.
  package func sleep(until end: Duration) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Wait(end: end, continuation: continuation), number: number)
        // It may have been cancelled before there was a wait.
        if Task.isCancelled { cancel(number: number) }
      }
    } onCancel: {
      cancel(number: number)
    }
  }

  private func begin(_ wait: Wait, number: UInt64) {
    let needsTimer = state.withLock { state in
      state.waits[number] = wait
      return state.addTimer(for: wait.end)
    }
    if needsTimer { startTimer(until: wait.end) }
  }

  private func cancel(number: UInt64) {
    let wait = state.withLock { $0.waits.removeValue(forKey: number) }
    wait?.continuation.resume(throwing: CancellationError())
  }

  private func startTimer(until end: Duration) {
    Task.detached { [self] in
      try? await sleepAlone(end)
      finish(at: end)
    }
  }

  /// Ends the waits whose time has come when a timer's has, and gives the next one a timer if it needs it.
  private func finish(at end: Duration) {
    let now = max(end, uptime())
    let (ended, next) = state.withLock { state in
      if let index = state.timers.firstIndex(of: end) { state.timers.remove(at: index) }
      let (ended, next) = state.takeWaits(endingBy: now)
      return (ended, next.flatMap { state.addTimer(for: $0) ? $0 : nil })
    }
    if let next { startTimer(until: next) }
    for wait in ended { wait.continuation.resume() }
  }
}
