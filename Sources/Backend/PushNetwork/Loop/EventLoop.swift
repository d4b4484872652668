internal import CLinux
private import Dispatch
internal import Glibc
private import Synchronization

/// A thread that waits for sockets and runs the actors that own them.
///
/// An actor whose executor is a loop runs only on the loop's thread, so whatever it owns needs no lock: sockets, TLS
/// sessions, and the state of C libraries. A loop lives as long as the process, because actors refer to it without
/// owning it.
package final class EventLoop: SerialExecutor {
  /// What runs in a turn.
  private enum Work {
    case job(UnownedJob)
    case call(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    var isAsleep = false
    var handlers: [UInt64: any LoopHandler] = [:]
    var lastNumber: UInt64 = 0
    var turnEnds: [any TurnHandler] = []
    /// What ``callSoon(_:)`` was given, and the time by which it is called.
    var soon: [@Sendable () -> Void] = []
    var soonEnd: ContinuousClock.Instant?

    /// Takes what is to be called now: when nothing else has happened, or its time has come.
    mutating func takeDue(isQuiet: Bool) -> [@Sendable () -> Void] {
      guard let end = soonEnd, isQuiet || end <= .now else { return [] }
      defer { (soon, soonEnd) = ([], nil) }
      return soon
    }
  }

  /// The descriptors of the thread.
  private struct Descriptors {
    /// The epoll instance that the thread waits for.
    let poll: CInt
    /// The eventfd that wakes the thread.
    let bell: CInt

    static func make() throws(SocketError) -> Descriptors {
      let poll = loop_make()
      guard poll >= 0 else { throw SocketError("epoll_create1") }
      let bell = loop_make_bell()
      guard bell >= 0 else {
        let error = SocketError("eventfd")
        _ = Glibc.close(poll)
        throw error
      }
      return Descriptors(poll: poll, bell: bell)
    }

    func close() {
      _ = Glibc.close(bell)
      _ = Glibc.close(poll)
    }
  }

  private let descriptors: Descriptors
  /// Runs the jobs of a loop that has no thread.
  private let queue: DispatchQueue?
  private let state = Mutex(State())
  /// The loop's thread; 0 before it runs.
  private let thread = Atomic<UInt>(0)

  /// The bell's number among the sockets.
  private static let bellNumber: UInt64 = 0

  private static let started = Mutex<EventLoop?>(nil)
  private static let stranded = EventLoop()

  // MARK: The process's loop

  /// Returns the process's loop; the first call starts it.
  ///
  /// - Throws: ``SocketError`` if the system has no descriptor or no thread for it. A later call tries again.
  package static func start() throws(SocketError) -> EventLoop {
    let result = started.withLock { started -> Result<EventLoop, SocketError> in
      if let started { return .success(started) }
      do throws(SocketError) {
        let loop = try EventLoop(descriptors: .make())
        started = loop
        return .success(loop)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The executor of actors that use connections.
  ///
  /// It is the loop that ``start()`` returns. If that fails, it is a loop without a thread and without sockets, which
  /// runs its actors on a queue.
  package static var shared: EventLoop {
    do throws(SocketError) { return try start() } catch { return stranded }
  }

  private init(descriptors: Descriptors) throws(SocketError) {
    self.descriptors = descriptors
    queue = nil
    do throws(SocketError) {
      let status = loop_add(descriptors.poll, descriptors.bell, Readiness.read.bits, Self.bellNumber)
      guard status == 0 else { throw SocketError("epoll_ctl") }
      try startThread { [self] in run() }
    } catch {
      descriptors.close()
      throw error
    }
  }

  private init() {
    descriptors = Descriptors(poll: -1, bell: -1)
    queue = DispatchQueue(label: "sockets")
  }

  // MARK: Executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let queue {
      return queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
    add(.job(job))
  }

  /// Calls `work` on the loop's thread, after whatever is to run there before.
  func call(_ work: @escaping @Sendable () -> Void) {
    if let queue { queue.async(execute: work) } else { add(.call(work)) }
  }

  private func add(_ work: Work) {
    let isAsleep = state.withLock { state in
      state.work.append(work)
      defer { state.isAsleep = false }
      return state.isAsleep
    }
    if isAsleep { ring() }
  }

  package func checkIsolated() {
    if let queue { return dispatchPrecondition(condition: .onQueue(queue)) }
    precondition(isCurrent, "this runs on the loop's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { queue == nil ? isCurrent : nil }

  /// Whether the loop's thread calls; false as well where the loop has none.
  package var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Sockets

  /// Watches a socket for `handler`, which the loop then holds until ``remove(_:number:)``; returns its number.
  ///
  /// - Throws: ``SocketError`` if the system watches no more sockets.
  func add(
    _ handler: any LoopHandler, on descriptor: CInt, for readiness: Readiness
  ) throws(SocketError) -> UInt64 {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      return state.lastNumber
    }
    guard loop_add(descriptors.poll, descriptor, readiness.bits, number) == 0 else {
      let error = SocketError("epoll_ctl")
      forget(number)
      throw error
    }
    return number
  }

  /// Changes the readiness that a socket is watched for; if it is empty, only the peer's end is reported, once.
  func watch(_ descriptor: CInt, number: UInt64, for readiness: Readiness) {
    // The system may refuse to watch another socket, but not a change.
    let status = loop_change(descriptors.poll, descriptor, readiness.bits, number)
    precondition(status == 0, "the descriptor is open and watched")
  }

  /// Stops watching a socket, which is still open, and releases its handler.
  func remove(_ descriptor: CInt, number: UInt64) {
    _ = loop_remove(descriptors.poll, descriptor)
    forget(number)
  }

  private func forget(_ number: UInt64) {
    _ = state.withLock { $0.handlers.removeValue(forKey: number) }
  }

  /// Calls the handler's ``TurnHandler/turnEnded()`` once, after all ready sockets have been handled.
  package func callAtTurnEnd(_ handler: any TurnHandler) {
    if let queue { return queue.async { Self.turnEnded(handler) } }
    state.withLock { $0.turnEnds.append(handler) }
  }

  /// Calls `work` on the loop's thread when nothing else happens there, at the latest after a millisecond; only that thread
  /// asks for it.
  package func callSoon(_ work: @escaping @Sendable () -> Void) {
    if let queue { return queue.async(execute: work) }
    precondition(isCurrent, "the loop's thread asks")
    state.withLock { state in
      state.soon.append(work)
      state.soonEnd = state.soonEnd ?? .now + .milliseconds(1)
    }
  }

  // MARK: The thread

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var events = [loop_event](repeating: loop_event(), count: loop_most_events)
    while true {
      let milliseconds: CInt = state.withLock { state in
        state.isAsleep = state.work.isEmpty
        return !state.isAsleep ? 0 : state.soonEnd == nil ? -1 : 1
      }
      let count = unsafe loop_wait(descriptors.poll, &events, milliseconds)
      let work = state.withLock { state in
        state.isAsleep = false
        defer { state.work = [] }
        return state.work
      }
      for event in events.prefix(Int(count)) { dispatch(event) }
      for work in work { run(work) }
      for work in state.withLock({ $0.takeDue(isQuiet: count == 0 && work.isEmpty) }) { work() }
      endTurn()
    }
  }

  private func run(_ work: Work) {
    switch work {
    case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
    case .call(let call): call()
    }
  }

  private func dispatch(_ event: loop_event) {
    guard event.number != Self.bellNumber else { return silence() }
    // A handler that ran earlier in this turn may have removed this one.
    guard let handler = state.withLock({ $0.handlers[event.number] }) else { return }
    Self.ready(handler, for: Readiness(bits: event.readiness))
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

  private static func ready(_ handler: some LoopHandler, for readiness: Readiness) {
    handler.assumeIsolated { $0.ready(for: readiness) }
  }

  private static func turnEnded(_ handler: some TurnHandler) {
    handler.assumeIsolated { $0.turnEnded() }
  }

  private func ring() {
    var one: UInt64 = 1
    _ = unsafe write(descriptors.bell, &one, MemoryLayout<UInt64>.size)
  }

  private func silence() {
    var count: UInt64 = 0
    _ = unsafe read(descriptors.bell, &count, MemoryLayout<UInt64>.size)
  }
}

/// An actor that runs on a loop.
package protocol TurnHandler: Actor {
  /// The loop, which is the actor's executor.
  nonisolated var loop: EventLoop { get }

  /// Is called once after ``EventLoop/callAtTurnEnd(_:)``.
  func turnEnded()
}

extension TurnHandler {
  /// Does something on the actor: before this returns if the loop's thread calls, soon if any other does.
  package nonisolated func perform(_ work: @escaping @Sendable (isolated Self) -> Void) {
    if loop.isCurrent { assumeIsolated(work) } else { enqueue(work) }
  }

  /// Does something on the actor, after whatever is to be done on its loop before.
  package nonisolated func enqueue(_ work: @escaping @Sendable (isolated Self) -> Void) {
    loop.call { self.assumeIsolated(work) }
  }
}

/// An actor that owns sockets, and runs on a loop.
protocol LoopHandler: TurnHandler {
  /// Tells that a watched socket can be read or written, or that its peer is gone.
  func ready(for readiness: Readiness)
}

/// The operations that a socket is ready for, or watched for.
struct Readiness: OptionSet {
  let rawValue: Int

  static let read = Readiness(rawValue: 1)
  static let write = Readiness(rawValue: 2)

  init(rawValue: Int) { self.rawValue = rawValue }

  /// Reads the system's bits; an error or the end counts as readiness, and the next read or write finds it.
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
