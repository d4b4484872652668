import PushDelivery
import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// What stops a route, and what then becomes of its pushes.
@Suite(.hangGuard) struct StopTests {
  private static func send(_ scene: Scene) async throws -> Result<APNsResponse, DeliveryError> {
    let push = try Scene.pushes(1)[0]
    do throws(DeliveryError) {
      return .success(try await scene.client.send(push, to: Scene.address()))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "Many refused devices in a row stop the route, and the error says so",
    arguments: [APNsReason.badDeviceToken, .deviceTokenNotForTopic])
  func badDevices(reason: APNsReason) async throws {
    let scene = try await Scene { configuration in
      configuration.retries.badDevicesInARow = 3
    } script: { _, _, _ in
      LossTests.answer(400, reason.rawValue)
    }
    for _ in 1...3 { #expect(try await Self.send(scene).get().reason == reason) }
    let error = DeliveryError(cause: .badDevices(reason, inARow: 3), mayBeDelivered: false)
    #expect(try await Self.send(scene) == .failure(error))
    #expect(error.description.contains("refused 3 devices in a row with \(reason)"))
    #expect(scene.record.requests == 3)
    let stopped = await scene.client.stoppedRoutes
    #expect(stopped.count == 1 && stopped.values.first == reason)
    // One who knows better may go on, and the count begins anew.
    await scene.client.resume(try #require(stopped.keys.first))
    for _ in 1...3 { #expect(try await Self.send(scene).get().reason == reason) }
    #expect(try await Self.send(scene) == .failure(error))
    await scene.stop()
  }

  @Test(
    "Refused devices among others stop nothing", arguments: ["accepted", "no longer valid", "no limit"])
  func badDevicesAmongOthers(kind: String) async throws {
    let scene = try await Scene { configuration in
      configuration.retries.badDevicesInARow = kind == "no limit" ? nil : 3
    } script: { number, request, record in
      guard number.isMultiple(of: 3), kind != "no limit" else {
        return LossTests.answer(400, "BadDeviceToken")
      }
      if kind == "accepted" { return record.accept(request) }
      let body = #"{"reason":"Unregistered","timestamp":1700000000000}"#
      return .response(HTTP2Response(status: 410, body: Array(body.utf8)))
    }
    for _ in 1...9 { _ = try await Self.send(scene).get() }
    #expect(scene.record.requests == 9)
    #expect(await scene.client.stoppedRoutes.isEmpty)
    await scene.stop()
  }

  @Test("Refused devices that only claim their address stop nothing, and are not counted with others")
  func unprovenDevices() async throws {
    let scene = try await Scene { configuration in
      configuration.retries.badDevicesInARow = 3
    } script: { _, _, _ in
      LossTests.answer(400, "BadDeviceToken")
    }
    let push = AddressedPush(try Scene.pushes(1)[0], to: Scene.address(), isProven: false)
    for _ in 1...2 { _ = try await Self.send(scene).get() }
    for _ in 1...4 { #expect(try await scene.client.send(push).reason == .badDeviceToken) }
    #expect(await scene.client.stoppedRoutes.isEmpty)
    _ = try await Self.send(scene).get()
    #expect(await scene.client.stoppedRoutes.count == 1)
    await scene.stop()
  }

  @Test("A route that stops ends the pushes that wait for another attempt")
  func waiting() async throws {
    let scene = try await LossTests.scene(ManualClock(.now)) { number, _, _ in
      number == 1 ? LossTests.answer(503, "Shutdown") : LossTests.answer(403, "InvalidProviderToken")
    }
    let first = Task { try await Self.send(scene) }
    try await HangGuard.wait(for: "an answer") { scene.client.metrics.sent == 1 }
    #expect(try await Self.send(scene).get().reason == .invalidProviderToken)
    let stopped = DeliveryError(cause: .routeStopped(.invalidProviderToken), mayBeDelivered: false)
    #expect(try await first.value == .failure(stopped))
    await scene.stop()
  }

  @Test("Shutting down ends the pushes of a connection to which the server said goodbye")
  func shutdownOfGoodbye() async throws {
    let clock = ManualClock(.now)
    let scene = try await LossTests.scene(clock) { number, request, record in
      guard number == 1 else { return record.accept(request) }
      await request.connection.goAway()
      return .silence
    }
    let first = Task { try await Self.send(scene) }
    try await HangGuard.wait(for: "the first request") { scene.record.requests == 1 }
    let mover = scene.mover(of: clock)
    // There is another connection as soon as the goodbye has come.
    while scene.client.metrics.connections < 2 { #expect(try await Self.send(scene).get().isAccepted) }
    mover.cancel()
    scene.client.shutdown()
    #expect(try await first.value == .failure(DeliveryError(cause: .shutDown, mayBeDelivered: true)))
    await scene.server.stop()
  }
}
