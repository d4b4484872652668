import PushDelivery
import PushCore
import PushNetwork
import PushKeys
import PushSealer
import PushTesting
import Synchronization
import TestSupport
import Testing

/// What stops a push, and whom that does not concern.
@Suite(.hangGuard) struct RouteTests {
  private static let other = Scene.topic("com.example.other")

  private static func refusal(_ status: Int, _ reason: String) -> HTTP2ServerAnswer {
    .response(
      HTTP2Response(
        status: status, fields: [HTTPField(name: "apns-id", value: "1")],
        body: Array("{\"reason\":\"\(reason)\",\"timestamp\":1700000000000}".utf8)))
  }

  /// Sends a push, and gives how it ended.
  private static func outcome(
    _ scene: Scene, topic: Topic = Scene.topic
  ) async throws -> Result<APNsResponse, DeliveryError> {
    let push = try Scene.pushes(1, topic: topic)[0]
    do throws(DeliveryError) {
      return .success(try await scene.client.send(push, to: Scene.address(topic: topic)))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "An answer that sending again does not change is given as it is",
    arguments: [
      (400, APNsReason.badDeviceToken, APNsResponse.Verdict.quarantineDevice),
      (400, .deviceTokenNotForTopic, .quarantineDevice), (400, .badTopic, .discard),
      (410, .unregistered, .removeToken),
      (410, .expiredToken, .removeToken), (413, .payloadTooLarge, .discard),
      (400, APNsReason(rawValue: "SomethingNew"), .discard),
    ])
  func final(status: Int, reason: APNsReason, verdict: APNsResponse.Verdict) async throws {
    let scene = try await Scene { _, _, _ in Self.refusal(status, reason.rawValue) }
    let response = try await Self.outcome(scene).get()
    #expect(response.status == status && response.reason == reason && response.verdict == verdict)
    #expect(
      response.unregisteredAt == UnixTime(clamping: 1_700_000_000) && response.attempts == 1
        && !response.mayBeDuplicate)
    #expect(scene.record.requests == 1)
    #expect(scene.client.metrics.refused == [reason: 1])
    await scene.stop()
  }

  /// It goes into logs, and would be counted apart each time.
  @Test(arguments: [#"Bad\u000aToken"#, #"\u001b[2J"#, String(repeating: "a", count: 65), ""])
  func aReasonThatIsNoWordIsNone(text: String) async throws {
    let scene = try await Scene { _, _, _ in Self.refusal(400, text) }
    let response = try await Self.outcome(scene).get()
    #expect(response.status == 400 && response.reason == nil)
    #expect(scene.client.metrics.refused == [APNsReason(rawValue: "400"): 1])
  }

  @Test(arguments: ["09AZaz-", String(repeating: "a", count: 64)])
  func anIDIsKept(text: String) async throws {
    let scene = try await Scene { _, _, _ in
      .response(HTTP2Response(status: 200, fields: [HTTPField(name: "apns-id", value: text)]))
    }
    #expect(try await Self.outcome(scene).get().id == text)
    await scene.stop()
  }

  /// They are printed.
  @Test(arguments: ["a\u{9b}2J", String(repeating: "a", count: 65)])
  func anIDThatIsNoneIsNone(text: String) async throws {
    let scene = try await Scene { _, _, _ in
      .response(HTTP2Response(status: 200, fields: [HTTPField(name: "apns-id", value: text)]))
    }
    let cause = DeliveryError.Cause.notAPNs("status 200 without an apns-id")
    #expect(try await Self.outcome(scene) == .failure(DeliveryError(cause: cause, mayBeDelivered: true)))
    await scene.stop()
  }

  @Test("A wrong key stops its route, and no other, until it is resumed")
  func stopped() async throws {
    let isMended = Mutex(false)
    let scene = try await Scene { _, request, record in
      guard request["apns-topic"] == Scene.topic.text, !isMended.withLock(\.self) else {
        return record.accept(request)
      }
      return Self.refusal(403, "InvalidProviderToken")
    }
    #expect(try await Self.outcome(scene).get().reason == .invalidProviderToken)
    let stopped = DeliveryError(cause: .routeStopped(.invalidProviderToken), mayBeDelivered: false)
    #expect(try await Self.outcome(scene) == .failure(stopped))
    #expect(scene.record.requests == 1)
    #expect(try await Self.outcome(scene, topic: Self.other).get().isAccepted)
    let route = APNsRoute(teamID: "FGHIJ67890", environment: .sandbox, topic: Scene.topic.text)
    #expect(await scene.client.stoppedRoutes.keys.map(\.self) == [route])
    isMended.withLock { $0 = true }
    await scene.client.resume(route)
    #expect(try await Self.outcome(scene).get().isAccepted)
    await scene.stop()
  }

  @Test("A route that gets no answers does not delay another")
  func slow() async throws {
    let scene = try await Scene { _, request, record in
      request["apns-topic"] == Scene.topic.text ? .silence : record.accept(request)
    }
    let slow = try Scene.pushes(1500).map { push in
      Task { try await scene.client.send(push, to: Scene.address()) }
    }
    try await HangGuard.wait(for: "a thousand requests") { scene.record.requests >= 1000 }
    #expect(try await Self.outcome(scene, topic: Self.other).get().isAccepted)
    // Shutting down ends each of them, those that were sent as perhaps delivered.
    await scene.stop()
    var sent = 0
    for task in slow {
      guard case .failure(let error as DeliveryError) = await task.result else { continue }
      #expect(error.cause == .shutDown)
      if error.mayBeDelivered { sent += 1 }
    }
    #expect(sent == 1000)
  }

  @Test("A cancelled push ends, and says whether it may have been delivered")
  func cancelled() async throws {
    let scene = try await Scene { _, _, _ in .silence }
    let push = try Scene.pushes(1)[0]
    let task = Task { try await scene.client.send(push, to: Scene.address()) }
    try await HangGuard.wait(for: "the push") { scene.record.requests == 1 }
    task.cancel()
    await #expect(throws: DeliveryError(cause: .cancelled, mayBeDelivered: true)) { try await task.value }
    await scene.stop()
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: false)) {
      try await scene.client.send(push, to: Scene.address())
    }
  }

  @Test("A graceful shutdown takes no new push, and waits for the answer of one that is on its way")
  func finishing() async throws {
    let gate = Mutex(false)
    let scene = try await Scene(clock: ManualClock(.now)) { _, request, record in
      while !gate.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
      return record.accept(request)
    }
    let pushes = try Scene.pushes(2)
    let first = Task { try await scene.client.send(pushes[0], to: Scene.address()) }
    try await HangGuard.wait(for: "the push") { scene.record.requests == 1 }
    let shutdown = Task { await scene.client.shutdown(finishingWithin: .seconds(60)) }
    // Until it has begun, a push would wait for its answer.
    try await HangGuard.wait(for: "the shutdown") {
      let late = Task {
        try await scene.client.send(AddressedPush(pushes[1], to: Scene.address(topic: Self.other)))
      }
      guard case .failure(let error as DeliveryError) = await late.result else { return false }
      return error.cause == .shutDown
    }
    gate.withLock { $0 = true }
    #expect(try await first.value.isAccepted)
    await shutdown.value
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: false)) {
      try await scene.client.send(pushes[1], to: Scene.address())
    }
    await scene.server.stop()
  }

  @Test("A graceful shutdown ends what has no answer in time")
  func finishingLate() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(clock: clock, configuration: Scene.patiently) { _, _, _ in .silence }
    let push = try Scene.pushes(1)[0]
    let first = Task { try await scene.client.send(push, to: Scene.address()) }
    try await HangGuard.wait(for: "the push") { scene.record.requests == 1 }
    let shutdown = Task { await scene.client.shutdown(finishingWithin: .seconds(60)) }
    let mover = Task {
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    await shutdown.value
    mover.cancel()
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: true)) { try await first.value }
    await scene.server.stop()
  }

  @Test("A graceful shutdown of an idle client ends at once")
  func finishingIdle() async throws {
    let scene = try await Scene(clock: ManualClock(.now)) { _, _, _ in .silence }
    await scene.client.shutdown(finishingWithin: .seconds(60))
    await scene.server.stop()
  }

  @Test("A push for another topic than the address is not sent")
  func wrongTopic() async throws {
    let scene = try await Scene { _, request, record in record.accept(request) }
    let push = try Scene.pushes(1)[0]
    await #expect(throws: DeliveryError(cause: .wrongTopic, mayBeDelivered: false)) {
      try await scene.client.send(push, to: Scene.address(topic: Self.other))
    }
    #expect(scene.record.requests == 0)
    await scene.stop()
  }

  @Test("Attempts are bounded, and the last answer is given")
  func attempts() async throws {
    let scene = try await Scene { configuration in
      configuration.retries.maximumAttempts = 3
    } script: { _, _, _ in
      Self.refusal(503, "ServiceUnavailable")
    }
    let response = try await Self.outcome(scene).get()
    #expect(response.reason == .serviceUnavailable && response.attempts == 3 && response.verdict == .keep)
    #expect(scene.record.requests == 3 && scene.client.metrics.retried == 2)
    await scene.stop()
  }

  @Test("That a connection was idle for too long costs no attempt: APNs did not look at the push")
  func idle() async throws {
    let scene = try await Scene { configuration in
      configuration.retries.maximumAttempts = 2
    } script: { number, request, record in
      switch number {
      case 1: Self.refusal(400, "IdleTimeout")
      case 2: Self.refusal(503, "ServiceUnavailable")
      default: record.accept(request)
      }
    }
    let response = try await Self.outcome(scene).get()
    #expect(response.isAccepted && response.attempts == 2)
    let metrics = scene.client.metrics
    #expect(metrics.sent == 2 && metrics.notProcessed == 1 && metrics.retried == 1)
    #expect(metrics.refused == [.idleTimeout: 1, .serviceUnavailable: 1] && metrics.connections == 2)
    await scene.stop()
  }

  @Test("Attempts without an answer are bounded, and counted as unknown")
  func unknown() async throws {
    let scene = try await Scene { configuration in
      configuration.retries.maximumAttempts = 3
    } script: { number, request, record in
      // Whoever goes on for ever is accepted some day.
      number > 10 ? record.accept(request) : .reset(code: HTTP2Code.internalError)
    }
    #expect(try await Self.outcome(scene) == .failure(DeliveryError(cause: .noAnswer, mayBeDelivered: true)))
    #expect(scene.record.requests == 3 && scene.client.metrics.unknown == 3)
    await scene.stop()
  }

  @Test("An acceptance after an attempt without an answer may be a duplicate, and says so")
  func duplicate() async throws {
    let scene = try await Scene { number, request, record in
      number == 1 ? .reset(code: HTTP2Code.internalError) : record.accept(request)
    }
    let response = try await Self.outcome(scene).get()
    #expect(response.isAccepted && response.mayBeDuplicate && response.attempts == 2)
    await scene.stop()
  }

  /// Takes the network's time limits away, for a clock that runs ahead of the network.
  private static func leaveTime(_ configuration: inout APNsConfiguration) {
    let long = Duration.seconds(1_000_000)
    configuration.retries.attemptTime = long
    configuration.connection.connectionTimeout = long
    configuration.connection.pingAfter = (long, long)
  }

  @Test("Waits are the policy's, on the clock that is given")
  func waits() async throws {
    let clock = ManualClock(.now)
    let times = Mutex<[Duration]>([])
    let scene = try await Scene(clock: clock) { configuration in
      configuration.retries = RetryPolicy()
      configuration.retries.jitter = 0
      configuration.retries.maximumAttempts = 4
      configuration.retries.totalTime = .seconds(1_000_000)
      Self.leaveTime(&configuration)
    } script: { number, request, record in
      times.withLock { $0.append(clock.uptime) }
      // Whoever goes on for ever is accepted some day.
      return number > 10 ? record.accept(request) : Self.refusal(429, "TooManyRequests")
    }
    let push = try Scene.pushes(1)[0]
    let task = Task { try await scene.client.send(push, to: Scene.address()) }
    try await HangGuard.wait(for: "four requests") {
      clock.advance(by: .milliseconds(100))
      return times.withLock(\.count) == 4
    }
    let mover = scene.mover(of: clock)
    #expect(try await task.value.attempts == 4)
    mover.cancel()
    let waits = times.withLock { times in zip(times, times.dropFirst()).map { $1 - $0 } }
    #expect(zip(waits, [Duration.seconds(1), .seconds(4), .seconds(16)]).allSatisfy { $0 >= $1 })
    await scene.stop()
  }

  @Test("A pause for too many tokens holds the route, and the push is sent when it is over")
  func paused() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(clock: clock) { configuration in
      configuration.retries.totalTime = .seconds(1_000_000)
      Self.leaveTime(&configuration)
    } script: { number, request, record in
      number == 1 ? Self.refusal(429, "TooManyProviderTokenUpdates") : record.accept(request)
    }
    let push = try Scene.pushes(1)[0]
    let task = Task { try await scene.client.send(push, to: Scene.address()) }
    try await HangGuard.wait(for: "an answer") { scene.client.metrics.sent == 1 }
    try await HangGuard.wait(for: "another request") {
      clock.advance(by: .seconds(5))
      return scene.record.requests == 2
    }
    #expect(try await task.value.isAccepted)
    #expect(clock.uptime >= .seconds(20 * 60))
    await scene.stop()
  }

  @Test(
    "A server that is not to be trusted gets nothing, and the push ends with why",
    arguments: UntrustedServer.all)
  func untrusted(_ server: UntrustedServer) async throws {
    let clock = ManualClock(.now)
    let scene = try await LossTests.scene(
      clock, identity: server.identity, offersHTTP2: server.offersHTTP2
    ) { configuration in
      configuration.retries.totalTime = .seconds(10)
    } script: { _, request, record in
      record.accept(request)
    }
    let task = Task { try await Self.outcome(scene) }
    try await HangGuard.wait(for: "a refusal") { scene.client.metrics.failedConnections > 0 }
    clock.advance(by: .seconds(10))
    switch try await task.value {
    case .failure(let error):
      guard case .noConnection(let reason) = error.cause, !error.mayBeDelivered else { throw error }
      #expect(reason.contains(server.reason))
    case .success: Issue.record("accepted")
    }
    #expect(scene.record.requests == 0)
    await scene.stop()
  }

  @Test("Memory is bounded: no more are read than may be on their way")
  func places() async throws {
    let scene = try await Scene { _, _, _ in .silence }
    let push = try Scene.pushes(1)[0]
    let read = Mutex(0)
    let jobs = AsyncStream<AddressedPush> {
      read.withLock { $0 += 1 }
      return AddressedPush(push, to: Scene.address())
    }
    let task = Task { for await _ in scene.client.send(jobs, atATime: 10) {} }
    try await HangGuard.wait(for: "ten requests") { scene.record.requests >= 10 }
    task.cancel()
    await task.value
    #expect(read.withLock(\.self) <= 11)
    await scene.stop()
  }
}
