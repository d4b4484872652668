internal import PushNetwork
internal import PushCore

/// A push on its way: what is sent for it, and what each answer, or the lack of one, means for it.
struct Delivery {
  private let push: AddressedPush
  private let token: ProviderToken
  private let policy: RetryPolicy
  private let clock: any PushClock
  private let counters: DeliveryCounters
  private(set) var history: DeliveryHistory

  init(
    push: AddressedPush, token: ProviderToken, policy: RetryPolicy, clock: any PushClock,
    counters: DeliveryCounters
  ) {
    (self.push, self.token) = (push, token)
    (self.policy, self.clock, self.counters) = (policy, clock, counters)
    history = DeliveryHistory(end: clock.uptime + policy.totalTime)
  }

  /// One sending of the push.
  struct Attempt {
    let connection: HTTP2Connection
    fileprivate let authorization: String
    let start: Duration
    /// When it ends without an answer.
    let end: Duration
  }

  /// What follows from the outcome of an attempt.
  enum Sequel {
    /// The push is done.
    case end(APNsResponse)
    case answer(APNsResponse, RetryPolicy.Action)
    case failure(HTTP2Failure)
  }

  /// Sends the push until APNs' answer is its end, or the policy's time or attempts are used up.
  mutating func run(on route: isolated RouteSender) async throws(DeliveryError) -> APNsResponse {
    while true {
      let attempt = attempt(on: try await route.connection(for: history))
      let outcome = await route.outcome(of: request(for: attempt), in: attempt)
      let sequel = note(outcome, of: attempt, on: route)
      if let response = try await goOn(to: sequel, of: attempt, on: route) { return response }
    }
  }

  /// Goes on to send the push after an attempt, as ``run(on:)`` does.
  mutating func run(
    to sequel: Sequel, of attempt: Attempt, on route: isolated RouteSender
  ) async throws(DeliveryError) -> APNsResponse {
    if let response = try await goOn(to: sequel, of: attempt, on: route) { return response }
    return try await run(on: route)
  }

  /// Begins an attempt.
  func attempt(on connection: HTTP2Connection) -> Attempt {
    let start = clock.uptime
    return Attempt(
      connection: connection, authorization: token.authorization(at: clock.now), start: start,
      end: min(history.end, start + policy.attemptTime))
  }

  /// Takes note of the outcome of an attempt.
  mutating func note(
    _ outcome: Result<HTTP2Response, HTTP2Failure>, of attempt: Attempt, on route: isolated RouteSender
  ) -> Sequel {
    switch outcome {
    case .success(let answer):
      let (response, action) = note(answer, of: attempt, on: route)
      return action == .end ? .end(response) : .answer(response, action)
    case .failure(let failure): return .failure(failure)
    }
  }

  /// Does what follows from an attempt; nil if the push is to be sent again.
  private mutating func goOn(
    to sequel: Sequel, of attempt: Attempt, on route: isolated RouteSender
  ) async throws(DeliveryError) -> APNsResponse? {
    switch sequel {
    case .end(let response): return response
    case .answer(let response, let action):
      return try await isEnd(response, action: action, of: attempt, on: route) ? response : nil
    case .failure(let failure):
      try await recover(from: failure, of: attempt, on: route)
      return nil
    }
  }

  /// What is sent.
  func request(for attempt: Attempt) -> HTTP2Request {
    var fields = [HTTPField(name: "authorization", value: attempt.authorization, isSecret: true)]
    for (name, value) in push.push.headers.fields {
      // What differs in each request would only push out of HPACK's table what does not.
      let isSingle = name == "apns-id" || name == "apns-collapse-id"
      fields.append(HTTPField(name: name, value: value, isSecret: isSingle))
    }
    return HTTP2Request(path: "/3/device/" + push.address.token.text, fields: fields, body: push.push.payload)
  }

  // MARK: With an answer

  /// Takes note of an answer, and returns what the policy says about it.
  private mutating func note(
    _ answer: HTTP2Response, of attempt: Attempt, on route: isolated RouteSender
  ) -> (APNsResponse, RetryPolicy.Action) {
    var response = APNsResponse(answer, at: clock.now)
    let action = policy.action(for: response)
    let isProcessed = action != .reconnect
    response = history.answered(response, isProcessed: isProcessed)
    let time = clock.uptime - attempt.start
    counters.count { $0.answered(response, isProcessed: isProcessed, after: time) }
    route.countDevice(response, isProven: push.isProven)
    return (response, action)
  }

  private mutating func isEnd(
    _ response: APNsResponse, action: RetryPolicy.Action, of attempt: Attempt,
    on route: isolated RouteSender
  ) async throws(DeliveryError) -> Bool {
    let isLast = history.attempts >= policy.maximumAttempts
    switch action {
    case .end: return true
    case .stopRoute:
      route.stop(for: .refused(response.reason))
      return true
    case .renewToken:
      guard !history.hasRenewed, token.renew(attempt.authorization, at: clock.now) else {
        route.stop(for: .refused(response.reason))
        return true
      }
      history.hasRenewed = true
    case .reconnect:
      await route.giveUp(attempt.connection)
      let delay = policy.delay(after: history.bounce(), random: random)
      return try await !route.pause(for: delay, within: history)
    case .retry:
      if isLast { return true }
      let delay = policy.delay(after: history.attempts, random: random, atLeast: response.retryAfter)
      guard try await route.pause(for: delay, within: history) else { return true }
    case .pauseRoute(let duration):
      let end = route.pauseAll(for: duration)
      if isLast || end > history.end { return true }
    }
    counters.count { $0.retried += 1 }
    return false
  }

  // MARK: Without one

  /// Waits before another attempt, after one without an answer.
  private mutating func recover(
    from failure: HTTP2Failure, of attempt: Attempt, on route: isolated RouteSender
  ) async throws(DeliveryError) {
    if failure.reason == .deadline { await route.giveUpIfSilent(attempt.connection, since: attempt.start) }
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
    if route.isShutDown { throw history.error(.shutDown) }
    guard case .unknown = failure else {
      // A connection that is gone is not tried again anyway.
      guard await attempt.connection.isAvailable else { return }
      guard
        try await route.pause(
          for: policy.refusalDelay(after: history.bounce(), random: random), within: history)
      else {
        throw history.error(.noAnswer)
      }
      return
    }
    guard history.attempts < policy.maximumAttempts,
      try await route.pause(for: policy.delay(after: history.attempts, random: random), within: history)
    else { throw history.error(.noAnswer) }
    counters.count { $0.retried += 1 }
  }

  private var random: Double { .random(in: 0...1) }
}
