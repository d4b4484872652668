import PushCore
import PushDelivery
import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// Answers of servers that are not APNs, and answers of APNs that say less than they should.
@Suite(.hangGuard) struct StrangerTests {
  private static func send(
    _ scene: Scene, isProven: Bool = true
  ) async throws -> Result<APNsResponse, DeliveryError> {
    let push = AddressedPush(try Scene.pushes(1)[0], to: Scene.address(), isProven: isProven)
    do throws(DeliveryError) {
      return .success(try await scene.client.send(push))
    } catch {
      return .failure(error)
    }
  }

  /// An answer that names its server.
  private static func answer(_ status: Int, _ body: String, id: String? = nil) -> HTTP2ServerAnswer {
    var fields = [HTTPField(name: "server", value: "nginx")]
    if let id { fields.append(HTTPField(name: "apns-id", value: id)) }
    return .response(HTTP2Response(status: status, fields: fields, body: Array(body.utf8)))
  }

  @Test(
    "An answer without APNs' reason or the message's ID is not APNs', and stops the route",
    arguments: [
      (200, ""), (204, ""), (301, ""), (404, "<html>Not Found</html>"), (407, ""), (408, ""), (410, ""),
      (410, "<html>Gone</html>"), (410, #"{"reason":"Gone","timestamp":1700000000000}"#), (421, "{}"),
      (400, #"{"reason":"bad-request"}"#), (403, "<html>Forbidden</html>"),
    ])
  func stranger(status: Int, body: String) async throws {
    let scene = try await Scene { _, _, _ in Self.answer(status, body) }
    let missing = status < 300 ? "an apns-id" : "one of APNs' reasons"
    let cause = DeliveryError.Cause.notAPNs("status \(status) without \(missing), from the server 'nginx'")
    // A success may mean that somebody behind the server has the push.
    #expect(
      try await Self.send(scene) == .failure(DeliveryError(cause: cause, mayBeDelivered: status < 300)))
    // Nothing more is sent until somebody has looked.
    #expect(try await Self.send(scene) == .failure(DeliveryError(cause: cause, mayBeDelivered: false)))
    #expect(scene.record.requests == 1)
    await scene.client.resume(try #require(await scene.client.stoppedRoutes.keys.first))
    _ = try await Self.send(scene)
    #expect(scene.record.requests == 2)
    await scene.stop()
  }

  @Test("A server's name that no log should have is left out")
  func serverName() async throws {
    let scene = try await Scene { _, _, _ in
      let name = String(repeating: "x", count: 65)
      return .response(
        HTTP2Response(status: 404, fields: [HTTPField(name: "server", value: name)], body: []))
    }
    let cause = DeliveryError.Cause.notAPNs("status 404 without one of APNs' reasons")
    #expect(
      try await Self.send(scene) == .failure(DeliveryError(cause: cause, mayBeDelivered: false)))
    await scene.stop()
  }

  @Test("What a gateway cannot reach now is sent again", arguments: [429, 500, 502, 503])
  func gateway(status: Int) async throws {
    let clock = ManualClock(.now)
    let scene = try await LossTests.scene(clock) { number, request, record in
      number == 1 ? Self.answer(status, "<html></html>") : record.accept(request)
    }
    let mover = scene.mover(of: clock)
    let response = try await Self.send(scene).get()
    mover.cancel()
    #expect(response.isAccepted && response.attempts == 2 && !response.mayBeDuplicate)
    #expect(scene.client.metrics.refused == [APNsReason(rawValue: "\(status)"): 1])
    await scene.stop()
  }

  @Test(
    "410 with APNs' reason and no whole timestamp removes no token",
    arguments: ["", #","timestamp":1.5"#, #","timestamp":"1700000000000""#, #","timestamp":null"#])
  func withoutTime(member: String) async throws {
    for reason in ["Unregistered", "ExpiredToken"] {
      let scene = try await Scene { _, _, _ in Self.answer(410, #"{"reason":"\#(reason)"\#(member)}"#) }
      #expect(try await Self.send(scene).get().verdict == .quarantineDevice)
      await scene.stop()
    }
  }

  @Test("410 with both removes it")
  func withTime() async throws {
    let scene = try await Scene { _, _, _ in
      Self.answer(410, #"{"reason":"Unregistered","timestamp":1700000000000}"#)
    }
    let response = try await Self.send(scene).get()
    #expect(response.verdict == .removeToken && response.unregisteredAt?.seconds == 1_700_000_000)
    await scene.stop()
  }

  @Test("A reason that is not in Apple's table is APNs' if the message's ID is there, and removes no token")
  func newReason() async throws {
    let scene = try await Scene { _, request, _ in
      Self.answer(410, #"{"reason":"Moved","timestamp":1700000000000}"#, id: request["apns-id"])
    }
    let response = try await Self.send(scene).get()
    #expect(response.reason == APNsReason(rawValue: "Moved") && response.verdict == .discard)
    await scene.stop()
  }

  @Test("Another client's answer without a reason says nothing about the push or the device")
  func otherClient() {
    for status in [301, 404, 410, 421] { #expect(APNsResponse(status: status).verdict == .keep) }
    #expect(APNsResponse(status: 404, reason: .badPath).verdict == .discard)
    #expect(APNsResponse(status: 200).verdict == .accepted)
  }

  // MARK: Equal refusals

  /// A scene whose APNs refuses each push but those with the numbers in `accepted`.
  private static func refusing(
    _ reason: @escaping @Sendable (Int) -> String, butFor accepted: Set<Int> = []
  ) async throws -> Scene {
    try await Scene { configuration in
      configuration.retries.equalRefusalsInARow = 3
    } script: { number, request, record in
      accepted.contains(number) ? record.accept(request) : LossTests.answer(400, reason(number))
    }
  }

  @Test("Many pushes in a row that are refused alike stop the route until one is accepted")
  func equalRefusals() async throws {
    let scene = try await Self.refusing({ _ in "TopicDisallowed" }, butFor: [5])
    for _ in 1...2 { #expect(try await Self.send(scene).get().verdict == .discard) }
    let error = DeliveryError(cause: .equalRefusals(.topicDisallowed, inARow: 3), mayBeDelivered: false)
    #expect(try await Self.send(scene) == .failure(error))
    #expect(try await Self.send(scene) == .failure(error))
    #expect(
      scene.record.requests == 3 && error.description.contains("3 pushes in a row with TopicDisallowed"))
    let route = try #require(await scene.client.stoppedRoutes.keys.first)
    // As long as nothing has changed, one push finds that out, and is kept as well.
    await scene.client.resume(route)
    let again = DeliveryError(cause: .equalRefusals(.topicDisallowed, inARow: 4), mayBeDelivered: false)
    #expect(try await Self.send(scene) == .failure(again))
    await scene.client.resume(route)
    #expect(try await Self.send(scene).get().isAccepted)
    // It counts anew.
    #expect(try await Self.send(scene).get().verdict == .discard)
    await scene.stop()
  }

  @Test("Pushes that are on their way when the route stops are kept as well")
  func onTheirWay() async throws {
    let scene = try await Self.refusing { _ in "InvalidPushType" }
    let sent = await scene.client.send(
      try Scene.pushes(50).map { AddressedPush($0, to: Scene.address(), isProven: true) })
    #expect(sent.count { (try? $0.result.get()) != nil } == 2)
    await scene.stop()
  }

  @Test("Pushes that are refused for different reasons stop nothing")
  func differentRefusals() async throws {
    let scene = try await Self.refusing { $0.isMultiple(of: 3) ? "BadCollapseId" : "PayloadTooLarge" }
    for _ in 1...9 { #expect(try await Self.send(scene).get().verdict == .discard) }
    await scene.stop()
  }

  @Test("Pushes to addresses that nobody has proven stop nothing, however they are refused")
  func unproven() async throws {
    let scene = try await Self.refusing { _ in "BadTopic" }
    for _ in 1...9 { #expect(try await Self.send(scene, isProven: false).get().verdict == .discard) }
    await scene.stop()
  }
}
