import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// How a request ends: once, and with the truth about what the server may have done.
@Suite(.hangGuard) struct EndingTests {
  private static let ok = HTTP2Response(status: 200)

  @Test("A refused stream was not processed")
  func refused() async throws {
    let server = try await TestServer { _ in .reset(code: HTTP2Code.refusedStream) }
    let connection = try await server.connect()
    #expect(await connection.outcome() == .failure(.notProcessed(.refused)))
    await server.server.stop()
  }

  @Test("A stream that is reset for another reason may have been processed")
  func reset() async throws {
    let server = try await TestServer { _ in .reset(code: HTTP2Code.internalError) }
    let connection = try await server.connect()
    #expect(await connection.outcome() == .failure(.unknown(.reset(code: HTTP2Code.internalError))))
    await server.server.stop()
  }

  @Test(
    "An answer that breaks off may have been processed, whatever the code says",
    arguments: [HTTP2Code.internalError, HTTP2Code.refusedStream])
  func brokenOff(code: UInt32) async throws {
    let server = try await TestServer { _ in .brokenOff(HTTP2Response(status: 503), code: code) }
    let connection = try await server.connect()
    #expect(await connection.outcome() == .failure(.unknown(.reset(code: code))))
    await server.server.stop()
  }

  @Test("A success whose fields have come is known, however its stream ends")
  func brokenOffSuccess() async throws {
    let fields = [HTTPField(name: "apns-id", value: "1")]
    let server = try await TestServer { _ in
      .brokenOff(HTTP2Response(status: 200, fields: fields), code: HTTP2Code.internalError)
    }
    let connection = try await server.connect()
    let response = try await connection.outcome().get()
    #expect(response.status == 200 && response["apns-id"] == "1")
    await server.server.stop()
  }

  @Test("After GOAWAY, streams up to its last one are answered, and those above were not processed")
  func goAway() async throws {
    let gate = Gate()
    let server = try await TestServer { _ in
      await gate.pass()
      return .response(Self.ok)
    }
    let connection = try await server.connect()
    let requests = (0..<10).map { _ in Task { await connection.outcome() } }
    await gate.waitForArrivals(10)
    for served in await server.server.connections { await served.goAway(lastStream: 7) }
    var refused = 0
    try await HangGuard.wait(while: connection.isAvailable)
    #expect(await connection.outcome() == .failure(.notProcessed(.unavailable)))
    gate.open()
    for request in requests {
      switch await request.value {
      case .success(let response): #expect(response == Self.ok)
      case .failure(let failure):
        #expect(failure == .notProcessed(.refused))
        refused += 1
      }
    }
    // Streams 1, 3, 5 and 7 were answered.
    #expect(refused == 6)
    await connection.waitUntilClosed()
    await server.server.stop()
  }

  @Test("A request that waits when GOAWAY comes ends at once, and was not processed")
  func waitingAtGoAway() async throws {
    let gate = Gate()
    var limits = HTTP2Limits()
    limits.concurrentStreams = 1
    let server = try await TestServer(limits: limits) { _ in
      await gate.pass()
      return .response(Self.ok)
    }
    let connection = try await server.connect()
    let open = Task { await connection.outcome() }
    await gate.waitForArrivals(1)
    let waiting = Task { await connection.outcome() }
    try await HangGuard.wait(while: await connection.load < 2)
    for served in await server.server.connections { await served.goAway(lastStream: 1) }
    try await HangGuard.wait(while: connection.isAvailable)
    let load = await connection.load
    gate.open()
    try #require(load == 1)
    #expect(await waiting.value == .failure(.notProcessed(.unavailable)))
    #expect(await open.value == .success(Self.ok))
    await server.server.stop()
  }

  @Test("After an announced GOAWAY, what is open is answered, and the connection closes")
  func announcedGoAway() async throws {
    let gate = Gate()
    let server = try await TestServer { _ in
      await gate.pass()
      return .response(Self.ok)
    }
    let connection = try await server.connect()
    let request = Task { await connection.outcome() }
    await gate.waitForArrivals(1)
    for served in await server.server.connections { await served.announceGoAway() }
    try await HangGuard.wait(while: connection.isAvailable)
    gate.open()
    #expect(await request.value == .success(Self.ok))
    await connection.waitUntilClosed()
    await server.server.stop()
  }

  @Test(
    "When the connection breaks, what was sent may have been processed, and what waited was not",
    arguments: [true, false])
  func cut(abruptly: Bool) async throws {
    let gate = Gate()
    var limits = HTTP2Limits()
    limits.concurrentStreams = 2
    let server = try await TestServer(limits: limits) { _ in
      await gate.pass()
      return .silence
    }
    let connection = try await server.connect()
    let requests = (0..<6).map { _ in Task { await connection.outcome() } }
    await gate.waitForArrivals(2)
    try await HangGuard.wait(while: await connection.load < 6)
    for served in await server.server.connections { await served.close(abruptly: abruptly) }
    var outcomes: [HTTP2Failure: Int] = [:]
    for request in requests {
      guard case .failure(let failure) = await request.value else { continue }
      outcomes[failure, default: 0] += 1
    }
    if abruptly {
      #expect(outcomes == [.unknown(.disconnected): 2, .notProcessed(.disconnected): 4])
    } else {
      #expect(outcomes.filter { if case .unknown = $0.key { true } else { false } }.values.reduce(0, +) == 2)
      #expect(outcomes.values.reduce(0, +) == 6)
    }
    gate.open()
    await server.server.stop()
  }

  @Test("At its deadline a request ends, processed or not, and its stream is free for the next")
  func deadline() async throws {
    let gate = Gate()
    var limits = HTTP2Limits()
    limits.concurrentStreams = 1
    let server = try await TestServer(limits: limits) { request in
      await gate.pass()
      return request.path == "/silent" ? .silence : .response(Self.ok)
    }
    gate.open()
    let clock = ManualClock(.now)
    let connection = try await server.connect(clock: clock)
    let silent = Task { await connection.outcome(HTTP2Request(path: "/silent"), until: .seconds(5)) }
    await gate.waitForArrivals(1)
    let waiting = Task { await connection.outcome(until: .seconds(4)) }
    let later = Task { await connection.outcome(until: .seconds(60)) }
    try await HangGuard.wait(while: await connection.load < 3)
    clock.advance(by: .seconds(4))
    #expect(await waiting.value == .failure(.notProcessed(.deadline)))
    clock.advance(by: .seconds(1))
    #expect(await silent.value == .failure(.unknown(.deadline)))
    #expect(await later.value == .success(Self.ok))
    await server.server.stop()
  }

  @Test("A cancelled request ends, processed or not")
  func cancelled() async throws {
    let gate = Gate()
    var limits = HTTP2Limits()
    limits.concurrentStreams = 1
    let server = try await TestServer(limits: limits) { _ in
      await gate.pass()
      return .silence
    }
    let connection = try await server.connect()
    let sent = Task { await connection.outcome() }
    await gate.waitForArrivals(1)
    let waiting = Task { await connection.outcome() }
    try await HangGuard.wait(while: await connection.load < 2)
    waiting.cancel()
    #expect(await waiting.value == .failure(.notProcessed(.cancelled)))
    sent.cancel()
    #expect(await sent.value == .failure(.unknown(.cancelled)))
    gate.open()
    await server.server.stop()
  }

  @Test(
    "A connection on which nothing is heard is pinged, and without an answer it is dead",
    arguments: [true, false])
  func silentConnection(hasRequest: Bool) async throws {
    let gate = Gate()
    let hasAnswered = Mutex(false)
    let server = try await TestServer { _ in
      let isFirst = hasAnswered.withLock { hasAnswered in
        defer { hasAnswered = true }
        return !hasAnswered
      }
      if isFirst { return .response(Self.ok) }
      await gate.pass()
      return .silence
    }
    let clock = ManualClock(.now)
    let connection = try await server.connect(clock: clock)
    // TLS has more to say after its handshake, and whatever is heard once the clock has moved puts the ping off.
    #expect(await connection.outcome() == .success(Self.ok))
    let request = Task { hasRequest ? await connection.outcome() : .failure(.unknown(.silent)) }
    if hasRequest { await gate.waitForArrivals(1) }
    for served in await server.server.connections { await served.stall() }
    await clock.waitForSleepers()
    clock.advance(by: hasRequest ? .seconds(10) : .seconds(3600))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await connection.waitUntilClosed()
    #expect(await request.value == .failure(.unknown(.silent)))
    gate.open()
    await server.server.stop()
  }

  @Test("A ping that is answered keeps the connection")
  func answeredPing() async throws {
    let raw = try await RawServer()
    let clock = ManualClock(.now)
    let (client, server) = try await raw.connection(clock: clock)
    // TLS has more to say after its handshake, and whatever is heard once the clock has moved puts the ping off: so wait
    // for the client's settings, and for what it answers to the server's.
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
    await client.close()
  }

  @Test("A server that does not shake hands gets no more than its time")
  func noHandshake() async throws {
    let raw = try await RawServer()  // its backlog takes the connection
    let clock = ManualClock(.now)
    let attempt = Task { () async -> HTTP2Error? in
      do throws(HTTP2Error) {
        _ = try await HTTP2Connection.connect(
          to: raw.endpoint, context: TLSContext(trusting: .system), clock: clock)
        return nil
      } catch {
        return error
      }
    }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(15))
    #expect(await attempt.value == .timeout)
  }

  @Test("A port where nobody listens, and a name without an address, are errors of their own")
  func nobodyThere() async throws {
    let server = try await TestServer { _ in .silence }
    await server.server.stop()
    do throws(HTTP2Error) {
      _ = try await server.connect()
    } catch {
      guard case .socket(let error) = error else { throw error }
      #expect(error.description == "connect: Connection refused")
    }
    do throws(HTTP2Error) {
      let endpoint = HTTP2Endpoint(host: "no.such.name.invalid")
      _ = try await HTTP2Connection.connect(
        to: endpoint, context: server.clientContext, clock: ManualClock(.now))
    } catch {
      guard case .name = error else { throw error }
    }
  }

  @Test("A request with a line break in a field or its path is not sent")
  func invalidRequest() async throws {
    let server = try await TestServer { _ in .response(Self.ok) }
    let connection = try await server.connect()
    for request in [
      HTTP2Request(path: "/", fields: [HTTPField(name: "authorization", value: "bearer a\r\nb: c")]),
      HTTP2Request(path: "/\n"), HTTP2Request(path: "x"),
      HTTP2Request(path: "/", fields: [HTTPField(name: "A", value: "")]),
      HTTP2Request(path: "/", common: CommonFields([HTTPField(name: "a", value: "b\nc: d")])),
    ] {
      #expect(await connection.outcome(request) == .failure(.notProcessed(.invalidRequest)))
    }
    #expect(await connection.outcome() == .success(Self.ok))
    await server.server.stop()
  }
}
