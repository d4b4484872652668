internal import PushNetwork

/// What is done for one push, from its arrival on its route to its result: a state machine.
///
/// Tell it what has happened, with ``next(_:at:counting:)``, and do what it says. It does nothing itself: it neither
/// sends nor waits.
struct Delivery {
  /// What has happened.
  enum Event {
    /// The push may be sent: it is new, or its wait is over.
    case ready
    /// APNs answered, so long after the attempt began.
    case answered(APNsResponse, after: Duration)
    /// APNs refused the push as it did many before it, so the push may be right.
    case refusedAlike(APNsResponse, after: Duration, RouteHold.Stop)
    /// Something that is not APNs answered, so long after the attempt began.
    case answeredByStranger(StrangeAnswer, after: Duration)
    /// The attempt ended without an answer.
    case failed(HTTP2Failure, connection: Connection)
    /// The reply to ``Action/renewToken``: whether there is another token than the one that APNs refused.
    case tokenRenewed(Bool)
    /// The reply to ``Action/pauseRoute(until:)``: when the route sends again, which another push may have put off.
    case routePaused(until: Duration)
    /// The push cannot be sent, or nobody wants its result any more.
    case interrupted(DeliveryError.Cause)
  }

  /// The state of an attempt's connection after the attempt.
  enum Connection { case open, gone, shutDown }

  /// What to do next.
  enum Action: Equatable, Sendable {
    /// Send the push over a connection; wait for one until `end`.
    case send(by: Duration)
    /// Wait, then say ``Event/ready``.
    case wait(until: Duration)
    /// Replace the provider token, and reply with ``Event/tokenRenewed(_:)``.
    case renewToken
    /// Send nothing on the route until then, and reply with ``Event/routePaused(until:)``.
    case pauseRoute(until: Duration)
    /// Stop the route.
    indirect case stopRoute(RouteHold.Stop, then: Action)
    /// Send nothing more over the attempt's connection.
    indirect case giveUpConnection(then: Action)
    /// Give the result to the caller: there is nothing more to do.
    case end(Result<APNsResponse, DeliveryError>)
  }

  private let policy: RetryPolicy
  private let random: () -> Double
  private var history: DeliveryHistory
  /// APNs' last answer, which is the result unless the push is sent again.
  private var answer: APNsResponse?
  /// Whether sending the push now is counted as ``DeliveryMetrics/retried``.
  private var isRetry = false

  /// Begins the delivery of a push.
  ///
  /// - Parameters:
  ///   - start: The uptime at which the push came to its route.
  ///   - random: Gives a number from 0 to 1, for ``RetryPolicy/jitter``.
  init(
    under policy: RetryPolicy, from start: Duration,
    random: @escaping () -> Double = { .random(in: 0...1) }
  ) {
    self.policy = policy
    self.random = random
    history = DeliveryHistory(end: start + policy.totalTime)
  }

  /// When an attempt that begins at `start` ends without an answer.
  func end(ofAttemptFrom start: Duration) -> Duration { min(history.end, start + policy.attemptTime) }

  /// Takes note of what has happened by `now`, counts it, and says what to do.
  mutating func next(
    _ event: Event, at now: Duration, counting metrics: inout DeliveryMetrics
  ) -> Action {
    switch event {
    case .ready: return send(counting: &metrics)
    case .answered(let response, let time):
      return act(on: response, after: time, at: now, counting: &metrics)
    case .refusedAlike(let response, let time, let stop):
      metrics.answered(history.answered(response, isProcessed: true), isProcessed: true, after: time)
      return .stopRoute(stop, then: fail(stop.cause))
    case .answeredByStranger(let answer, let time):
      return act(on: answer, after: time, at: now, counting: &metrics)
    case .failed(let failure, let connection):
      return recover(from: failure, connection: connection, at: now, counting: &metrics)
    case .tokenRenewed(let isRenewed):
      guard isRenewed else { return .stopRoute(.refused(answer?.reason), then: endWithAnswer) }
      history.hasRenewed = true
      isRetry = true
      return send(counting: &metrics)
    case .routePaused(let end):
      if isLastAttempt || end > history.end { return endWithAnswer }
      isRetry = true
      return send(counting: &metrics)
    case .interrupted(let cause): return fail(cause)
    }
  }

  // MARK: With an answer

  private mutating func act(
    on response: APNsResponse, after time: Duration, at now: Duration,
    counting metrics: inout DeliveryMetrics
  ) -> Action {
    let action = policy.action(for: response)
    let isProcessed = action != .reconnect
    let response = history.answered(response, isProcessed: isProcessed)
    metrics.answered(response, isProcessed: isProcessed, after: time)
    answer = response
    switch action {
    case .end: return endWithAnswer
    case .stopRoute: return .stopRoute(.refused(response.reason), then: endWithAnswer)
    case .renewToken:
      return history.hasRenewed ? .stopRoute(.refused(response.reason), then: endWithAnswer) : .renewToken
    case .reconnect:
      let delay = policy.delay(after: history.bounce(), random: random())
      return .giveUpConnection(then: wait(for: delay, at: now, orElse: endWithAnswer))
    case .retry:
      if isLastAttempt { return endWithAnswer }
      let delay = policy.delay(after: history.attempts, random: random(), atLeast: response.retryAfter)
      return retry(after: delay, at: now, orElse: endWithAnswer)
    case .pauseRoute(let duration): return .pauseRoute(until: now + duration)
    }
  }

  /// Believes nothing of an answer that is not APNs' own.
  private mutating func act(
    on answer: StrangeAnswer, after time: Duration, at now: Duration, counting metrics: inout DeliveryMetrics
  ) -> Action {
    if answer.isSuccess { history.isUnknown() } else { history.isTurnedAway() }
    metrics.answered(answer, after: time)
    let failure = fail(.notAPNs(answer.text))
    guard policy.sendsAgain(after: answer) else { return .stopRoute(.stranger(answer), then: failure) }
    if isLastAttempt { return failure }
    let delay = policy.delay(after: history.attempts, random: random(), atLeast: answer.retryAfter)
    return retry(after: delay, at: now, orElse: failure)
  }

  // MARK: Without one

  private mutating func recover(
    from failure: HTTP2Failure, connection: Connection, at now: Duration,
    counting metrics: inout DeliveryMetrics
  ) -> Action {
    switch failure {
    case .notProcessed(.invalidRequest): return fail(.invalidRequest)
    case .notProcessed: metrics.notProcessed += 1
    case .unknown:
      history.isUnknown()
      metrics.sent += 1
      metrics.unknown += 1
    }
    if failure.reason == .cancelled { return fail(.cancelled) }
    if connection == .shutDown { return fail(.shutDown) }
    guard case .unknown = failure else {
      // The next attempt is on another connection, which need not be spared.
      if connection == .gone { return send(counting: &metrics) }
      let delay = policy.refusalDelay(after: history.bounce(), random: random())
      return wait(for: delay, at: now, orElse: fail(.noAnswer))
    }
    if isLastAttempt { return fail(.noAnswer) }
    let delay = policy.delay(after: history.attempts, random: random())
    return retry(after: delay, at: now, orElse: fail(.noAnswer))
  }

  // MARK: Steps

  private var isLastAttempt: Bool { history.attempts >= policy.maximumAttempts }

  private mutating func send(counting metrics: inout DeliveryMetrics) -> Action {
    if isRetry { metrics.retried += 1 }
    isRetry = false
    return .send(by: history.end)
  }

  /// Waits before another attempt, which counts as one; ends the push if there is no time for that.
  private mutating func retry(after delay: Duration, at now: Duration, orElse end: Action) -> Action {
    let action = wait(for: delay, at: now, orElse: end)
    isRetry = true
    return action
  }

  private func wait(for delay: Duration, at now: Duration, orElse end: Action) -> Action {
    now + delay < history.end ? .wait(until: now + delay) : end
  }

  private var endWithAnswer: Action {
    guard let answer else { preconditionFailure("there was an answer") }
    return .end(.success(answer))
  }

  private func fail(_ cause: DeliveryError.Cause) -> Action { .end(.failure(history.error(cause))) }
}
