internal import PushHTTP2
internal import PushKeys
internal import PushSealer

/// A route's connection and what its pushes wait for. On the loop's thread, as its connection is.
actor RouteSender {
  /// Why the route takes no pushes.
  enum Stop {
    /// APNs refuses all of them.
    case refused(APNsReason?)
    /// APNs refused the devices of so many in a row.
    case badDevices(APNsReason?, inARow: Int)

    var reason: APNsReason? {
      switch self {
      case .refused(let reason), .badDevices(let reason, _): reason
      }
    }

    var cause: DeliveryError.Cause {
      switch self {
      case .refused(let reason): .routeStopped(reason)
      case .badDevices(let reason, let count): .badDevices(reason, inARow: count)
      }
    }
  }

  private nonisolated let loop = EventLoop.shared
  private let server: HTTP2Endpoint
  private let context: TLSContext
  private let token: ProviderToken
  private let policy: RetryPolicy
  private let connectionConfiguration: HTTP2Configuration
  private let clock: any DeliveryClock
  private let counters: DeliveryCounters
  /// The connection that new requests go to.
  private var connection: HTTP2Connection?
  /// All that are not closed: one to which the server said goodbye still has its answers to come.
  private var openConnections: [HTTP2Connection] = []
  private var connecting: Task<Void, Never>?
  private var connectionError: HTTP2Error?
  /// Connections in a row that failed, or ended before APNs answered anything on them.
  private var uselessConnections = 0
  /// When APNs answered last.
  private var lastAnswer: Duration?
  private(set) var stop: Stop?
  /// Pushes in a row whose device APNs refused.
  private var badDevices = 0
  private var pausedUntil = Duration.zero
  private var isShutDown = false
  private var waits = RouteWaits()
  private var alarm = Alarm()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  init(
    _ configuration: APNsConfiguration, _ server: HTTP2Endpoint, _ context: TLSContext,
    _ token: ProviderToken,
    _ clock: any DeliveryClock, _ counters: DeliveryCounters
  ) {
    (self.server, self.context, self.token) = (server, context, token)
    (policy, connectionConfiguration) = (configuration.retries, configuration.connection)
    (self.clock, self.counters) = (clock, counters)
  }

  // MARK: A push

  /// Sends a push until APNs' answer is its end, or the policy's time or attempts are used up.
  func deliver(_ push: SealedPush, to device: DeviceToken) async throws(DeliveryError) -> APNsResponse {
    var history = DeliveryHistory(end: clock.uptime + policy.totalTime)
    guard server.isUsable else { throw history.error(.invalidHost) }
    while true {
      let connection = try await connection(history)
      let authorization = token.authorization(at: clock.now)
      let start = clock.uptime
      let request = request(push, device, authorization)
      switch await outcome(of: request, on: connection, until: min(history.end, start + policy.attemptTime)) {
      case .success(let answer):
        let end = clock.uptime
        uselessConnections = 0
        lastAnswer = end
        var response = APNsResponse(answer, at: clock.now)
        let action = policy.action(for: response)
        let isProcessed = action != .reconnect
        response = history.answered(response, isProcessed: isProcessed)
        counters.count { $0.answered(response, isProcessed: isProcessed, after: end - start) }
        countBadDevices(response)
        if try await isEnd(response, action, authorization, &history, connection) { return response }
      case .failure(let failure):
        if failure.reason == .deadline, lastAnswer.map({ $0 < start }) ?? true { await giveUp(connection) }
        try await recover(from: failure, &history, connection)
      }
    }
  }

  private func outcome(
    of request: HTTP2Request, on connection: HTTP2Connection, until end: Duration
  ) async -> Result<HTTP2Response, HTTP2Failure> {
    do throws(HTTP2Failure) {
      return .success(try await connection.send(request, until: end))
    } catch {
      return .failure(error)
    }
  }

  private func request(_ push: SealedPush, _ device: DeviceToken, _ authorization: String) -> HTTP2Request {
    var fields = [HTTPField("authorization", authorization, isSecret: true)]
    for (name, value) in push.headers.fields {
      // What differs in each request would only push out of HPACK's table what does not.
      let isSingle = name == "apns-id" || name == "apns-collapse-id"
      fields.append(HTTPField(name, value, isSecret: isSingle))
    }
    return HTTP2Request(path: "/3/device/" + device.text, fields: fields, body: push.payload)
  }

  /// Does what the policy says about an answer; false if the push is to be sent again.
  private func isEnd(
    _ response: APNsResponse, _ action: RetryPolicy.Action, _ authorization: String,
    _ history: inout DeliveryHistory, _ used: HTTP2Connection
  ) async throws(DeliveryError) -> Bool {
    let isLast = history.attempts >= policy.maximumAttempts
    switch action {
    case .end: return true
    case .stopRoute:
      stopRoute(.refused(response.reason))
      return true
    case .renewToken:
      guard !history.hasRenewed, token.renew(authorization, at: clock.now) else {
        stopRoute(.refused(response.reason))
        return true
      }
      history.hasRenewed = true
    case .reconnect:
      if connection === used { connection = nil }
      await used.drain()
      return try await !pause(policy.delay(after: history.bounce(), random: random), history)
    case .retry:
      if isLast { return true }
      let delay = policy.delay(after: history.attempts, random: random, atLeast: response.retryAfter)
      guard try await pause(delay, history) else { return true }
    case .pauseRoute(let duration):
      pausedUntil = max(pausedUntil, clock.uptime + duration)
      if isLast || pausedUntil > history.end { return true }
    }
    counters.count { $0.retried += 1 }
    return false
  }

  /// Waits before another attempt, after one without an answer.
  private func recover(
    from failure: HTTP2Failure, _ history: inout DeliveryHistory, _ connection: HTTP2Connection
  ) async throws(DeliveryError) {
    switch failure {
    case .notProcessed(.invalidRequest): throw history.error(.invalidRequest)
    case .notProcessed: counters.count { $0.notProcessed += 1 }
    case .unknown:
      history.isUnknown()
      counters.count {
        $0.sent += 1
        $0.unknown += 1
      }
    }
    if failure.reason == .cancelled { throw history.error(.cancelled) }
    if isShutDown { throw history.error(.shutDown) }
    guard case .unknown = failure else {
      // A connection that is gone is not tried again anyway.
      guard await connection.isAvailable else { return }
      guard try await pause(policy.refusalDelay(history.bounce(), random), history) else {
        throw history.error(.noAnswer)
      }
      return
    }
    guard history.attempts < policy.maximumAttempts,
      try await pause(policy.delay(after: history.attempts, random: random), history)
    else { throw history.error(.noAnswer) }
    counters.count { $0.retried += 1 }
  }

  /// Takes no more requests to a connection that lives and does not answer: whatever is behind it hangs.
  private func giveUp(_ silent: HTTP2Connection) async {
    if connection === silent { connection = nil }
    await silent.drain()
  }

  private var random: Double { .random(in: 0...1) }

  // MARK: The route

  /// Sends on the route again.
  func resume() {
    stop = nil
    badDevices = 0
    pausedUntil = .zero
    waits.wakeAll(.change)
  }

  /// Ends all pushes.
  func shutDown() async {
    isShutDown = true
    connecting?.cancel()
    alarm.cancel()
    waits.wakeAll(.stop)
    connection = nil
    for connection in openConnections { await connection.close() }
  }

  private func stopRoute(_ stop: Stop) {
    self.stop = stop
    waits.wakeAll(.stop)
  }

  /// Stops the route when so many devices are refused in a row that the environment or the topic must be wrong.
  private func countBadDevices(_ response: APNsResponse) {
    switch response.verdict {
    case .accepted, .removeToken: badDevices = 0
    case .quarantineDevice:
      badDevices += 1
      guard let limit = policy.badDevicesInARow, badDevices >= limit, stop == nil else { return }
      stopRoute(.badDevices(response.reason, inARow: badDevices))
    case .discard, .keep: break
    }
  }

  /// A connection that takes requests, as soon as there is one.
  private func connection(_ history: DeliveryHistory) async throws(DeliveryError) -> HTTP2Connection {
    while true {
      if isShutDown { throw history.error(.shutDown) }
      if let stop { throw history.error(stop.cause) }
      let now = clock.uptime
      if now >= history.end {
        throw history.error(connectionError.map { .noConnection($0.description) } ?? .noAnswer)
      }
      if pausedUntil <= now {
        if let connection {
          let isAvailable = await connection.isAvailable
          // Meanwhile the route may have stopped, and the connection may be another.
          guard self.connection === connection, stop == nil, !isShutDown else { continue }
          if isAvailable { return connection }
        }
        connect()
      }
      let end = pausedUntil > now ? min(pausedUntil, history.end) : history.end
      if await wait(until: end, .change) == .cancelled { throw history.error(.cancelled) }
    }
  }

  private func connect() {
    guard connecting == nil else { return }
    connection = nil
    connecting = Task {
      while isConnectionWanted {
        if uselessConnections > 0 {
          let delay = policy.reconnectDelay(after: uselessConnections, random: random)
          _ = await wait(until: clock.uptime + delay, .stop)
          guard isConnectionWanted else { break }
        }
        uselessConnections += 1
        await tryToConnect()
      }
      connecting = nil
      waits.wakeAll(.change)
    }
  }

  /// Whether anybody waits for a connection who may have one.
  private var isConnectionWanted: Bool {
    connection == nil && !isShutDown && stop == nil && waits.hasPushes
  }

  private func tryToConnect() async {
    do throws(HTTP2Error) {
      let new = try await HTTP2Connection.connect(
        to: server, context, configuration: connectionConfiguration, clock: ConnectionUptime(clock: clock))
      connectionError = nil
      counters.count { $0.connections += 1 }
      guard !isShutDown else { return await new.close() }
      connection = new
      openConnections.append(new)
      Task { [weak self] in
        await new.waitUntilClosed()
        await self?.forget(new)
      }
    } catch {
      connectionError = error
      counters.count { $0.failedConnections += 1 }
    }
  }

  private func forget(_ closed: HTTP2Connection) { openConnections.removeAll { $0 === closed } }

  // MARK: Waiting

  /// Waits for a time, or until the route stops; false if the push's time is up before.
  private func pause(_ delay: Duration, _ history: DeliveryHistory) async throws(DeliveryError) -> Bool {
    let end = clock.uptime + delay
    guard end < history.end else { return false }
    if await wait(until: end, .stop) == .cancelled { throw history.error(.cancelled) }
    if isShutDown { throw history.error(.shutDown) }
    return true
  }

  private func wait(until end: Duration, _ heeded: RouteWaits.Heeded) async -> RouteWaits.Wake {
    let number = waits.number()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if isShutDown { return continuation.resume(returning: .change) }
        waits.add(number, until: end, heeded, continuation)
        setAlarm(by: end)
      }
    } onCancel: {
      Task { await self.cancelWait(number) }
    }
  }

  private func cancelWait(_ number: UInt64) { waits.wake(number, .cancelled) }

  private func setAlarm(by end: Duration) {
    alarm.set(by: end, ConnectionUptime(clock: clock)) { [weak self] in await self?.alarmRang() }
  }

  private func alarmRang() {
    let now = clock.uptime
    guard alarm.hasRung(at: now) else { return }
    waits.wake(at: now)
    if let end = waits.firstEnd { setAlarm(by: end) }
  }
}
