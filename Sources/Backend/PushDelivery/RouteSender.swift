internal import PushCore
internal import PushNetwork
private import Synchronization

/// Sends the pushes of a route: carries out what the ``Delivery`` of each push says.
///
/// It runs on the loop's thread, as its connections do, so that no push needs a task or a lock of its own. The outcomes
/// of attempts are dealt with when the loop's turn ends, together.
actor RouteSender: TurnHandler {
  nonisolated let loop = EventLoop.shared
  /// Pushes that the route has not looked at yet.
  private nonisolated let inbox = Mutex<[UnderwayPush]>([])
  private nonisolated let lastNumber = Atomic<UInt64>(0)
  private let route: APNsRoute
  /// The app, whose topic may have a suffix in the route.
  nonisolated let app: Topic
  private let server: RouteServer
  /// What APNs is shown, and reached through.
  nonisolated let key: APNsKey
  private let policy: RetryPolicy
  private let clock: any PushClock
  private let counters: DeliveryCounters
  private let report: (@Sendable (DeliveryEvent) -> Void)?

  private var requestFields = RequestFields()
  /// The memory for what is taken out of the inbox.
  private var arrived: [UnderwayPush] = []
  private var underway: [UInt64: UnderwayPush] = [:]
  /// The route itself, as long as it has pushes: the client may forget it meanwhile.
  private var keeper: RouteSender?
  private var waits = RouteWaits()
  private var hold = RouteHold()
  private var isShutDown = false
  private var alarm = Alarm()

  private var connections: RouteConnections
  private var connecting: RouteConnecting
  private var connectingTask: Task<Void, Never>?

  /// The outcomes of attempts, with which the turn ends.
  private var outcomes: [(push: UnderwayPush, outcome: Result<HTTP2Response, HTTP2Failure>)] = []
  /// The memory for those that are being dealt with.
  private var ending: [(push: UnderwayPush, outcome: Result<HTTP2Response, HTTP2Failure>)] = []
  private var isTurnEndAwaited = false

  private var untold = UntoldResults()
  private var isWakeAwaited = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(
    route: APNsRoute, app: Topic, server: RouteServer, configuration: APNsConfiguration, key: APNsKey,
    clock: any PushClock, counters: DeliveryCounters, report: (@Sendable (DeliveryEvent) -> Void)?
  ) {
    self.route = route
    self.app = app
    self.server = server
    self.report = report
    self.key = key
    self.clock = clock
    self.counters = counters
    policy = configuration.retries
    connections = RouteConnections(policy: configuration.connections)
    connecting = RouteConnecting(policy: configuration.retries)
  }

  deinit {
    // The client has forgotten the route.
    alarm.cancel()
    for connection in connections.open { connection.enqueue { $0.drain() } }
  }

  // MARK: Pushes

  /// The number of a new push.
  nonisolated func newNumber() -> UInt64 { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Sends a push until APNs' answer is its end, or its policy's time or attempts are used up, and gives its result.
  nonisolated func deliver(_ push: UnderwayPush) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(push)
      return inbox.count == 1
    }
    if isFirst { enqueue { $0.takeInbox() } }
  }

  private func takeInbox() {
    inbox.withLock { swap(&$0, &arrived) }
    for push in arrived {
      underway[push.number] = push
      keeper = self
      tell(push, .ready)
    }
    arrived.removeAll(keepingCapacity: true)
  }

  /// Ends a push whose pass was cancelled.
  func cancel(_ number: UInt64) {
    if let push = underway[number] { cancel(push) }
  }

  /// Ends the pushes of a pass that was cancelled.
  func cancelPushes(of pass: DeliveryPass) {
    for push in underway.values where push.pass === pass { cancel(push) }
  }

  private func cancel(_ push: UnderwayPush) {
    if push.isSent, let attempt = push.attempt {
      attempt.connection.perform { $0.cancel(attempt.request) }
    } else {
      waits.remove(push.number)
      tell(push, .interrupted(.cancelled))
    }
  }

  /// Tells a push's delivery what has happened, and does what it says, until there is something to wait for.
  private func tell(_ push: UnderwayPush, _ event: Delivery.Event) {
    var event: Delivery.Event? = event
    while let happened = event {
      let now = clock.uptime
      let action = counters.count { push.delivery.next(happened, at: now, counting: &$0) }
      event = carryOut(action, for: push)
    }
  }

  /// Does what a push's delivery says; returns what has happened then, or nil while that is not known.
  private func carryOut(_ action: Delivery.Action, for push: UnderwayPush) -> Delivery.Event? {
    switch action {
    case .send(let end): return send(push, by: end)
    case .wait(let end): return wait(push, until: end)
    case .renewToken:
      guard let attempt = push.attempt else { return .tokenRenewed(false) }
      return .tokenRenewed(key.token.renew(attempt.authorization, at: clock.now))
    case .pauseRoute(let end):
      hold.pause(until: end)
      return .routePaused(until: hold.pausedUntil)
    case .stopRoute(let reason, let next):
      stop(for: reason)
      return carryOut(next, for: push)
    case .giveUpConnection(let next):
      if let attempt = push.attempt { giveUp(attempt.connection) }
      return carryOut(next, for: push)
    case .end(let result):
      end(push, with: result)
      return nil
    }
  }

  private func end(_ push: UnderwayPush, with result: Result<APNsResponse, DeliveryError>) {
    underway[push.number] = nil
    push.end(with: result.mapError { $0.explained(by: connecting.refusal) })
    untold.add(of: push.pass)
    awaitTurnEnd()
    if underway.isEmpty { keeper = nil }
  }

  // MARK: Attempts

  /// Sends a push, or lets it wait for a connection; returns why neither is possible.
  private func send(_ push: UnderwayPush, by end: Duration) -> Delivery.Event? {
    if let cause = obstacle(to: push) { return .interrupted(cause) }
    if let stop = hold.stop { return .interrupted(stop.cause) }
    let now = clock.uptime
    guard now < end else {
      guard connections.isEmpty else { return .interrupted(.noAnswer) }
      return .interrupted(.noConnection((connecting.error ?? connecting.refusal ?? .timeout).description))
    }
    if hold.pausedUntil > now {
      wait(push, until: min(hold.pausedUntil, end), for: .connection)
    } else if let connection = openConnection(at: now) {
      send(push, over: connection, at: now)
    } else {
      wait(push, until: end, for: .connection)
      connect()
    }
    return nil
  }

  private func send(_ push: UnderwayPush, over connection: HTTP2Connection, at now: Duration) {
    let authorization = key.token.authorization(at: clock.now)
    let common = requestFields.fields(for: push.push.push.headers, authorization: authorization)
    let request = HTTP2Request(push.push, common: common)
    let requestNumber = connection.newNumber()
    let end = push.delivery.end(ofAttemptFrom: now)
    push.attempt = UnderwayPush.Attempt(
      connection: connection, request: requestNumber, authorization: authorization, start: now)
    push.isSent = true
    connections.begin(on: connection, at: now)
    connection.perform { connection in
      connection.begin(request, number: requestNumber, until: end) { outcome in
        self.perform { $0.note(outcome, of: push) }
      }
    }
  }

  private func note(_ outcome: Result<HTTP2Response, HTTP2Failure>, of push: UnderwayPush) {
    outcomes.append((push, outcome))
    awaitTurnEnd()
  }

  private func awaitTurnEnd() {
    guard !isTurnEndAwaited else { return }
    isTurnEndAwaited = true
    loop.callAtTurnEnd(self)
  }

  func turnEnded() {
    isTurnEndAwaited = false
    swap(&outcomes, &ending)
    for (push, outcome) in ending { endAttempt(of: push, with: outcome) }
    ending.removeAll(keepingCapacity: true)
    if untold.areEnough || underway.isEmpty {
      wakePasses()
    } else if !untold.isEmpty, !isWakeAwaited {
      isWakeAwaited = true
      loop.callSoon { self.perform { $0.wakePasses() } }
    }
  }

  private func wakePasses() {
    isWakeAwaited = false
    for pass in untold.takePasses() { pass.wake?() }
  }

  private func endAttempt(of push: UnderwayPush, with outcome: Result<HTTP2Response, HTTP2Failure>) {
    guard push.isSent, let attempt = push.attempt else { return }
    push.isSent = false
    let now = clock.uptime
    let isAnswered = if case .success = outcome { true } else { false }
    connections.end(on: attempt.connection, at: now, isAnswered: isAnswered)
    if isAnswered, connecting.answered(), isConnectionWanted { connect() }
    if !isShutDown, let end = connections.spareEnd { setAlarm(by: end) }
    switch outcome {
    case .success(let answer): tell(push, event(of: answer, to: push, after: now - attempt.start))
    case .failure(let failure):
      report?(
        .unanswered(
          reason: failure.text, mayBeDelivered: failure.mayBeProcessed, to: push.messageID, on: route))
      if failure.reason == .deadline,
        !connections.hasAnswered(on: attempt.connection, since: attempt.start)
      {
        giveUp(attempt.connection)
      }
      let isOpen = attempt.connection.isAvailable
      tell(push, .failed(failure, connection: isShutDown ? .shutDown : isOpen ? .open : .gone))
    }
  }

  /// What an answer means for its push; reports it, and takes note of it for the route.
  private func event(of answer: HTTP2Response, to push: UnderwayPush, after time: Duration) -> Delivery.Event
  {
    guard let response = APNsResponse(answer, at: clock.now) else {
      let wait = APNsResponse.retryAfter(of: answer, at: clock.now)
      let answer = StrangeAnswer(answer, retryAfter: wait)
      let cause = DeliveryError.Cause.notAPNs(answer.text)
      let error = DeliveryError(cause: cause, mayBeDelivered: false)
      report?(
        .unanswered(
          reason: error.description, mayBeDelivered: answer.isSuccess, to: push.messageID, on: route))
      return .answeredByStranger(answer, after: time)
    }
    report?(.answered(response, to: push.messageID, on: route, after: time))
    let stop = hold.count(response, isProven: push.push.isProven, under: policy)
    if case .equalRefusals? = stop, let stop { return .refusedAlike(response, after: time, stop) }
    if let stop { self.stop(for: stop) }
    return .answered(response, after: time)
  }

  // MARK: Whether it sends

  /// Why the route sends nothing until it is resumed; nil if it sends.
  var stop: RouteHold.Stop? { hold.stop }

  private func stop(for stop: RouteHold.Stop) {
    if hold.stop == nil { report?(.routeStopped(route, stop.reason)) }
    hold.stop(for: stop)
    connecting.cancelWait()
    tellReady(waits.takeAll())
  }

  /// Sends on the route again.
  func resume() {
    hold.resume()
    tellReady(waits.takeAllForConnection())
  }

  /// Ends all pushes.
  func shutDown() {
    isShutDown = true
    connectingTask?.cancel()
    alarm.cancel()
    for number in waits.takeAll() {
      if let push = underway[number] { tell(push, .interrupted(.shutDown)) }
    }
    for connection in connections.open { connection.perform { $0.close() } }
  }

  /// Why a push must end, whatever its route does.
  private func obstacle(to push: UnderwayPush) -> DeliveryError.Cause? {
    isShutDown ? .shutDown : push.pass.isCancelled ? .cancelled : nil
  }

  // MARK: Connections

  /// A connection that takes a push at once; nil if there is none.
  private func openConnection(at now: Duration) -> HTTP2Connection? {
    while let connection = connections.leastLoaded {
      guard connection.isAvailable else {
        connections.remove(connection)
        continue
      }
      if connections.needsOneMore(at: now) { connectOneMore() }
      return connection
    }
    return nil
  }

  /// Takes no more requests to a connection that lives: whatever is behind it hangs, or has had enough of it.
  private func giveUp(_ connection: HTTP2Connection) {
    connections.remove(connection)
    connection.perform { $0.drain() }
  }

  /// Connects as soon as the policy allows it.
  private func connect() {
    if connecting.begin(at: clock.uptime, random: .random(in: 0...1)) {
      connectNow()
    } else if let end = connecting.waitEnd {
      setAlarm(by: end)
    }
  }

  private func connectNow() {
    connectingTask = Task {
      let error = await tryToConnect()
      connecting.end(with: error)
      if isConnectionWanted { connect() } else { tellReady(waits.takeAllForConnection()) }
    }
  }

  /// Tries once to get one more; a server that accepts no more is left alone for a while.
  private func connectOneMore() {
    guard connecting.beginOneMore() else { return }
    connectingTask = Task {
      if await tryToConnect() != nil {
        connections.putOff(until: clock.uptime + policy.maximumReconnectDelay)
      }
      connecting.end()
      tellReady(waits.takeAllForConnection())
    }
  }

  /// Whether a push waits for a connection, which none does once the route has stopped or was shut down.
  private var isConnectionWanted: Bool { connections.isEmpty && waits.countForConnection > 0 }

  /// Adds a connection; returns why there is none.
  private func tryToConnect() async -> HTTP2Error? {
    do throws(HTTP2Error) {
      let new = try await server.connect()
      guard !isShutDown else {
        new.perform { $0.close() }
        return nil
      }
      connections.add(new)
      report?(.connected(route))
      Task { [weak self] in
        await new.waitUntilClosed()
        await self?.forget(new, saying: new.goodbye, refusing: new.refusal)
      }
      return nil
    } catch {
      report?(.connectionFailed(reason: "\(error)", on: route))
      return error
    }
  }

  private func forget(_ closed: HTTP2Connection, saying words: [UInt8], refusing error: TLSError?) {
    connections.forget(closed)
    if let error, connecting.refused(with: .tls(error)) {
      report?(.connectionFailed(reason: "\(error)", on: route))
    }
    if let reason = APNsReason(goodbye: words) { report?(.goodbye(reason, on: route)) }
  }

  // MARK: Waiting

  /// Lets a push wait for the time of another attempt; returns why it must not.
  private func wait(_ push: UnderwayPush, until end: Duration) -> Delivery.Event? {
    if let cause = obstacle(to: push) { return .interrupted(cause) }
    wait(push, until: end, for: .time)
    return nil
  }

  private func wait(_ push: UnderwayPush, until end: Duration, for purpose: RouteWaits.Purpose) {
    waits.add(push.number, until: end, for: purpose)
    setAlarm(by: end)
  }

  private func tellReady(_ pushes: [UInt64]) {
    for number in pushes {
      if let push = underway[number] { tell(push, .ready) }
    }
  }

  private func setAlarm(by end: Duration) {
    alarm.set(by: end, clock: clock) { [weak self] in await self?.alarmRang() }
  }

  private func alarmRang() {
    let now = clock.uptime
    guard alarm.hasRung(at: now) else { return }
    tellReady(waits.takeDue(at: now))
    if connecting.endWait(at: now, isWanted: isConnectionWanted) { connectNow() }
    if let spare = connections.takeSpare(at: now) { spare.perform { $0.drain() } }
    let ends = [waits.firstEnd, connections.spareEnd, connecting.waitEnd].compactMap(\.self)
    if let end = ends.min() { setAlarm(by: end) }
  }
}
