import PushTesting
import TestSupport
import Testing

@testable import PushNetwork

/// A connection through a proxy, whatever the proxy does.
@Suite(.hangGuard) struct TunnelTests {
  /// A name that only the proxy knows.
  private static let host = "apns.example"

  private static let identity = TestServer.authority.identity(for: CertificateSubject(hosts: [host]))

  private struct Password: TunnelCredentials {
    func withAuthorization(_ use: (Span<UInt8>) -> Void) { use(Array("Basic hidden".utf8).span) }
  }

  /// The way through a proxy of this machine.
  private static func way(
    _ proxy: LoopbackProxy, _ credentials: (any TunnelCredentials)? = nil
  ) -> TunnelProxy {
    TunnelProxy(host: "127.0.0.1", port: proxy.port, credentials: credentials)
  }

  /// Why there is no connection through a proxy; nil if there is one, which is then closed.
  private static func error(
    through proxy: LoopbackProxy, credentials: (any TunnelCredentials)? = nil,
    context: TLSContext = TLSContext(trusting: .system), clock: any PushClock = ManualClock(.now)
  ) async -> HTTP2Error? {
    do throws(HTTP2Error) {
      let connection = try await HTTP2Connection.connect(
        to: HTTP2Endpoint(host: host),
        through: way(proxy, credentials),
        context: context, clock: clock)
      await connection.close()
      return nil
    } catch {
      return error
    }
  }

  /// Why there is no connection through a proxy that answers this.
  private static func fault(_ answer: LoopbackProxy.Answer) async throws -> TunnelError.Fault? {
    let proxy = try LoopbackProxy { _ in answer }
    defer { proxy.stop() }
    guard case .tunnel(let error) = await error(through: proxy) else { return nil }
    #expect(error.proxy == "127.0.0.1:\(proxy.port)")
    return error.fault
  }

  // MARK: What goes through

  @Test(
    "Whatever 2xx a proxy answers, in whatever pieces, the server is asked through it",
    arguments: [
      ["HTTP/1.1 200 Connection established\r\n\r\n"],
      ["HTTP/1.0 200 \r\n\r\n"], ["HTTP/1.1 299\r\n\r\n"],
      ["HTTP/1.1 200 OK\r\nVia: 1.1 \u{fc}\r\nContent-Length: 7\r\nX:\r\n\r\n"],
      ["HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "x", count: 8000) + "\r\n\r\n"],
      "HTTP/1.1 200 OK\r\nProxy-Agent: slow\r\n\r\n".map { String($0) },
    ])
  func answers(texts: [String]) async throws {
    let server = try await TestServer(identity: Self.identity) { request in
      .response(HTTP2Response(status: 200, body: request.body))
    }
    let proxy = try LoopbackProxy { [port = server.server.port] _ in .tunnel(to: port, saying: texts) }
    let connection = try await HTTP2Connection.connect(
      to: HTTP2Endpoint(host: Self.host, port: 2197), through: Self.way(proxy),
      context: server.clientContext, clock: ManualClock(.now))
    let body = (0..<50_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try await connection.outcome(HTTP2Request(path: "/", body: body)).get().body == body)
    #expect(proxy.requests == ["CONNECT apns.example:2197 HTTP/1.1\r\nHost: apns.example:2197\r\n\r\n"])
    await connection.close()
    await server.server.stop()
    proxy.stop()
  }

  @Test("The proxy is told the address to connect to, and the certificate must have the host's name")
  func address() async throws {
    let server = try await TestServer(identity: Self.identity) { _ in .silence }
    let proxy = try LoopbackProxy(to: server.server.port)
    let connection = try await HTTP2Connection.connect(
      to: HTTP2Endpoint(host: Self.host, address: "2001:db8::7"),
      through: TunnelProxy(host: "localhost", port: proxy.port), context: server.clientContext,
      clock: ManualClock(.now))
    #expect(proxy.requests.map { $0.hasPrefix("CONNECT [2001:db8::7]:443 HTTP/1.1\r\n") } == [true])
    await connection.close()
    await server.server.stop()
    proxy.stop()
  }

  @Test("A proxy that leads to another server is noticed by the certificate")
  func otherServer() async throws {
    let server = try await TestServer { _ in .silence }
    let proxy = try LoopbackProxy(to: server.server.port)
    #expect(
      await Self.error(through: proxy, context: server.clientContext)
        == .tls(.certificate("hostname mismatch")))
    await server.server.stop()
    proxy.stop()
  }

  @Test("A ping goes through the tunnel, and one without an answer ends the connection")
  func ping() async throws {
    let raw = try await RawServer(identity: Self.identity)
    let clock = ManualClock(.now)
    let proxy = try LoopbackProxy(to: raw.endpoint.port)
    let (client, server) = try await raw.connection(
      to: HTTP2Endpoint(host: Self.host), through: Self.way(proxy),
      clock: clock)
    // Whatever is heard once the clock has moved puts the ping off.
    try await server.send(RawPeer.frame(.settings))
    for _ in 0..<2 { _ = try await server.next(.settings) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(3600))
    let ping = try #require(try await server.next(.ping))
    try await server.send(
      RawPeer.frame(.settings) + RawPeer.frame(.ping, flags: RawPeer.acknowledges, ping.payload))
    _ = try await server.next(.settings)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await clock.waitForSleepers()
    #expect(client.isAvailable)
    clock.advance(by: .seconds(3600))
    _ = try #require(try await server.next(.ping))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await client.waitUntilClosed()
    proxy.stop()
  }

  @Test("What follows the proxy's answer stays for the server's part")
  func nothingLost() async throws {
    let proxy = try LoopbackProxy { _ in .close(saying: "HTTP/1.1 200 OK\r\n\r\nhello") }
    let address = try await Resolver.shared.answer(for: "127.0.0.1", port: proxy.port).get()[0]
    let socket = try Socket.connecting(to: address)
    var tunnel = Tunnel(
      to: HTTP2Endpoint(host: Self.host), through: Self.way(proxy))
    try await HangGuard.wait(for: "the answer") { (try? tunnel.proceed(over: socket)) == .some(nil) }
    var bytes: [UInt8] = []
    try await HangGuard.wait(for: "the end") {
      guard let more = try socket.peek(atMost: 100) else { return false }
      try socket.take(more.count)
      bytes += more
      return more.isEmpty
    }
    #expect(bytes == Array("hello".utf8))
    proxy.stop()
  }

  // MARK: What does not

  @Test(
    "An answer that is none of HTTP/1.1 is noticed at once",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n",
      "http/1.1 200 OK\r\n\r\n",
      "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\n", "HTTP/1.1 200 OK\rX", "HTTP/1.1  200 OK\r\n\r\n",
      "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 \u{661}00 OK\r\n\r\n",
      "HTTP/1.1 000 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 200 \u{0}\r\n\r\n",
      "HTTP/1.1 200 OK\r\nno field\r\n\r\n", "HTTP/1.1 200 OK\r\nX: 1\r\n folded\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX : 1\r\n\r\n", "HTTP/1.1 200 OK\r\n: 1\r\n\r\n",
      "\u{16}\u{3}\u{1}",
    ])
  func malformed(text: String) async throws {
    #expect(try await Self.fault(.close(saying: text)) == .malformed)
  }

  @Test(
    "Another status is an error that has the status",
    arguments: [("100 Continue", 100), ("302 Found", 302), ("403 No", 403), ("503", 503), ("999 ", 999)])
  func status(line: String, status: Int) async throws {
    #expect(try await Self.fault(.stall(saying: "HTTP/1.1 \(line)\r\n\r\n")) == .status(status))
  }

  @Test("A proxy wants credentials, or refuses them", arguments: [401, 407])
  func credentials(status: Int) async throws {
    let proxy = try LoopbackProxy { _ in
      .close(saying: "HTTP/1.1 \(status) no\r\nProxy-Authenticate: Basic\r\n\r\n")
    }
    let place = "127.0.0.1:\(proxy.port)"
    #expect(
      await Self.error(through: proxy)
        == .tunnel(TunnelError(.credentialsNeeded(status: status), proxy: place)))
    #expect(!proxy.requests[0].contains("Proxy-Authorization"))
    #expect(
      await Self.error(through: proxy, credentials: Password())
        == .tunnel(TunnelError(.credentialsRefused(status: status), proxy: place)))
    #expect(proxy.requests[1].hasSuffix("\r\nProxy-Authorization: Basic hidden\r\n\r\n"))
    proxy.stop()
  }

  @Test("A head of 8 KiB is read, and not a byte more")
  func endless() async throws {
    let start = "HTTP/1.1 200 OK\r\nX: "
    #expect(try await Self.fault(.endless(start, "x")) == .tooLarge)
    #expect(try await Self.fault(.endless("HTTP/1.1 200 ", "OK")) == .tooLarge)
    #expect(try await Self.fault(.endless("HTTP/1.1 200 OK\r\n", "X: 1\r\n")) == .tooLarge)
    let rest = TunnelAnswer.maximumSize - start.utf8.count - 4
    let whole = start + String(repeating: "x", count: rest) + "\r\n\r\n"
    var answer = TunnelAnswer()
    #expect(try answer.read(Array((whole + "more").utf8)) == TunnelAnswer.maximumSize)
    #expect(answer.status == 200)
    var long = TunnelAnswer()
    #expect(throws: TunnelError.Fault.tooLarge) {
      _ = try long.read(Array((start + "x" + whole.dropFirst(start.count)).utf8))
    }
  }

  @Test(
    "A proxy that closes before it has answered is named",
    arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n\r"])
  func closed(text: String) async throws { #expect(try await Self.fault(.close(saying: text)) == .closed) }

  @Test("A proxy that closes the tunnel at once is no proxy's error, but the server's end")
  func closedTunnel() async throws {
    let proxy = try LoopbackProxy { _ in .close(saying: "HTTP/1.1 200 OK\r\n\r\n") }
    #expect(await Self.error(through: proxy) == .tls(.closed))
    proxy.stop()
  }

  @Test("A proxy on whose port nobody listens is named")
  func refused() async throws {
    let port = try LoopbackProxy.closedPort()
    await #expect(
      throws: HTTP2Error.tunnel(
        TunnelError(.socket(SocketError("connect", errno: 111)), proxy: "127.0.0.1:\(port)"))
    ) {
      _ = try await HTTP2Connection.connect(
        to: HTTP2Endpoint(host: Self.host), through: TunnelProxy(host: "127.0.0.1", port: port),
        context: TLSContext(trusting: .system), clock: ManualClock(.now))
    }
  }

  @Test("A proxy without an address is named")
  func noName() async throws {
    do throws(HTTP2Error) {
      _ = try await HTTP2Connection.connect(
        to: HTTP2Endpoint(host: Self.host), through: TunnelProxy(host: "proxy.invalid", port: 3128),
        context: TLSContext(trusting: .system), clock: ManualClock(.now))
      Issue.record("connected")
    } catch {
      #expect("\(error)".hasPrefix("the proxy proxy.invalid:3128 has no address: "))
    }
  }

  @Test(
    "A proxy gets no more than the time of a connection, however it spends it",
    arguments: [LoopbackProxy.Answer.stall(saying: ""), .stall(saying: "HTTP/1.1 200 OK\r\nX: ")])
  func slow(answer: LoopbackProxy.Answer) async throws {
    let proxy = try LoopbackProxy { _ in answer }
    let clock = ManualClock(.now)
    let attempt = Task { await Self.error(through: proxy, clock: clock) }
    try await HangGuard.wait(while: proxy.requests.isEmpty)
    clock.advance(by: .seconds(15))
    #expect(
      await attempt.value == .tunnel(TunnelError(.timeout, proxy: "127.0.0.1:\(proxy.port)")))
    try await HangGuard.wait(while: proxy.ended == 0)
    proxy.stop()
  }

  @Test("A server that is slow behind a proxy is not the proxy's fault")
  func slowServer() async throws {
    let proxy = try LoopbackProxy { _ in .stall(saying: "HTTP/1.1 200 OK\r\n\r\n") }
    let clock = ManualClock(.now)
    let attempt = Task { await Self.error(through: proxy, clock: clock) }
    try await HangGuard.wait(while: proxy.heard == 0)
    clock.advance(by: .seconds(15))
    #expect(await attempt.value == .timeout)
    proxy.stop()
  }

  @Test("An attempt that is cancelled leaves the proxy")
  func cancelled() async throws {
    let proxy = try LoopbackProxy { _ in .stall(saying: "") }
    let attempt = Task { await Self.error(through: proxy) }
    try await HangGuard.wait(while: proxy.requests.isEmpty)
    attempt.cancel()
    #expect(await attempt.value == .cancelled)
    try await HangGuard.wait(while: proxy.ended == 0)
    proxy.stop()
  }

  @Test("Errors have no text of the proxy's, and none of the credentials")
  func mute() async throws {
    let proxy = try LoopbackProxy { _ in .close(saying: "HTTP/1.1 403 secret words\r\nX: more\r\n\r\n") }
    let error = try #require(await Self.error(through: proxy, credentials: Password()))
    var dumped = ""
    dump(error, to: &dumped)
    let text = "\(error) \(String(reflecting: error)) \(dumped)"
    #expect(text.contains("the proxy 127.0.0.1:\(proxy.port) opens no connection to the server (status 403)"))
    #expect(!text.contains("secret") && !text.contains("hidden") && !text.contains("more"))
    proxy.stop()
  }
}
