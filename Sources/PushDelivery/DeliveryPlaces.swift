internal import PushHTTP2
private import Synchronization

/// The places of a pass over deliveries, so many for each route, each taken from the reading of a job until its result
/// is taken.
///
/// One task reads and one task consumes; both wait here.
final class DeliveryPlaces<Element: Sendable, Failure: Error>: Sendable {
  typealias Step = Result<Element?, Failure>

  /// What becomes of a job that was read.
  enum Place { case taken, heldUp, stopped }

  /// Tasks that can go on, with what they waited for.
  private struct Woken {
    typealias Consumer = (waiting: CheckedContinuation<Step, Never>, step: Step)
    typealias Job = (waiting: CheckedContinuation<Place, Never>, place: Place)
    typealias Reader = (waiting: CheckedContinuation<Bool, Never>, mayRead: Bool)

    let consumer: Consumer?
    let job: Job?
    let reader: Reader?

    func resume() {
      if let (waiting, step) = consumer { waiting.resume(returning: step) }
      if let (waiting, place) = job { waiting.resume(returning: place) }
      if let (waiting, mayRead) = reader { waiting.resume(returning: mayRead) }
    }
  }

  private struct State {
    let limit: Int
    let patience: Duration
    var task: Task<Void, Never>?
    var shares: [APNsRoute: RouteShare] = [:]
    /// Results with their routes; those that were given back have none.
    var ready: ArraySlice<(element: Element, route: APNsRoute?)> = []
    /// Jobs that were given back and not taken; nothing is read meanwhile.
    var givenBack = 0
    var end: Failure??
    var isStopped = false
    var reader: CheckedContinuation<Bool, Never>?
    var job: (route: APNsRoute, continuation: CheckedContinuation<Place, Never>)?
    var consumer: CheckedContinuation<Step, Never>?
    var alarm = Alarm()

    /// The waiting tasks that can go on.
    mutating func wake(at now: Duration) -> Woken {
      Woken(consumer: wakeConsumer(), job: wakeJob(at: now), reader: wakeReader())
    }

    private mutating func wakeReader() -> Woken.Reader? {
      guard let waiting = reader, isStopped || givenBack == 0 else { return nil }
      reader = nil
      return (waiting, !isStopped)
    }

    private mutating func wakeJob(at now: Duration) -> Woken.Job? {
      guard let (route, waiting) = job, let place = place(on: route, at: now) else { return nil }
      job = nil
      return (waiting, place)
    }

    private mutating func place(on route: APNsRoute, at now: Duration) -> Place? {
      if isStopped { return .stopped }
      var share = shares[route] ?? RouteShare(limit: limit)
      defer { shares[route] = share }
      guard share.isFull else {
        share.take(at: now)
        return .taken
      }
      return share.heldUp(at: now, patience: patience).flatMap { $0 <= now ? .heldUp : nil }
    }

    /// When a job that waits is to be given back; nil if none waits, or its route gets on.
    mutating func deadline(at now: Duration) -> Duration? {
      guard let route = job?.route else { return nil }
      let patience = patience
      return shares[route]?.heldUp(at: now, patience: patience).flatMap { $0 > now ? $0 : nil }
    }

    private mutating func wakeConsumer() -> Woken.Consumer? {
      guard let waiting = consumer, let step = nextStep() else { return nil }
      consumer = nil
      return (waiting, step)
    }

    private mutating func nextStep() -> Step? {
      if isStopped { return .success(nil) }
      if let (element, route) = ready.popFirst() {
        if let route { free(route) } else { givenBack -= 1 }
        return .success(element)
      }
      guard let end, shares.isEmpty else { return nil }
      isStopped = true
      return end.map(Step.failure) ?? .success(nil)
    }

    private mutating func free(_ route: APNsRoute) {
      shares[route]?.free()
      if shares[route]?.taken == 0 { shares[route] = nil }
    }
  }

  private let state: Mutex<State>
  private let clock: any DeliveryClock

  /// Makes places, `limit` for each route.
  init(limit: Int, patience: Duration, clock: any DeliveryClock) {
    state = Mutex(State(limit: limit, patience: patience))
    self.clock = clock
  }

  /// Starts the reader, once.
  func start(_ reader: (DeliveryPlaces) -> Task<Void, Never>) {
    state.withLock { state in
      if state.task == nil, !state.isStopped { state.task = reader(self) }
    }
  }

  /// Waits until one more job may be read; false if none may.
  func mayRead() async -> Bool {
    await withCheckedContinuation { continuation in update { $0.reader = continuation } }
  }

  /// Waits for a place for a job that was read, as long as its route gets on.
  func take(_ route: APNsRoute) async -> Place {
    await withCheckedContinuation { continuation in update { $0.job = (route, continuation) } }
  }

  /// Gives the result of a job that has a place.
  func give(_ element: Element, on route: APNsRoute) {
    update { state in
      state.shares[route]?.end()
      state.ready.append((element, route))
    }
  }

  /// Gives the result of a job that got no place.
  func giveBack(_ element: Element) {
    update { state in
      state.givenBack += 1
      state.ready.append((element, nil))
    }
  }

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
    update { state in
      state.isStopped = true
      state.alarm.cancel()
    }
    state.withLock { $0.task }?.cancel()
  }

  private func update(_ change: (inout State) -> Void) {
    let now = clock.uptime
    let woken = state.withLock { state in
      change(&state)
      let woken = state.wake(at: now)
      if let deadline = state.deadline(at: now) {
        state.alarm.set(by: deadline, ConnectionUptime(clock: clock)) { [weak self] in self?.alarmRang() }
      }
      return woken
    }
    woken.resume()
  }

  private func alarmRang() {
    let now = clock.uptime
    update { _ = $0.alarm.hasRung(at: now) }
  }
}
