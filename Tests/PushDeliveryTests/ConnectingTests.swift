import Glibc
import PushDelivery
import PushCore
@testable import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// How a route gets its connection, and how long it waits.
@Suite(.hangGuard) struct ConnectingTests {
  @Test("Shutting down ends an attempt to connect")
  func shutdown() async throws {
    // Its system takes the connection, and nobody shakes hands.
    let address = try await Resolver.shared.answer(for: "127.0.0.1", port: 0).get()[0]
    let listener = try Socket.listening(at: address)
    var configuration = Scene.configuration(port: try listener.port())
    Scene.patiently(&configuration)
    let client = try APNsClient(
      token: Scene.token(), configuration: configuration, clock: ManualClock(.now))
    let push = try Scene.pushes(1)[0]
    let task = Task { try await client.send(push, to: Scene.address()) }
    var accepted: Socket?
    try await HangGuard.wait(for: "a connection") {
      accepted = try listener.accept()
      return accepted != nil
    }
    client.shutdown()
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: false)) { try await task.value }
    let socket = try #require(accepted)
    var bytes = [UInt8](repeating: 0, count: 4096)
    // What it said comes first, then its end.
    try await HangGuard.wait(for: "the end of the connection") {
      let count = unsafe recv(socket.number, &bytes, bytes.count, CInt(MSG_DONTWAIT))
      return count == 0 || count < 0 && errno != EAGAIN
    }
  }

  @Test(
    "A client takes no host that cannot be one, and says why",
    arguments: ["", ".example.com", "push example", "a/b", "a\0b"])
  func invalidHost(host: String) throws {
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: host)
    #expect(configuration.servers[.sandbox]?.isValid == false)
    let error = #expect(throws: ConfigurationError.self) {
      try APNsClient(token: Scene.token(), configuration: configuration)
    }
    #expect(error.map { "\($0)" } == "servers[sandbox]: must be at a name or an IP address")
  }

  @Test("With a server for one environment, nothing goes to Apple's server of the other one")
  func otherEnvironment() async throws {
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: 1)
    let client = try APNsClient(
      token: Scene.token(), configuration: configuration, clock: ManualClock(.now))
    let push = try Scene.pushes(1)[0]
    await #expect(throws: DeliveryError(cause: .noServer(.production), mayBeDelivered: false)) {
      try await client.send(push, to: Scene.address(.production))
    }
    #expect(client.metrics.failedConnections == 0)
    client.shutdown()
  }

  @Test("The waits between attempts to connect grow to a minute")
  func backOff() async throws {
    let clock = ManualClock(.now)
    let scene = try await LossTests.scene(clock) { configuration in
      configuration.retries.jitter = 0
    } script: { _, request, record in
      record.accept(request)
    }
    await scene.server.stop()
    let push = try Scene.pushes(1)[0]
    let task = Task { try await scene.client.send(push, to: Scene.address()) }
    var times: [Duration] = []
    for count in 1...7 {
      try await HangGuard.wait(for: "attempt \(count)") {
        clock.advance(by: .milliseconds(100))
        return scene.client.metrics.failedConnections >= count
      }
      times.append(clock.uptime)
    }
    let waits = zip(times, times.dropFirst()).map { $1 - $0 }
    let shortest = [1, 4, 16, 60, 60, 60].map { Duration.seconds($0) }
    // Each is a little longer, for the time of the attempt; without a limit, the last one were 1024 seconds.
    #expect(zip(waits, shortest).allSatisfy { $0 >= $1 - .milliseconds(200) }, "\(waits)")
    #expect(try #require(waits.last) < .seconds(600), "\(waits)")
    scene.client.shutdown()
    _ = await task.result
  }

  @Test("Refusals do not make a push whose time is almost up go round and round")
  func end() async throws {
    let scene = try await LossTests.scene(ManualClock(.now)) { configuration in
      // Less than the shortest wait.
      configuration.retries.totalTime = .milliseconds(5)
    } script: { number, request, record in
      number > 100 ? record.accept(request) : .reset(code: HTTP2Code.refusedStream)
    }
    let push = try Scene.pushes(1)[0]
    await #expect(throws: DeliveryError(cause: .noAnswer, mayBeDelivered: false)) {
      try await scene.client.send(push, to: Scene.address())
    }
    #expect(scene.record.requests == 1)
    await scene.stop()
  }

  @Test(
    "Retry-After is a number of seconds or a date, and at most a day",
    arguments: [
      ("7", 7), ("0", 0), ("86401", 86_400), ("99999999999999999999", 86_400),
      ("Sun, 06 Nov 1994 08:49:37 GMT", 90), ("Sun, 06 Nov 1994 08:48:07 GMT", 0),
      ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("Thu, 29 Feb 2096 00:00:00 GMT", 86_400),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("06 Nov 1994 08:49:37 GMT", nil), ("-1", nil), ("soon", nil),
      ("Sun, 06 Nov 1994 25:49:37 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
    ] as [(String, Int64?)])
  func retryAfter(text: String, seconds: Int64?) async throws {
    let clock = ManualClock(UnixTime(clamping: 784_111_777 - 90))
    let scene = try await LossTests.scene(clock) { configuration in
      configuration.retries.maximumAttempts = 1
    } script: { _, _, _ in
      LossTests.answer(503, "Shutdown", [HTTPField(name: "retry-after", value: text)])
    }
    let push = try Scene.pushes(1)[0]
    let response = try await scene.client.send(push, to: Scene.address())
    #expect(response.retryAfter == seconds.map { .seconds($0) })
    await scene.stop()
  }

  @Test("A push is sent again no sooner than Retry-After asks")
  func retryAfterDate() async throws {
    let clock = ManualClock(UnixTime(clamping: 784_111_777 - 90))
    let scene = try await LossTests.scene(clock) { number, request, record in
      guard number == 1 else { return record.accept(request) }
      return LossTests.answer(
        503, "Shutdown", [HTTPField(name: "retry-after", value: "Sun, 06 Nov 1994 08:49:37 GMT")])
    }
    let push = try Scene.pushes(1)[0]
    let mover = scene.mover(of: clock)
    #expect(try await scene.client.send(push, to: Scene.address()).isAccepted)
    mover.cancel()
    #expect(clock.uptime >= .seconds(90))
    await scene.stop()
  }
}
