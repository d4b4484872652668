private import Locks

/// Lets many waits share few of the system's timers.
///
/// The system keeps a timer until its time has come, even if its wait was cancelled: a server that opens a notification
/// in milliseconds would keep a timer of 25 seconds for each one. Here a wait starts a timer only if it ends before all
/// running timers.
package final class SharedTimer: Sendable {
  private struct Wait {
    let end: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waits: [UInt64: Wait] = [:]
    var lastNumber: UInt64 = 0
    /// The ends of the running timers, the earliest last.
    var timers: [Duration] = []

    /// Whether a wait with this end needs a new timer; if so, notes that timer.
    mutating func addTimer(for end: Duration) -> Bool {
      if let first = timers.last, first <= end { return false }
      timers.append(end)
      return true
    }

    /// Removes the waits that end by `now`, and returns them with the earliest end of the others.
    mutating func takeWaits(endingBy now: Duration) -> (ended: [Wait], next: Duration?) {
      var (numbers, next): ([UInt64], Duration?) = ([], nil)
      for (number, wait) in waits {
        if wait.end <= now { numbers.append(number) } else { next = min(next ?? wait.end, wait.end) }
      }
      let ended = numbers.compactMap { waits.removeValue(forKey: $0) }
      // An emptied dictionary keeps its memory.
      if waits.isEmpty { waits = [:] }
      return (ended, next)
    }
  }

  private let uptime: @Sendable () -> Duration
  private let sleepAlone: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// Makes a timer for a clock.
  ///
  /// - Parameters:
  ///   - uptime: Returns the clock's ``PushClock/uptime``.
  ///   - sleep: Waits until that uptime, with a timer of the system's.
  package init(
    uptime: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.uptime = uptime
    sleepAlone = sleep
  }

  /// Waits until the clock's ``PushClock/uptime`` reaches `end`; throws early only if its task is cancelled.
  package func sleep(until end: Duration) async throws {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Wait(end: end, continuation: continuation), number: number)
        // The task may have been cancelled before there was a wait.
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

  /// After a timer has ended: ends the waits whose time has come, and starts a timer for the next wait if it needs one.
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
