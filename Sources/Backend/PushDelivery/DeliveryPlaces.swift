internal import PushCore
internal import PushNetwork
private import Synchronization

/// The places of a sequence's jobs, a number for each route.
///
/// A job takes a place when it is read, and keeps it until its result is taken.
///
/// One task reads and one task consumes; both wait here. The results have no generic type: a generic class would look
/// up the metadata of its parts for each push, which takes longer than its work.
final class DeliveryPlaces: Sendable {
  /// A result, nil after the last one, or the input's error.
  typealias Step = Result<(any Sendable)?, any Error>

  /// The outcome of a job's request for a place.
  enum Place { case taken, heldUp, stopped }

  /// The waiting tasks that can go on, with what they waited for.
  private struct Woken {
    struct Consumer {
      let waiting: CheckedContinuation<Step, Never>
      let step: Step
    }

    struct Job {
      let waiting: CheckedContinuation<Place, Never>
      let place: Place
    }

    struct Reader {
      let waiting: CheckedContinuation<Bool, Never>
      let mayRead: Bool
    }

    let consumer: Consumer?
    let job: Job?
    let reader: Reader?

    func resume() {
      if let consumer { consumer.waiting.resume(returning: consumer.step) }
      if let job { job.waiting.resume(returning: job.place) }
      if let reader { reader.waiting.resume(returning: reader.mayRead) }
    }
  }

  private struct State {
    let limit: Int
    let patience: Duration
    var task: Task<Void, Never>?
    var shares: [APNsRoute: RouteShare] = [:]
    /// Results with their routes; those that were given back have none.
    var ready = ReadyResults()
    /// How many jobs that were given back have not been taken; nothing is read meanwhile.
    var givenBack = 0
    var end: Result<Void, any Error>?
    var isStopped = false
    var reader: CheckedContinuation<Bool, Never>?
    var job: (route: APNsRoute, continuation: CheckedContinuation<Place, Never>)?
    var consumer: CheckedContinuation<Step, Never>?
    var alarm = Alarm()

    /// The waiting tasks that can go on.
    mutating func wake(at now: () -> Duration) -> Woken {
      Woken(consumer: wakeConsumer(), job: wakeJob(at: now), reader: wakeReader())
    }

    private mutating func wakeReader() -> Woken.Reader? {
      guard let waiting = reader, let mayRead else { return nil }
      reader = nil
      return Woken.Reader(waiting: waiting, mayRead: mayRead)
    }

    /// Whether one more job may be read; nil if the reader must wait.
    var mayRead: Bool? { isStopped ? false : givenBack == 0 ? true : nil }

    private mutating func wakeJob(at now: () -> Duration) -> Woken.Job? {
      guard let (route, waiting) = job, isWorthReading(on: route), let place = place(on: route, at: now())
      else { return nil }
      job = nil
      return Woken.Job(waiting: waiting, place: place)
    }

    /// Whether it is worth waking the reader, which waits for a place: not for each of many places that become free one
    /// after the other, while the consumer has results to take.
    private func isWorthReading(on route: APNsRoute) -> Bool {
      isStopped || ready.isEmpty || shares[route].map { $0.isFull || $0.freePlaces >= limit / 8 } ?? true
    }

    /// The outcome of a request for a place; nil if the job must wait.
    mutating func place(on route: APNsRoute, at now: Duration) -> Place? {
      if isStopped { return .stopped }
      var share = shares[route] ?? RouteShare(limit: limit)
      defer { shares[route] = share }
      guard share.isFull else {
        share.take(at: now)
        return .taken
      }
      return share.heldUp(at: now, patience: patience).flatMap { $0 <= now ? .heldUp : nil }
    }

    /// When a waiting job is to be given back; nil if none waits, or its route makes progress.
    mutating func deadline(at now: () -> Duration) -> Duration? {
      guard let route = job?.route, shares[route]?.isFull == true else { return nil }
      let (patience, now) = (patience, now())
      return shares[route]?.heldUp(at: now, patience: patience).flatMap { $0 > now ? $0 : nil }
    }

    private mutating func wakeConsumer() -> Woken.Consumer? {
      guard let waiting = consumer, let step = nextStep() else { return nil }
      consumer = nil
      return Woken.Consumer(waiting: waiting, step: step)
    }

    /// Takes the next result; nil if there is none yet.
    mutating func nextStep() -> Step? {
      if isStopped { return .success(nil) }
      if let next = ready.take() {
        if let route = next.route { free(route) } else { givenBack -= 1 }
        return .success(next.result)
      }
      guard let end, shares.isEmpty else { return nil }
      isStopped = true
      return end.map { nil }
    }

    private mutating func free(_ route: APNsRoute) {
      shares[route]?.free()
      if shares[route]?.taken == 0 { shares[route] = nil }
    }
  }

  private let state: Mutex<State>
  private let clock: any PushClock

  /// Makes places, `limit` for each route.
  init(limit: Int, patience: Duration, clock: any PushClock) {
    state = Mutex(State(limit: limit, patience: patience))
    self.clock = clock
  }

  /// Starts the reader's task, once.
  func start(_ reader: () -> Task<Void, Never>) {
    state.withLock { state in
      if state.task == nil, !state.isStopped { state.task = reader() }
    }
  }

  /// Waits until one more job may be read; false if none may.
  func mayRead() async -> Bool {
    if let mayRead = update({ state, _ in state.mayRead }) { return mayRead }
    return await withCheckedContinuation { continuation in update { state, _ in state.reader = continuation }
    }
  }

  /// Waits for a place for a job that was read, as long as its route makes progress.
  func take(on route: APNsRoute) async -> Place {
    if let place = update({ state, now in state.place(on: route, at: now()) }) { return place }
    return await withCheckedContinuation { continuation in
      update { state, _ in state.job = (route, continuation) }
    }
  }

  /// Gives the result of a job that has a place; the consumer learns of it with ``resultsWereGiven()``.
  func give(_ result: any Sendable, on route: APNsRoute) {
    state.withLock { state in
      state.shares[route]?.end()
      state.ready.add(.init(result: result, route: route))
    }
  }

  /// Wakes the consumer, which is once for all results that were given together.
  func resultsWereGiven() { update { _, _ in } }

  /// Gives the result of a job that got no place.
  func giveBack(_ result: any Sendable) {
    update { state, _ in
      state.givenBack += 1
      state.ready.add(.init(result: result, route: nil))
    }
  }

  /// Says that the input is at its end.
  func end(with end: Result<Void, any Error>) { update { state, _ in state.end = end } }

  /// Takes the next result, or the end, if it is there already.
  func takeReady() -> Step? { update { state, _ in state.nextStep() } }

  /// Waits for the next result; nil at the end.
  func next(isolation actor: isolated (any Actor)?) async -> Step {
    if let step = takeReady() { return step }
    return await withCheckedContinuation { continuation in
      update { state, _ in
        precondition(state.consumer == nil, "one task at a time asks an iterator")
        state.consumer = continuation
      }
    }
  }

  /// Ends the pass: the reader's task is cancelled.
  func stop() {
    update { state, _ in
      state.isStopped = true
      state.alarm.cancel()
    }
    state.withLock { $0.task }?.cancel()
  }

  /// Changes the state, wakes the tasks that can go on, and returns the value of `change`.
  private func update<Value: Sendable>(
    _ change: (inout State, _ now: () -> Duration) -> Value
  ) -> Value {
    // Most changes do not ask for the time.
    let now = { [clock] in clock.uptime }
    let (value, woken) = state.withLock { state in
      let value = change(&state, now)
      let woken = state.wake(at: now)
      if let deadline = state.deadline(at: now) {
        state.alarm.set(by: deadline, clock: clock) { [weak self] in
          self?.alarmRang()
        }
      }
      return (value, woken)
    }
    woken.resume()
    return value
  }

  private func alarmRang() { update { state, now in _ = state.alarm.hasRung(at: now()) } }
}

/// Results that wait to be taken, in the order in which they came.
private struct ReadyResults {
  struct Element {
    let result: any Sendable
    let route: APNsRoute?
  }

  private var added: [Element] = []
  /// The results that are taken next, in reverse order.
  private var next: [Element] = []

  var isEmpty: Bool { added.isEmpty && next.isEmpty }

  mutating func add(_ element: Element) { added.append(element) }

  mutating func take() -> Element? {
    if next.isEmpty {
      swap(&next, &added)
      next.reverse()
    }
    return next.popLast()
  }
}
