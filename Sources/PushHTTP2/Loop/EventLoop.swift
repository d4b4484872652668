internal import CEventLoop
internal import Glibc
private import Synchronization

/// A thread that waits for sockets, and runs the actors that own them.
///
/// An actor whose executor is a loop runs on its thread alone, so whatever it owns needs no lock: sockets, TLS sessions,
/// and the state of C libraries. A loop lives as long as the process, because actors refer to it without owning it.
package final class EventLoop: SerialExecutor {
  /// The loop that is used where none is named.
  package static let shared = EventLoop()

  private struct State {
    var jobs: [UnownedJob] = []
    var isAsleep = false
    var handlers: [UInt64: any LoopHandler] = [:]
    var lastNumber: UInt64 = 0
    var turnEnds: [any LoopHandler] = []
    var thread: pthread_t?
  }

  private let poll: CInt
  private let bell: CInt
  private let state = Mutex(State())

  /// The bell's number among the sockets.
  private static let bellNumber: UInt64 = 0

  /// Starts a loop's thread.
  package init() {
    poll = loop_make()
    bell = loop_make_bell()
    precondition(poll >= 0 && bell >= 0, "the process has descriptors for an event loop")
    watch(bell, Self.bellNumber, from: [], to: .read)
    do throws(SocketError) {
      try startThread { [self] in run() }
    } catch {
      preconditionFailure("the process has a thread for an event loop")
    }
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAsleep = state.withLock { state in
      state.jobs.append(job)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if isAsleep { ring() }
  }

  package func checkIsolated() { precondition(isCurrent, "this runs on the loop's thread") }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private var isCurrent: Bool {
    state.withLock { state in state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  // MARK: Sockets

  /// Registers `handler`, which the loop then holds until ``remove(_:_:)``; returns its number.
  func add(_ handler: any LoopHandler) -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      return state.lastNumber
    }
  }

  /// Changes what `handler` waits for on a socket.
  func watch(_ descriptor: CInt, _ number: UInt64, from old: Readiness, to new: Readiness) {
    guard old != new else { return }
    // A socket that is watched for nothing is taken out: it would report again and again that its peer is gone.
    let status = loop_control(poll, descriptor, old.bits, new.bits, number)
    precondition(status == 0, "the descriptor is open, and watched as said")
  }

  /// Forgets a handler, whose socket is no longer watched.
  func remove(_ number: UInt64) {
    _ = state.withLock { $0.handlers.removeValue(forKey: number) }
  }

  /// Calls the handler's ``LoopHandler/turnEnded()`` once, after all that is ready has been dealt with.
  func callAtTurnEnd(_ handler: any LoopHandler) {
    state.withLock { $0.turnEnds.append(handler) }
  }

  // MARK: The thread

  private func run() {
    state.withLock { $0.thread = pthread_self() }
    var events = [loop_event](repeating: loop_event(), count: loop_most_events)
    while true {
      let isIdle = state.withLock { state in
        state.isAsleep = state.jobs.isEmpty
        return state.isAsleep
      }
      let count = unsafe loop_wait(poll, &events, isIdle ? 1 : 0)
      let jobs = state.withLock { state in
        state.isAsleep = false
        defer { state.jobs = [] }
        return state.jobs
      }
      for event in events.prefix(Int(count)) { dispatch(event) }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      endTurn()
    }
  }

  private func dispatch(_ event: loop_event) {
    guard event.number != Self.bellNumber else { return silence() }
    // It may have been removed by what ran before it in this turn.
    guard let handler = state.withLock({ $0.handlers[event.number] }) else { return }
    Self.ready(handler, Readiness(bits: event.readiness))
  }

  private func endTurn() {
    while true {
      let handlers = state.withLock { state in
        defer { state.turnEnds = [] }
        return state.turnEnds
      }
      guard !handlers.isEmpty else { return }
      for handler in handlers { Self.turnEnded(handler) }
    }
  }

  private static func ready(_ handler: some LoopHandler, _ readiness: Readiness) {
    handler.assumeIsolated { $0.ready(readiness) }
  }

  private static func turnEnded(_ handler: some LoopHandler) {
    handler.assumeIsolated { $0.turnEnded() }
  }

  private func ring() {
    var one: UInt64 = 1
    _ = unsafe write(bell, &one, MemoryLayout<UInt64>.size)
  }

  private func silence() {
    var count: UInt64 = 0
    _ = unsafe read(bell, &count, MemoryLayout<UInt64>.size)
  }
}

/// An actor that owns sockets, and runs on a loop.
protocol LoopHandler: Actor {
  /// A watched socket can be read or written, or its peer is gone.
  func ready(_ readiness: Readiness)

  /// The handler asked to be called now.
  func turnEnded()
}

/// What a socket is ready for, or watched for.
struct Readiness: OptionSet {
  let rawValue: Int

  static let read = Readiness(rawValue: 1)
  static let write = Readiness(rawValue: 2)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the system's bits; who reads or writes then finds the error or the end.
  fileprivate init(bits: UInt32) {
    self = []
    let bits = Int(bits)
    if bits & (loop_reads | loop_gone) != 0 { insert(.read) }
    if bits & (loop_writes | loop_gone) != 0 { insert(.write) }
  }

  fileprivate var bits: UInt32 {
    UInt32((contains(.read) ? loop_reads : 0) | (contains(.write) ? loop_writes : 0))
  }
}
