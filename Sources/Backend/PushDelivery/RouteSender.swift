internal import PushCore
internal import PushNetwork
private import Synchronization

/// A route: its connections, and what its pushes wait for. On the loop's thread, as its connections are.
actor RouteSender {
  private nonisolated let loop = EventLoop.shared
  /// Pushes that nobody has looked at yet.
  private nonisolated let inbox = Mutex<[QueuedPush]>([])
  private let server: RouteServer
  private let token: ProviderToken
  private let policy: RetryPolicy
  private let clock: any PushClock
  private let counters: DeliveryCounters
  private var connections: RouteConnections
  private var connecting: Task<Void, Never>?
  private var connectionError: HTTP2Error?
  /// Connections in a row that failed, or ended before APNs answered anything on them.
  private var uselessConnections = 0
  private var hold = RouteHold()
  private(set) var isShutDown = false
  private var waits = RouteWaits()
  /// How many pushes want a connection.
  private var wanting = 0
  private var alarm = Alarm()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(
    server: RouteServer, configuration: APNsConfiguration, token: ProviderToken,
    clock: any PushClock, counters: DeliveryCounters
  ) {
    (self.server, self.token) = (server, token)
    (policy, connections) = (configuration.retries, RouteConnections(policy: configuration.connections))
    (self.clock, self.counters) = (clock, counters)
  }

  deinit {
    // The client has forgotten the route.
    alarm.cancel()
    for connection in connections.open { Task { await connection.drain() } }
  }

  /// Sends a push until APNs' answer is its end, or the policy's time or attempts are used up.
  func deliver(_ push: AddressedPush, under policy: RetryPolicy) async throws(DeliveryError) -> APNsResponse {
    var delivery = Delivery(push: push, token: token, policy: policy, clock: clock, counters: counters)
    guard server.isUsable else { throw delivery.history.error(.invalidHost) }
    return try await delivery.run(on: self)
  }

  // MARK: Without a task

  /// Sends a push as ``deliver(_:under:)`` does, and gives its result.
  ///
  /// Most pushes have one attempt, on a connection that is there: they need no task, which costs more than the rest.
  nonisolated func send(_ queued: QueuedPush) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(queued)
      return inbox.count == 1
    }
    if isFirst { Task { await takeInbox() } }
  }

  private func takeInbox() {
    let pushes = inbox.withLock { inbox in
      defer { inbox = [] }
      return inbox
    }
    for queued in pushes where !queued.pass.isCancelled { begin(queued) }
  }

  private func begin(_ queued: QueuedPush) {
    let delivery = Delivery(push: queued.push, token: token, policy: policy, clock: clock, counters: counters)
    guard let connection = readyConnection(at: clock.uptime) else {
      return queued.pass.run {
        queued.give(
          await self.result { () throws(DeliveryError) in
            try await self.deliver(queued.push, under: self.policy)
          })
      }
    }
    let attempt = delivery.attempt(on: connection)
    connections.begin(on: connection, at: attempt.start)
    let failure = connection.assumeIsolated { connection in
      connection.begin(delivery.request(for: attempt), until: attempt.end, for: queued.pass.id) { outcome in
        self.assumeIsolated { $0.end(queued, delivery: delivery, attempt: attempt, with: outcome) }
      }
    }
    if let failure { end(queued, delivery: delivery, attempt: attempt, with: .failure(failure)) }
  }

  /// A connection on which a push can be sent at once; nil if there is none.
  private func readyConnection(at now: Duration) -> HTTP2Connection? {
    guard !isShutDown, hold.isOver(at: now), let connection = connections.leastLoaded,
      connection.runs(on: loop),
      connection.assumeIsolated({ $0.isAvailable })
    else { return nil }
    if connections.needsOneMore(at: now) { connectOneMore() }
    return connection
  }

  /// Gives a push's result after its first attempt, or goes on in a task.
  private func end(
    _ queued: QueuedPush, delivery: Delivery, attempt: Delivery.Attempt,
    with outcome: Result<HTTP2Response, HTTP2Failure>
  ) {
    end(attempt, with: outcome)
    var delivery = delivery
    let sequel = delivery.note(outcome, of: attempt, on: self)
    if case .end(let response) = sequel { return queued.give(.success(response)) }
    queued.pass.run { [delivery] in
      let result = await self.result { () throws(DeliveryError) in
        try await self.deliver(delivery, to: sequel, of: attempt)
      }
      queued.give(result)
    }
  }

  private func deliver(
    _ delivery: Delivery, to sequel: Delivery.Sequel, of attempt: Delivery.Attempt
  ) async throws(DeliveryError) -> APNsResponse {
    var delivery = delivery
    return try await delivery.run(to: sequel, of: attempt, on: self)
  }

  private nonisolated func result(
    of deliver: () async throws(DeliveryError) -> APNsResponse
  ) async -> Result<APNsResponse, DeliveryError> {
    do throws(DeliveryError) { return .success(try await deliver()) } catch { return .failure(error) }
  }

  /// Ends the requests of a pass.
  func cancelRequests(of pass: ObjectIdentifier) async {
    for connection in connections.open { await connection.abandonAll(of: pass) }
  }

  // MARK: Whether it sends

  /// Why APNs refuses the route's pushes; nil if it does not.
  var stop: RouteHold.Stop? { hold.stop }

  /// Takes no more pushes.
  func stop(for stop: RouteHold.Stop) {
    hold.stop(for: stop)
    waits.wakeAll(for: .stop)
  }

  /// Stops the route if APNs has refused too many devices in a row.
  func countDevice(_ response: APNsResponse, isProven: Bool) {
    if let stop = hold.count(response, isProven: isProven, limit: policy.badDevicesInARow) {
      self.stop(for: stop)
    }
  }

  /// Sends nothing for so long; returns until when.
  func pauseAll(for duration: Duration) -> Duration {
    hold.pause(until: clock.uptime + duration)
    return hold.pausedUntil
  }

  /// Sends on the route again.
  func resume() {
    hold = RouteHold()
    waits.wakeAll(for: .change)
  }

  /// Ends all pushes.
  func shutDown() async {
    isShutDown = true
    connecting?.cancel()
    alarm.cancel()
    waits.wakeAll(for: .stop)
    for connection in connections.open { await connection.close() }
  }

  // MARK: Requests

  /// Sends a request over an attempt's connection, whose load it is meanwhile.
  func outcome(
    of request: HTTP2Request, in attempt: Delivery.Attempt
  ) async -> Result<HTTP2Response, HTTP2Failure> {
    connections.begin(on: attempt.connection, at: attempt.start)
    let outcome: Result<HTTP2Response, HTTP2Failure>
    do throws(HTTP2Failure) {
      outcome = .success(try await attempt.connection.send(request, until: attempt.end))
    } catch {
      outcome = .failure(error)
    }
    end(attempt, with: outcome)
    return outcome
  }

  private func end(_ attempt: Delivery.Attempt, with outcome: Result<HTTP2Response, HTTP2Failure>) {
    let isAnswered = if case .success = outcome { true } else { false }
    connections.end(on: attempt.connection, at: clock.uptime, isAnswered: isAnswered)
    if isAnswered { uselessConnections = 0 }
    if !isShutDown, let end = connections.spareEnd { setAlarm(by: end) }
  }

  /// Takes no more requests to a connection that lives: whatever is behind it hangs, or has had enough of it.
  func giveUp(_ connection: HTTP2Connection) async {
    connections.remove(connection)
    await connection.drain()
  }

  /// Gives a connection up on which nothing was answered since then.
  func giveUpIfSilent(_ connection: HTTP2Connection, since start: Duration) async {
    if !connections.hasAnswered(on: connection, since: start) { await giveUp(connection) }
  }

  // MARK: Connections

  /// A connection that takes requests, as soon as there is one.
  func connection(for history: DeliveryHistory) async throws(DeliveryError) -> HTTP2Connection {
    wanting += 1
    defer { wanting -= 1 }
    while true {
      let changes = waits.changes
      if isShutDown { throw history.error(.shutDown) }
      if let stop { throw history.error(stop.cause) }
      let now = clock.uptime
      if now >= history.end {
        throw history.error(connectionError.map { .noConnection($0.description) } ?? .noAnswer)
      }
      if hold.pausedUntil <= now {
        if let connection = connections.leastLoaded {
          let isAvailable = await connection.isAvailable
          // Meanwhile the route may have stopped, and the connection may be gone.
          guard connections.takesPushes(connection), stop == nil, !isShutDown else { continue }
          guard isAvailable else {
            connections.remove(connection)
            continue
          }
          if connections.needsOneMore(at: now) { connectOneMore() }
          return connection
        }
        connect()
      }
      let end = hold.pausedUntil > now ? min(hold.pausedUntil, history.end) : history.end
      let wake = await wait(until: end, heeding: .change, since: changes)
      if wake == .cancelled { throw history.error(.cancelled) }
    }
  }

  private func connect() {
    guard connecting == nil else { return }
    connecting = Task {
      while isConnectionWanted {
        if uselessConnections > 0 {
          let delay = policy.reconnectDelay(after: uselessConnections, random: .random(in: 0...1))
          _ = await wait(until: clock.uptime + delay, heeding: .stop, since: waits.changes)
          guard isConnectionWanted else { break }
        }
        uselessConnections += 1
        connectionError = await tryToConnect()
      }
      endConnecting()
    }
  }

  /// Tries once; a server that takes no more of them is left alone for a while.
  private func connectOneMore() {
    guard connecting == nil else { return }
    connecting = Task {
      if await tryToConnect() != nil {
        connections.putOff(until: clock.uptime + policy.maximumReconnectDelay)
      }
      endConnecting()
    }
  }

  private func endConnecting() {
    connecting = nil
    waits.wakeAll(for: .change)
  }

  /// Whether anybody waits for a connection who may have one.
  private var isConnectionWanted: Bool {
    connections.isEmpty && !isShutDown && stop == nil && wanting > 0
  }

  /// Adds a connection; returns why there is none.
  private func tryToConnect() async -> HTTP2Error? {
    do throws(HTTP2Error) {
      let new = try await server.connect()
      guard !isShutDown else {
        await new.close()
        return nil
      }
      connections.add(new)
      Task { [weak self] in
        await new.waitUntilClosed()
        await self?.forget(new)
      }
      return nil
    } catch {
      return error
    }
  }

  private func forget(_ closed: HTTP2Connection) { connections.forget(closed) }

  // MARK: Waiting

  /// Waits for a time, or until the route stops; false if the push's time is up before.
  func pause(for delay: Duration, within history: DeliveryHistory) async throws(DeliveryError) -> Bool {
    let end = clock.uptime + delay
    guard end < history.end else { return false }
    let wake = await wait(until: end, heeding: .stop, since: waits.changes)
    if wake == .cancelled { throw history.error(.cancelled) }
    if isShutDown { throw history.error(.shutDown) }
    return true
  }

  /// Waits, unless there was another change since `changes` was read.
  ///
  /// The task may prefer an executor: then the actor may do something else before each call, also of its own functions.
  private func wait(
    until end: Duration, heeding heeded: RouteWaits.Heeded, since changes: UInt64
  ) async -> RouteWaits.Wake {
    let number = waits.number()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { return continuation.resume(returning: .cancelled) }
        if isShutDown || heeded == .change && changes != waits.changes {
          return continuation.resume(returning: .change)
        }
        waits.add(number, until: end, heeding: heeded, resuming: continuation)
        setAlarm(by: end)
      }
    } onCancel: {
      Task { await self.cancelWait(number) }
    }
  }

  private func cancelWait(_ number: UInt64) { waits.wake(number, for: .cancelled) }

  private func setAlarm(by end: Duration) {
    alarm.set(by: end, clock: clock) { [weak self] in await self?.alarmRang() }
  }

  private func alarmRang() async {
    let now = clock.uptime
    guard alarm.hasRung(at: now) else { return }
    waits.wake(at: now)
    let spare = connections.takeSpare(at: now)
    if let end = [waits.firstEnd, connections.spareEnd].compactMap(\.self).min() { setAlarm(by: end) }
    await spare?.drain()
  }
}
