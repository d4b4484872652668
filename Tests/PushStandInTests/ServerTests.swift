import PushCore
import PushNetwork
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// The stand-in over HTTP/2: what a provider's client meets.
@Suite(.hangGuard) struct ServerTests {
  private let stand: Stand
  private let server: APNsStandIn
  private let phone: StandInPhone

  init() async throws {
    stand = try Stand { settings, signer in
      settings.newTokensIn20Minutes = 2
      let other = ProviderKey(keyID: "KEY2345678", teamID: ProviderSigner.teamID, point: signer.key.point)
      settings.providerKeys?.append(other)
    }
    server = try await APNsStandIn.start(settings: stand.apns.settings, clock: stand.apns.clock)
    phone = server.phone(topic: stand.topic, senders: try stand.backend.publicKeys)
  }

  /// Connects; time passes for the client by a clock of the test's.
  private func connect(
    name: String = "localhost", clock: ManualClock = ManualClock(.now)
  ) async throws(HTTP2Error) -> HTTP2Connection {
    guard let roots = try? TLSRoots.system(adding: server.root) else { throw .timeout }
    return try await HTTP2Connection.connect(
      to: HTTP2Endpoint(host: name, port: server.port, address: "127.0.0.1"),
      context: TLSContext(trusting: roots),
      clock: clock)
  }

  private func request(_ text: String = "Lunch at noon?") throws -> HTTP2Request {
    HTTP2Request(try stand.request(text, to: phone))
  }

  /// A request to a device that nobody has, which APNs refuses with 400.
  ///
  /// A phone waits by the same clock while it opens a push. Without one, only what the test waits for does.
  private func requestToNobody() throws -> HTTP2Request {
    HTTP2Request(try stand.request(plain: #"{"aps":{"alert":"Lunch?"}}"#, to: .random()))
  }

  /// Sends a request, without a deadline that matters.
  private func send(_ request: HTTP2Request, over connection: HTTP2Connection) async throws(HTTP2Failure)
    -> Int
  {
    try await connection.send(request, until: .seconds(1_000_000)).status
  }

  /// What becomes of one request that meets a fault.
  private func outcome(of fault: TransportFault) async throws -> Result<Int, HTTP2Failure> {
    let connection = try await connect()
    server.inject(.transport(fault), to: .next(1))
    let request = try request()
    do throws(HTTP2Failure) {
      return .success(try await send(request, over: connection))
    } catch {
      return .failure(error)
    }
  }

  @Test("what goes over HTTP/2 is shown on the phone")
  func shown() async throws {
    let connection = try await connect()
    let response = try await connection.send(request(), until: .seconds(1_000_000))
    #expect(response.status == 200 && response.body.isEmpty && response["apns-id"] != nil)
    #expect(try await phone.shown.body == "Lunch at noon?")
  }

  @Test("a refusal goes over HTTP/2 with its reason")
  func refused() async throws {
    let connection = try await connect()
    let request = HTTP2Request(path: "/3/device/00ff")
    let response = try await connection.send(request, until: .seconds(1_000_000))
    #expect(response.status == 403)
    #expect(response.body == Array(#"{"reason":"MissingProviderToken"}"#.utf8))
  }

  @Test("a stream that is refused, or that comes after GOAWAY, was not processed")
  func notProcessed() async throws {
    #expect(try await outcome(of: .refuseStream) == .failure(.notProcessed(.refused)))
    #expect(server.accepted.count == 0)
    let connection = try await connect()
    server.inject(.transport(.goAwayGracefully), to: .next(1))
    #expect(try await send(request(), over: connection) == 200)
    await connection.waitUntilClosed()
    await #expect(throws: HTTP2Failure.notProcessed(.unavailable)) {
      try await send(request(), over: connection)
    }
    #expect(server.accepted.count == 1)
  }

  @Test(
    "a request whose answer is lost may have been processed, and was",
    arguments: [TransportFault.reset(.beforeAnswer), .goAwayAbruptly, .cut])
  func unknown(_ fault: TransportFault) async throws {
    guard case .failure(.unknown) = try await outcome(of: fault) else {
      Issue.record("it did not end as unknown")
      return
    }
    #expect(server.accepted.count == 1)
  }

  @Test("a request whose answer breaks off behind its fields was processed, and is known to be accepted")
  func duringAnswer() async throws {
    #expect(try await outcome(of: .reset(.duringAnswer)).get() == 200)
    #expect(server.accepted.count == 1)
  }

  @Test("a server that falls silent is found by the client's own deadline")
  func stall() async throws {
    let clock = ManualClock(.now)
    let connection = try await connect(clock: clock)
    server.inject(.transport(.stall), to: .next(1))
    var pushes = server.updates().makeAsyncIterator()
    let request = try request()
    let answer = Task { try await connection.send(request, until: .seconds(5)) }
    _ = await pushes.next()
    clock.advance(by: .seconds(5))
    await #expect(throws: HTTP2Failure.unknown(.deadline)) { try await answer.value }
  }

  @Test("a connection on which the server fell silent is closed after ten minutes")
  func stallEnds() async throws {
    let connection = try await connect()
    server.inject(.transport(.stall), to: .next(1))
    let answer = Task { try await send(requestToNobody(), over: connection) }
    await server.clock.waitForSleepers()
    server.advance(by: .seconds(599))
    #expect(connection.isAvailable)
    server.advance(by: .seconds(1))
    await #expect(throws: HTTP2Failure.unknown(.disconnected)) { try await answer.value }
  }

  @Test("a server that reads slowly reads on when the clock says so")
  func slowReading() async throws {
    let connection = try await connect()
    server.inject(.transport(.slowReading(.seconds(60))), to: .next(1))
    #expect(try await send(requestToNobody(), over: connection) == 400)
    async let second = send(try requestToNobody(), over: connection)
    await server.clock.waitForSleepers()
    server.advance(by: .seconds(60))
    #expect(try await second == 400)
  }

  @Test(
    "TLS that is wrong is refused by the client, and what is right again is not", arguments: TLSFault.allCases
  )
  func tls(_ fault: TLSFault) async throws {
    await server.present(fault)
    await #expect(throws: HTTP2Error.self) { try await connect() }
    await server.present(nil)
    #expect(try await send(request(), over: try await connect()) == 200)
  }

  @Test("a stranger's root is not trusted, nor another name")
  func trust() async throws {
    await #expect(throws: HTTP2Error.self) { try await connect(name: "api.push.apple.com") }
    await #expect(throws: HTTP2Error.self) {
      try await HTTP2Connection.connect(
        to: HTTP2Endpoint(host: "localhost", port: server.port, address: "127.0.0.1"),
        context: TLSContext(trusting: .system), clock: ManualClock(.now))
    }
  }

  @Test("one stream is allowed until a valid provider token was seen, and then many")
  func streamLimit() async throws {
    let connection = try await connect()
    // With an answer, the client knows the server's limit, and sends what is allowed at once.
    #expect(try await send(HTTP2Request(path: "/3/device/00ff"), over: connection) == 403)
    server.inject(.latency(.seconds(1)), to: .all)
    let strangers = (0..<3).map { _ in
      Task { try await send(HTTP2Request(path: "/3/device/00ff"), over: connection) }
    }
    try await HangGuard.wait(while: await connection.load < 3)
    for count in 2...4 {
      await server.clock.waitForSleepers()
      try #require(server.requestCount == count)
      server.advance(by: .seconds(1))
    }
    for stranger in strangers { #expect(try await stranger.value == 403) }
    server.clearFaults()
    #expect(try await send(requestToNobody(), over: connection) == 400)
    server.inject(.latency(.seconds(1)), to: .all)
    let known = try (0..<3).map { _ in
      let request = try requestToNobody()
      return Task { try await send(request, over: connection) }
    }
    await server.clock.waitForSleepers(count: 3)
    server.advance(by: .seconds(1))
    for one in known { #expect(try await one.value == 400) }
  }

  @Test("a stranger's second request waits in the client, and was not processed")
  func secondStream() async throws {
    let clock = ManualClock(.now)
    let connection = try await connect(clock: clock)
    #expect(try await send(HTTP2Request(path: "/3/device/00ff"), over: connection) == 403)
    server.inject(.latency(.seconds(1)), to: .all)
    let strangers = (0..<2).map { _ in
      Task { () throws(HTTP2Failure) in
        try await connection.send(HTTP2Request(path: "/3/device/00ff"), until: .seconds(5))
      }
    }
    try await HangGuard.wait(while: await connection.load < 2)
    await server.clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    var failures: [HTTP2Failure] = []
    for stranger in strangers {
      if case .failure(let failure as HTTP2Failure) = await stranger.result { failures.append(failure) }
    }
    #expect(Set(failures) == [.unknown(.deadline), .notProcessed(.deadline)])
  }

  @Test("two connections are two to the model: each has its own key")
  func connections() async throws {
    let (first, second) = (try await connect(), try await connect())
    var other = try stand.request("b", to: phone)
    other["authorization"] = "bearer \(stand.signer.token(at: Stand.start, keyID: "KEY2345678"))"
    #expect(try await send(request(), over: first) == 200)
    #expect(try await send(HTTP2Request(other), over: first) == 403)
    #expect(try await send(HTTP2Request(other), over: second) == 200)
  }

  @Test("the server can close what is open, and goes on listening", arguments: [true, false])
  func close(_ abruptly: Bool) async throws {
    let connection = try await connect()
    #expect(try await send(request(), over: connection) == 200)
    await server.closeConnections(abruptly: abruptly)
    await connection.waitUntilClosed()
    #expect(try await send(request(), over: try await connect()) == 200)
  }

  @Test("the root is written to a file that clients read")
  func rootFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "root.pem")
    try server.writeRoot(to: path)
    #expect(folder.bytes(of: "root.pem") == server.root)
    #expect(throws: StandInError.self) { try server.writeRoot(to: folder.path(of: "none/root.pem")) }
  }

  @Test("an error says what is wrong, and where")
  func errors() {
    let errors: [StandInError] = [
      .cannotListen(port: 2198, errno: 98), .cannotServe(port: 2197, reason: "busy"),
      .cannotWriteRoot("no space"),
    ]
    #expect(
      errors.map(\.description) == [
        "cannot listen on 127.0.0.1:2198: Address already in use",
        "cannot serve HTTP/2 on 127.0.0.1:2197: busy",
        "cannot write the root certificate: no space",
      ])
  }

  @Test("a port that is taken is an error that says so")
  func taken() async throws {
    let port = server.port
    await #expect(throws: StandInError.self) { try await APNsStandIn.start(port: port) }
    await server.stop()
    await #expect(throws: HTTP2Error.self) { try await connect() }
  }
}

extension HTTP2Request {
  fileprivate init(_ request: APNsRequest) {
    self.init(
      path: request.path, fields: request.headers.map { HTTPField(name: $0.name, value: $0.value) },
      body: request.body)
  }
}
