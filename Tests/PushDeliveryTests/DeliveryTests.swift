import PushCore
import PushNetwork
import Testing

@testable import PushDelivery

/// What is done for a push after each event: no server, no connection, and no time that passes.
@Suite struct DeliveryTests {
  /// A delivery that came to its route at 100 seconds, with its metrics.
  private struct Machine {
    var delivery: Delivery
    var metrics = DeliveryMetrics()

    /// Begins a delivery whose waits have no random part, unless `change` gives them one.
    init(random: Double = 0, policy change: (inout RetryPolicy) -> Void = { _ in }) {
      var policy = RetryPolicy()
      policy.jitter = 0
      change(&policy)
      delivery = Delivery(under: policy, from: .seconds(100)) { random }
    }

    mutating func next(_ event: Delivery.Event, at seconds: Int = 100) -> Delivery.Action {
      delivery.next(event, at: .seconds(seconds), counting: &metrics)
    }

    /// The action after an answer with a status and a reason.
    mutating func answer(
      _ status: Int, _ reason: APNsReason? = nil, retryAfter: Int? = nil, at seconds: Int = 100
    ) -> Delivery.Action {
      next(
        .answered(DeliveryTests.response(status, reason, retryAfter: retryAfter), after: .milliseconds(3)),
        at: seconds)
    }

    /// The action after a failure of an attempt.
    mutating func fail(
      _ failure: HTTP2Failure, connection: Delivery.Connection = .open, at seconds: Int = 100
    ) -> Delivery.Action {
      next(.failed(failure, connection: connection), at: seconds)
    }
  }

  private static func response(
    _ status: Int, _ reason: APNsReason? = nil, retryAfter: Int? = nil, attempts: Int = 1,
    mayBeDuplicate: Bool = false
  ) -> APNsResponse {
    var fields = [HTTPField(name: "apns-id", value: "1")]
    if let retryAfter { fields.append(HTTPField(name: "retry-after", value: String(retryAfter))) }
    let body = reason.map { Array("{\"reason\":\"\($0)\"}".utf8) } ?? []
    var response = APNsResponse(HTTP2Response(status: status, fields: fields, body: body), at: .now)!
    response.attempts = attempts
    response.mayBeDuplicate = mayBeDuplicate
    return response
  }

  private static func error(
    _ cause: DeliveryError.Cause, mayBeDelivered: Bool = false
  ) -> Delivery.Action {
    .end(.failure(DeliveryError(cause: cause, mayBeDelivered: mayBeDelivered)))
  }

  private static func end(_ response: APNsResponse) -> Delivery.Action { .end(.success(response)) }

  /// The policy's hour, after the start.
  private static let wholeTime = Delivery.Action.send(by: .seconds(3700))

  // MARK: Sending

  @Test("A new push may wait for a connection as long as it may take")
  func new() {
    var machine = Machine()
    #expect(machine.next(.ready) == Self.wholeTime)
    #expect(machine.metrics == DeliveryMetrics())
  }

  @Test("An attempt takes no longer than the policy allows for one")
  func attemptTime() {
    #expect(Machine().delivery.end(ofAttemptFrom: .seconds(200)) == .seconds(230))
  }

  @Test("An attempt ends with the time of its push")
  func attemptAtTheEnd() {
    #expect(Machine().delivery.end(ofAttemptFrom: .seconds(3690)) == .seconds(3700))
  }

  // MARK: Answers

  @Test(
    "An answer that another attempt would not change is the result",
    arguments: [
      (200, nil), (400, .badDeviceToken), (400, .badTopic), (404, .badPath), (410, .unregistered),
      (413, .payloadTooLarge), (400, APNsReason(rawValue: "SomethingNew")),
    ] as [(Int, APNsReason?)])
  func final(status: Int, reason: APNsReason?) {
    var machine = Machine()
    #expect(machine.answer(status, reason) == Self.end(Self.response(status, reason)))
    #expect(machine.metrics.sent == 1 && machine.metrics.latency.maximum == .milliseconds(3))
    #expect(machine.metrics.accepted == (status == 200 ? 1 : 0))
  }

  @Test(
    "A refusal of all pushes stops the route, and is the push's result",
    arguments: [.invalidProviderToken, .forbidden, APNsReason(rawValue: "SomethingNew")])
  func stopRoute(reason: APNsReason) {
    var machine = Machine()
    #expect(
      machine.answer(403, reason) == .stopRoute(.refused(reason), then: Self.end(Self.response(403, reason))))
  }

  @Test("A token that APNs says is expired is renewed, and the push sent again")
  func renewal() {
    var machine = Machine()
    #expect(machine.answer(403, .expiredProviderToken) == .renewToken)
    #expect(machine.metrics.retried == 0)
    #expect(machine.next(.tokenRenewed(true)) == Self.wholeTime)
    #expect(machine.metrics.retried == 1)
    #expect(machine.answer(200) == Self.end(Self.response(200, attempts: 2)))
  }

  @Test("If APNs refuses the renewed token too, the route stops")
  func secondRenewal() {
    var machine = Machine()
    _ = machine.answer(403, .expiredProviderToken)
    _ = machine.next(.tokenRenewed(true))
    let last = Self.response(403, .expiredProviderToken, attempts: 2)
    #expect(
      machine.answer(403, .expiredProviderToken)
        == .stopRoute(.refused(.expiredProviderToken), then: Self.end(last)))
  }

  @Test("If there is no other token yet, the route stops")
  func noRenewal() {
    var machine = Machine()
    _ = machine.answer(403, .expiredProviderToken)
    let last = Self.response(403, .expiredProviderToken)
    #expect(
      machine.next(.tokenRenewed(false)) == .stopRoute(.refused(.expiredProviderToken), then: Self.end(last)))
    #expect(machine.metrics.retried == 0)
  }

  @Test("A connection that was idle for too long is given up, which costs the push no attempt")
  func reconnect() {
    var machine = Machine()
    #expect(machine.answer(400, .idleTimeout) == .giveUpConnection(then: .wait(until: .seconds(101))))
    #expect(machine.next(.ready, at: 101) == Self.wholeTime)
    #expect(
      machine.answer(400, .idleTimeout, at: 101) == .giveUpConnection(then: .wait(until: .seconds(105))))
    #expect(machine.next(.ready, at: 105) == Self.wholeTime)
    #expect(machine.answer(200) == Self.end(Self.response(200)))
    #expect(machine.metrics.notProcessed == 2 && machine.metrics.sent == 1 && machine.metrics.retried == 0)
  }

  @Test("A connection is given up also if there is no time for another attempt")
  func reconnectTooLate() {
    var machine = Machine()
    let last = Self.response(400, .idleTimeout, attempts: 0)
    #expect(machine.answer(400, .idleTimeout, at: 3699) == .giveUpConnection(then: Self.end(last)))
  }

  @Test(
    "APNs' failures make the push wait",
    arguments: [(429, .tooManyRequests), (500, nil), (502, nil), (503, .shutdown)] as [(Int, APNsReason?)])
  func retry(status: Int, reason: APNsReason?) {
    var machine = Machine()
    #expect(machine.answer(status, reason) == .wait(until: .seconds(101)))
    #expect(machine.metrics.retried == 0)
    #expect(machine.next(.ready, at: 101) == Self.wholeTime)
    #expect(machine.metrics.retried == 1)
  }

  @Test("Waits grow with each attempt, and the last attempt's answer is the result")
  func attempts() {
    var machine = Machine()
    for (attempt, wait) in [1, 4, 16, 64].enumerated() {
      #expect(machine.answer(503) == .wait(until: .seconds(100 + wait)), "attempt \(attempt + 1)")
      #expect(machine.next(.ready) == Self.wholeTime)
    }
    #expect(machine.answer(503) == Self.end(Self.response(503, attempts: 5)))
    #expect(machine.metrics.sent == 5 && machine.metrics.retried == 4)
  }

  @Test("A wait is as long as APNs asks, if that is longer", arguments: [(0, 1), (1, 1), (70, 70)])
  func retryAfter(asked: Int, wait: Int) {
    var machine = Machine()
    #expect(machine.answer(503, retryAfter: asked) == .wait(until: .seconds(100 + wait)))
  }

  @Test("A share of a wait is random")
  func jitter() {
    var machine = Machine(random: 1) { $0.jitter = 0.5 }
    #expect(machine.answer(503) == .wait(until: .milliseconds(100_500)))
  }

  @Test("If a wait would not end before the push's time, the answer is the result", arguments: [3699, 3700])
  func retryTooLate(now: Int) {
    var machine = Machine()
    #expect(machine.answer(503, at: now) == Self.end(Self.response(503)))
  }

  @Test("A wait may end just before the push's time")
  func retryInTime() {
    var machine = Machine()
    #expect(machine.answer(503, at: 3698) == .wait(until: .seconds(3699)))
  }

  // MARK: Pauses

  @Test("Too many tokens pause the route, and the push is sent after that")
  func pause() {
    var machine = Machine()
    #expect(machine.answer(429, .tooManyProviderTokenUpdates) == .pauseRoute(until: .seconds(1300)))
    #expect(machine.next(.routePaused(until: .seconds(1300))) == Self.wholeTime)
    #expect(machine.metrics.retried == 1)
  }

  @Test("If the route's pause outlasts the push's time, the answer is the result")
  func longPause() {
    var machine = Machine()
    _ = machine.answer(429, .tooManyProviderTokenUpdates)
    // Another push has paused the route for longer.
    let last = Self.response(429, .tooManyProviderTokenUpdates)
    #expect(machine.next(.routePaused(until: .seconds(3701))) == Self.end(last))
  }

  @Test("The last attempt pauses the route too, and its answer is the result")
  func lastPause() {
    var machine = Machine { $0.maximumAttempts = 1 }
    #expect(machine.answer(429, .tooManyProviderTokenUpdates) == .pauseRoute(until: .seconds(1300)))
    let last = Self.response(429, .tooManyProviderTokenUpdates)
    #expect(machine.next(.routePaused(until: .seconds(1300))) == Self.end(last))
    #expect(machine.metrics.retried == 0)
  }

  // MARK: Failures

  @Test("A stream that was refused is tried again soon, which costs no attempt and is no duplicate")
  func refused() {
    var machine = Machine()
    #expect(machine.fail(.notProcessed(.refused)) == .wait(until: .milliseconds(100_020)))
    #expect(machine.next(.ready) == Self.wholeTime)
    #expect(machine.fail(.notProcessed(.refused)) == .wait(until: .milliseconds(100_040)))
    #expect(machine.next(.ready) == Self.wholeTime)
    #expect(machine.answer(200) == Self.end(Self.response(200)))
    #expect(machine.metrics.notProcessed == 2 && machine.metrics.retried == 0 && machine.metrics.unknown == 0)
  }

  @Test("A push of a connection that is gone goes to another at once")
  func gone() {
    var machine = Machine()
    #expect(machine.fail(.notProcessed(.unavailable), connection: .gone) == Self.wholeTime)
    #expect(machine.metrics.notProcessed == 1 && machine.metrics.retried == 0)
  }

  @Test("If there is no time to try a refused stream again, there is no answer")
  func refusedTooLate() {
    var machine = Machine()
    #expect(machine.fail(.notProcessed(.refused), at: 3700) == Self.error(.noAnswer))
  }

  @Test(
    "An attempt without an answer is made again, and its acceptance may be the second one",
    arguments: [HTTP2Failure.Reason.disconnected, .deadline, .reset(code: 2), .silent, .malformed])
  func unknown(reason: HTTP2Failure.Reason) {
    var machine = Machine()
    #expect(machine.fail(.unknown(reason)) == .wait(until: .seconds(101)))
    #expect(machine.next(.ready, at: 101) == Self.wholeTime)
    #expect(machine.answer(200) == Self.end(Self.response(200, attempts: 2, mayBeDuplicate: true)))
    #expect(machine.metrics.sent == 2 && machine.metrics.unknown == 1 && machine.metrics.retried == 1)
  }

  @Test("An attempt without an answer on a connection that is gone is made again after the same wait")
  func unknownOnGone() {
    var machine = Machine()
    #expect(machine.fail(.unknown(.disconnected), connection: .gone) == .wait(until: .seconds(101)))
  }

  @Test("After the last attempt without an answer, there is none")
  func lastUnknown() {
    var machine = Machine { $0.maximumAttempts = 2 }
    #expect(machine.fail(.unknown(.disconnected)) == .wait(until: .seconds(101)))
    #expect(machine.next(.ready) == Self.wholeTime)
    #expect(machine.fail(.unknown(.disconnected)) == Self.error(.noAnswer, mayBeDelivered: true))
    #expect(machine.metrics.unknown == 2 && machine.metrics.retried == 1)
  }

  @Test("If there is no time for another attempt, there is no answer")
  func unknownTooLate() {
    var machine = Machine()
    #expect(machine.fail(.unknown(.deadline), at: 3699) == Self.error(.noAnswer, mayBeDelivered: true))
  }

  @Test("A request that HTTP forbids is not sent")
  func invalidRequest() {
    var machine = Machine()
    #expect(machine.fail(.notProcessed(.invalidRequest)) == Self.error(.invalidRequest))
    #expect(machine.metrics == DeliveryMetrics())
  }

  @Test("A cancelled request ends its push, which may be delivered if it was sent", arguments: [true, false])
  func cancelledRequest(isSent: Bool) {
    var machine = Machine()
    let failure = isSent ? HTTP2Failure.unknown(.cancelled) : .notProcessed(.cancelled)
    #expect(machine.fail(failure) == Self.error(.cancelled, mayBeDelivered: isSent))
    #expect(machine.metrics.unknown == (isSent ? 1 : 0))
  }

  @Test("A client that shuts down ends the pushes of its connections", arguments: [true, false])
  func shutDown(isSent: Bool) {
    var machine = Machine { $0.maximumAttempts = 1 }
    let failure = isSent ? HTTP2Failure.unknown(.unavailable) : .notProcessed(.unavailable)
    #expect(machine.fail(failure, connection: .shutDown) == Self.error(.shutDown, mayBeDelivered: isSent))
  }

  // MARK: Interruptions

  @Test(
    "What keeps a push from being sent is its result",
    arguments: [
      .cancelled, .shutDown, .routeStopped(.forbidden), .badDevices(.badDeviceToken, inARow: 100),
      .noConnection("refused"), .noAnswer, .noServer(.production),
    ] as [DeliveryError.Cause])
  func interrupted(cause: DeliveryError.Cause) {
    var machine = Machine()
    #expect(machine.next(.interrupted(cause)) == Self.error(cause))
  }

  @Test("A push that is cancelled while it waits for another attempt may be delivered")
  func cancelledWaiting() {
    var machine = Machine()
    _ = machine.fail(.unknown(.disconnected))
    #expect(machine.next(.interrupted(.cancelled)) == Self.error(.cancelled, mayBeDelivered: true))
    #expect(machine.metrics.retried == 0)
  }

  @Test("A push that goes on to wait, for a connection now, is counted once as sent again")
  func readyTwice() {
    var machine = Machine()
    _ = machine.answer(503)
    for _ in 1...2 { #expect(machine.next(.ready, at: 101) == Self.wholeTime) }
    #expect(machine.metrics.retried == 1)
  }
}
