private import Locks
public import PushCore
internal import PushReceiver

/// A clock that stands still until a test moves it.
public final class ManualClock: PushClock {
  private struct Sleeper {
    let id: Int
    let wakesAt: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// Who waits for sleepers.
  private struct Watcher {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var elapsed = Duration.zero
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// Those that were cancelled before they waited.
    var cancelled: Set<Int> = []
    private var lastID = 0

    mutating func newID() -> Int {
      lastID += 1
      return lastID
    }
  }

  private let start: UnixTime
  private let state = Mutex(State())

  /// Makes a clock that shows `start`.
  public init(_ start: UnixTime) { self.start = start }

  /// The start plus all advances.
  public var now: UnixTime { start.advanced(by: state.withLock(\.elapsed)) }

  /// The start plus all advances, with their fractions of a second.
  public var sinceEpoch: Duration { .seconds(start.seconds) + uptime }

  /// The sum of all advances.
  public var uptime: Duration { state.withLock(\.elapsed) }

  /// Waits until the clock has advanced this far.
  public func sleep(until end: Duration) async throws {
    let id = state.withLock { $0.newID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add($0, id: id, until: end) }
    } onCancel: {
      cancel(id: id)
    }
  }

  /// Moves the clock forward, and wakes the sleepers whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.elapsed += duration
      let woken = state.sleepers.filter { $0.wakesAt <= state.elapsed }
      state.sleepers.removeAll { $0.wakesAt <= state.elapsed }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until `count` tasks sleep on this clock, so that a test knows when to move it; or until the task is cancelled,
  /// as a test's time limit does.
  public func waitForSleepers(count: Int = 1) async {
    let id = state.withLock { $0.newID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          let isOver = state.cancelled.remove(id) != nil || state.sleepers.count >= count
          if !isOver { state.watchers.append(Watcher(id: id, count: count, continuation: continuation)) }
          return isOver
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let watcher = state.withLock { state in
        let index = state.watchers.firstIndex { $0.id == id }
        if index == nil { state.cancelled.insert(id) }
        return index.map { state.watchers.remove(at: $0) }
      }
      watcher?.continuation.resume()
    }
  }

  private func add(_ continuation: CheckedContinuation<Void, any Error>, id: Int, until end: Duration) {
    let (outcome, watchers) = state.withLock {
      state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
      guard state.cancelled.remove(id) == nil else { return (.failure(CancellationError()), []) }
      guard state.elapsed < end else { return (.success(()), []) }
      state.sleepers.append(Sleeper(id: id, wakesAt: end, continuation: continuation))
      let count = state.sleepers.count
      let watchers = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      return (nil, watchers)
    }
    if let outcome { continuation.resume(with: outcome) }
    for watcher in watchers { watcher.resume() }
  }

  private func cancel(id: Int) {
    let sleeper = state.withLock { state in
      let index = state.sleepers.firstIndex { $0.id == id }
      if index == nil { state.cancelled.insert(id) }
      return index.map { state.sleepers.remove(at: $0) }
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
