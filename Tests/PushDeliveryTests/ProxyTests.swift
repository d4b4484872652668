import PushCore
import PushDelivery
import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// A client that reaches its server through a proxy.
@Suite(.hangGuard) struct ProxyTests {
  /// A name that no resolver knows (RFC 6761, 6.4), and that the proxy takes for the server's.
  private static let host = "apns.invalid"

  private static let identity = Scene.authority.identity(for: CertificateSubject(hosts: [host]))

  /// What a client reports of its connections.
  private final class Troubles: Sendable {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock(\.self) }

    func note(_ event: DeliveryEvent) {
      if case .connectionFailed(let reason, _) = event { state.withLock { $0.append(reason) } }
    }
  }

  /// A scene whose client goes through a proxy; the URL's host and port are the proxy's.
  private static func scene(
    through proxy: LoopbackProxy, user: String = "", clock: ManualClock = ManualClock(.now),
    configuration change: (inout APNsConfiguration) -> Void = { _ in },
    report: (@Sendable (DeliveryEvent) -> Void)? = nil
  ) async throws -> Scene {
    let url = "http://\(user)127.0.0.1:\(proxy.port)"
    let through = try HTTPProxy(url: url)
    return try await Scene(
      clock: clock, identity: identity,
      configuration: { configuration in
        Scene.patiently(&configuration)
        configuration.servers = configuration.servers.mapValues { .init(host: host, port: $0.port) }
        configuration.proxy = through
        change(&configuration)
      }, report: report
    ) { _, request, record in record.accept(request) }
  }

  /// A proxy that leads every request to the port that the request names.
  private static func proxy(
    _ refusal: @escaping @Sendable (_ number: Int, _ request: String) -> LoopbackProxy.Answer? = { _, _ in nil
    }
  ) throws -> LoopbackProxy {
    let count = Mutex(0)
    return try LoopbackProxy { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      let port = request.firstMatch(of: /^CONNECT apns\.invalid:([0-9]+)\b/).flatMap { UInt16($0.1) }
      let open = port.map { LoopbackProxy.Answer.tunnel(to: $0) }
      return refusal(number, request) ?? open ?? .close(saying: "HTTP/1.1 403\r\n\r\n")
    }
  }

  @Test("Many pushes go through one tunnel, and each is answered")
  func delivered() async throws {
    let proxy = try Self.proxy()
    let scene = try await Self.scene(through: proxy)
    let pushes = try Scene.pushes(50)
    let results = await scene.deliver(pushes)
    #expect(results.allSatisfy { $0.result.isAccepted } && results.count == 50)
    #expect(scene.record.duplicates == 0 && scene.client.metrics.connections == 1)
    #expect(proxy.requests.count == 1)
    await scene.stop()
    proxy.stop()
  }

  @Test(
    "A proxy is told the user and the password, percent-decoded, in Base64",
    arguments: [
      // The vector of RFC 7617, 2, and that of its 2.1, in UTF-8.
      ("Aladdin:open%20sesame@", "QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test:123%C2%A3@", "dGVzdDoxMjPCow=="),
      ("a@", "YTo="), (":b@", "OmI="), ("a:b@", "YTpi"), ("a:b:c@", "YTpiOmM="),
      ("a:%3e%3F%40%2f%ff%fE@", "YTo+P0Av//4="),
      ("ijklmnopqrstuvwxyz:0189@", "aWprbG1ub3BxcnN0dXZ3eHl6OjAxODk="),
    ])
  func credentials(user: String, encoded: String) async throws {
    let proxy = try Self.proxy()
    let scene = try await Self.scene(through: proxy, user: user)
    #expect(await scene.deliver(try Scene.pushes(1)).allSatisfy { $0.result.isAccepted })
    #expect(proxy.requests[0].hasSuffix("\r\nProxy-Authorization: Basic \(encoded)\r\n\r\n"))
    await scene.stop()
    proxy.stop()
  }

  @Test("What a proxy refuses is not delivered, and says so with the status and without the password")
  func refused() async throws {
    let proxy = try Self.proxy { _, _ in .close(saying: "HTTP/1.1 407 no\r\n\r\n") }
    let clock = ManualClock(.now)
    let troubles = Troubles()
    let scene = try await Self.scene(
      through: proxy, user: "hidden:secret@", clock: clock,
      configuration: { $0.retries.totalTime = .seconds(60) }, report: troubles.note)
    let results = await scene.deliver(try Scene.pushes(1), moving: clock)
    let place = "127.0.0.1:\(proxy.port)"
    let text = "the proxy \(place) refuses the user or the password (status 407)"
    #expect(throws: DeliveryError(cause: .noConnection(text), mayBeDelivered: false)) {
      try results[0].result.get()
    }
    #expect(Set(troubles.all) == [text])
    // The push has ended; the last attempt to connect may end after it.
    try await HangGuard.wait(for: "the count of all attempts") {
      scene.client.metrics.failedConnections == proxy.requests.count
    }
    #expect(scene.record.requests == 0)
    await scene.stop()
    proxy.stop()
  }

  @Test("A push waits for a proxy that comes back, and is delivered once")
  func comesBack() async throws {
    let proxy = try Self.proxy { number, _ in
      number < 4 ? .close(saying: ["", "garbage\r\n", "HTTP/1.1 503\r\n\r\n"][number - 1]) : nil
    }
    let clock = ManualClock(.now)
    let scene = try await Self.scene(through: proxy, clock: clock)
    let results = await scene.deliver(try Scene.pushes(3), moving: clock)
    #expect(results.allSatisfy { $0.result.isAccepted } && scene.record.requests == 3)
    #expect(scene.client.metrics.failedConnections == 3)
    await scene.stop()
    proxy.stop()
  }

  @Test("A server that is excepted is reached without the proxy")
  func excepted() async throws {
    let proxy = try Self.proxy()
    let scene = try await Self.scene(
      through: proxy,
      configuration: { configuration in
        configuration.proxyExceptions = ProxyExceptions("invalid")
        // The certificate's name, and where it is.
        configuration.servers = configuration.servers.mapValues {
          .init(host: Self.host, port: $0.port, address: "127.0.0.1")
        }
      })
    #expect(await scene.deliver(try Scene.pushes(1)).allSatisfy { $0.result.isAccepted })
    #expect(proxy.requests.isEmpty)
    await scene.stop()
    proxy.stop()
  }

  @Test("Shutting down ends an attempt that waits for the proxy")
  func shutdown() async throws {
    let proxy = try Self.proxy { _, _ in .stall(saying: "HTTP/1.1 200") }
    let scene = try await Self.scene(through: proxy)
    let push = try Scene.pushes(1)[0]
    let task = Task { try await scene.client.send(push, to: Scene.address()) }
    try await HangGuard.wait(while: proxy.requests.isEmpty)
    scene.client.shutdown()
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: false)) { try await task.value }
    try await HangGuard.wait(while: proxy.ended == 0)
    await scene.stop()
    proxy.stop()
  }
}
