import PushNetwork
import PushTesting
import TestSupport
import Testing

/// Peers that ask for too much lose their stream or their connection, and nobody else does.
@Suite(.hangGuard) struct HostilePeerTests {
  typealias Peer = RawPeer

  private static let lastPing = [UInt8](repeating: 9, count: 8)
  private static let calm = Peer.bytes(HTTP2Code.enhanceYourCalm)

  /// STREAM_CLOSED (RFC 9113, 7).
  private static let streamClosed = Peer.bytes(5)

  /// A literal field that is not indexed, with a value of so many bytes (RFC 7541, 6.2.2).
  private static func field(valueSize: Int) -> [UInt8] {
    [0x00, 1, UInt8(ascii: "x"), 0x7f] + Self.integer(valueSize - 0x7f)
      + [UInt8](repeating: 120, count: valueSize)
  }

  private static func integer(_ number: Int) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7f | 0x80)] + integer(number >> 7)
  }

  /// A request for / from this host: POST, https, /, and an authority.
  private static let fields: [UInt8] = [0x83, 0x87, 0x84, 0x41, 1, UInt8(ascii: "h")]

  private static func request(_ stream: Int32, flags: UInt8 = Peer.endHeaders | Peer.endStream) -> [UInt8] {
    Peer.frame(.headers, flags: flags, stream: stream, fields)
  }

  private static let ok: HTTP2Server.Handler = { _ in .response(HTTP2Response(status: 200)) }

  // MARK: Clients

  struct Flood: CustomTestStringConvertible {
    let testDescription: String
    var limits = HTTP2Limits()
    let bytes: [UInt8]
  }

  private static let floods = [
    Flood(
      testDescription: "continuations",
      bytes: request(1, flags: Peer.endStream)
        + (0..<100).flatMap { _ in Peer.frame(.continuation, stream: 1, [0x00, 1, 120, 0]) }),
    Flood(
      testDescription: "rapid resets",
      limits: limits { $0.resets = (20, 1) },
      bytes: stride(from: 1, to: 201, by: 2).flatMap {
        request($0, flags: Peer.endHeaders) + Peer.frame(.reset, stream: $0, Peer.bytes(HTTP2Code.cancel))
      }),
    Flood(
      testDescription: "pings",
      bytes: (0..<3000).flatMap { _ in Peer.frame(.ping, [UInt8](repeating: 0, count: 8)) }),
    Flood(
      testDescription: "resets of a stream that is over",
      limits: limits { $0.controlFrames = 100 },
      bytes: request(1)
        + (0..<3000).flatMap { _ in Peer.frame(.reset, stream: 1, Peer.bytes(HTTP2Code.cancel)) }),
    Flood(testDescription: "settings", bytes: (0..<3000).flatMap { _ in Peer.frame(.settings) }),
    Flood(
      testDescription: "empty data",
      bytes: request(1, flags: Peer.endHeaders) + (0..<3000).flatMap { _ in Peer.frame(.data, stream: 1) }),
    Flood(
      testDescription: "data that is all padding",
      bytes: request(1, flags: Peer.endHeaders)
        + (0..<3000).flatMap { _ in Peer.frame(.data, flags: Peer.isPadded, stream: 1, [3, 0, 0, 0]) }),
    Flood(
      testDescription: "streams that the server has to reset",
      limits: limits { $0.controlFrames = 100 },
      bytes: stride(from: 1, to: 6001, by: 2).flatMap {
        request($0, flags: Peer.endHeaders) + Peer.frame(.window, stream: $0, Peer.bytes(0x7fff_ffff))
      }),
    Flood(
      testDescription: "bodies that are too large",
      limits: limits {
        $0.bodySize = 0
        $0.controlFrames = 100
      },
      bytes: stride(from: 1, to: 6001, by: 2).flatMap {
        request($0, flags: Peer.endHeaders) + Peer.frame(.data, stream: $0, [0])
      }),
    Flood(
      testDescription: "no HTTP/2",
      bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8) + [UInt8](repeating: 0, count: 99)),
  ]

  private static func limits(_ change: (inout HTTP2Limits) -> Void) -> HTTP2Limits {
    var limits = HTTP2Limits()
    change(&limits)
    return limits
  }

  @Test("A client that floods loses its connection", arguments: floods)
  func flood(_ flood: Flood) async throws {
    let server = try await TestServer(limits: flood.limits, clock: ManualClock(.now), handler: Self.ok)
    let peer = try await Peer.client(of: server)
    // The server may close before it has read all.
    try? await peer.send(flood.bytes)
    #expect(try await !Self.isServed(peer))
    #expect(try await server.connect().outcome().get().status == 200)
    await server.server.stop()
  }

  @Test("A client that widens the window of each request is no flood")
  func widenedWindows() async throws {
    let gate = Gate()
    let server = try await TestServer(limits: Self.limits { $0.controlFrames = 20 }) { _ in
      await gate.pass()
      return .response(HTTP2Response(status: 200))
    }
    let peer = try await Peer.client(of: server)
    let streams = stride(from: Int32(1), to: 201, by: 2)
    try? await peer.send(
      streams.flatMap { Self.request($0) + Peer.frame(.window, stream: $0, Peer.bytes(1)) })
    // A window on a stream that is over would say nothing.
    #expect(try await Self.isServed(peer))
    gate.open()
    for _ in streams { _ = try #require(try await peer.next(.headers)) }
    await server.server.stop()
  }

  /// Whether the server goes on answering pings, of which the first may overtake its goodbye.
  private static func isServed(_ peer: Peer) async throws -> Bool {
    for _ in 0..<2 {
      try? await peer.send(Peer.frame(.ping, lastPing))
      let frame = try? await peer.next { $0.kind == .goAway || $0.payload == lastPing }
      guard frame?.kind == .ping else { return false }
    }
    return true
  }

  /// Frames that come on a stream after its end.
  private static let late: [(name: String, bytes: [UInt8])] = [
    ("data", Peer.frame(.data, flags: Peer.endStream, stream: 1, [0])), ("headers", request(1)),
  ]

  /// The error of what comes next: nil if the server goes on.
  private static func error(after bytes: [UInt8], from peer: Peer) async throws -> [UInt8]? {
    try await peer.send(bytes + Peer.frame(.ping, lastPing))
    let frame = try await peer.next { $0.kind == .goAway || $0.payload == lastPing }
    return frame?.kind == .goAway ? frame.map { Array($0.payload[4..<8]) } : nil
  }

  @Test("What comes on a request's stream after its end is STREAM_CLOSED", arguments: late.indices)
  func halfClosed(_ index: Int) async throws {
    let server = try await TestServer { _ in .silence }
    let peer = try await Peer.client(of: server, saying: Self.request(1))
    #expect(try await Self.error(after: Self.late[index].bytes, from: peer) == Self.streamClosed)
    await server.server.stop()
  }

  @Test("What comes on a stream after its answer is STREAM_CLOSED", arguments: late.indices)
  func answered(_ index: Int) async throws {
    let server = try await TestServer(handler: Self.ok)
    let peer = try await Peer.client(of: server, saying: Self.request(1))
    _ = try #require(try await peer.next(.headers))
    #expect(try await Self.error(after: Self.late[index].bytes, from: peer) == Self.streamClosed)
    await server.server.stop()
  }

  @Test("What comes on a stream after its reset is STREAM_CLOSED", arguments: late.indices)
  func reset(_ index: Int) async throws {
    let server = try await TestServer(handler: Self.ok)
    let reset = Peer.frame(.reset, stream: 1, Peer.bytes(HTTP2Code.cancel))
    let peer = try await Peer.client(of: server, saying: Self.request(1, flags: Peer.endHeaders) + reset)
    #expect(try await Self.error(after: Self.late[index].bytes, from: peer) == Self.streamClosed)
    await server.server.stop()
  }

  @Test("A stream that the client has skipped is PROTOCOL_ERROR")
  func skipped() async throws {
    let server = try await TestServer { _ in .silence }
    let peer = try await Peer.client(of: server, saying: Self.request(1) + Self.request(7))
    #expect(try await Self.error(after: Self.request(5), from: peer) == Peer.bytes(1))
    await server.server.stop()
  }

  @Test("Headers may come again on a stream that was refused, beside a stream that was not")
  func refused() async throws {
    var limits = HTTP2Limits()
    limits.concurrentStreams = 1
    let server = try await TestServer(limits: limits) { _ in .silence }
    let peer = try await Peer.client(
      of: server, saying: Self.request(1) + Self.request(3, flags: Peer.endHeaders) + Self.request(5))
    #expect(try await Self.error(after: Self.request(3), from: peer) != Peer.bytes(1))
    await server.server.stop()
  }

  @Test("A client that breaks the protocol learns so, although it has nothing more to say")
  func lastWords() async throws {
    let server = try await TestServer(handler: Self.ok)
    let peer = try await Peer.client(of: server)
    _ = try await peer.next(.settings)
    try await peer.finish(saying: Peer.frame(.data, stream: 0, [0]))
    // The last stream is none, and the error is PROTOCOL_ERROR (RFC 9113, 7).
    #expect(try await peer.next(.goAway)?.payload.prefix(8) == [0, 0, 0, 0, 0, 0, 0, 1])
    await server.server.stop()
  }

  @Test("A request with too many fields loses its stream alone")
  func headerBomb() async throws {
    let server = try await TestServer(handler: Self.ok)
    let peer = try await Peer.client(of: server)
    let bomb = Self.fields + Self.field(valueSize: 9000) + Self.field(valueSize: 9000)
    let (head, tail) = (Array(bomb.prefix(16_000)), Array(bomb.dropFirst(16_000)))
    try await peer.send(
      Peer.frame(.headers, flags: Peer.endStream, stream: 1, head)
        + Peer.frame(.continuation, flags: Peer.endHeaders, stream: 1, tail) + Self.request(3))
    #expect(try await peer.next(.reset)?.stream == 1)
    #expect(try await peer.next(.headers)?.stream == 3)
    await server.server.stop()
  }

  @Test("A request whose body is too large loses its stream alone")
  func giantBody() async throws {
    let limits = Self.limits { $0.bodySize = 10_000 }
    let server = try await TestServer(limits: limits, handler: Self.ok)
    let peer = try await Peer.client(of: server)
    let data = [UInt8](repeating: 0, count: 6000)
    try await peer.send(
      Self.request(1, flags: Peer.endHeaders) + Peer.frame(.data, stream: 1, data)
        + Peer.frame(.data, flags: Peer.endStream, stream: 1, data) + Self.request(3))
    let reset = try await peer.next(.reset)
    #expect(reset?.stream == 1 && reset?.payload == Self.calm)
    #expect(try await peer.next(.headers)?.stream == 3)
    await server.server.stop()
  }

  @Test("Requests that are too large together lose the stream that was too much")
  func tooMuchTogether() async throws {
    let limits = Self.limits { $0.connectionSize = 15_000 }
    let server = try await TestServer(limits: limits, handler: Self.ok)
    let peer = try await Peer.client(of: server)
    let data = [UInt8](repeating: 0, count: 8000)
    let begun = { Self.request($0, flags: Peer.endHeaders) + Peer.frame(.data, stream: $0, data) }
    let ended = { Peer.frame(.data, flags: Peer.endStream, stream: $0) }
    try await peer.send(begun(1) + begun(3))
    let reset = try await peer.next(.reset)
    #expect(reset?.stream == 3 && reset?.payload == Self.calm)
    try await peer.send(ended(1))
    #expect(try await peer.next(.headers)?.stream == 1)
    // What has been handled holds nothing any more.
    try await peer.send(begun(5) + ended(5))
    #expect(try await peer.next(.headers)?.stream == 5)
    await server.server.stop()
  }

  @Test("More requests than are allowed are refused, and nobody handles them")
  func tooManyStreams() async throws {
    let gate = Gate()
    let server = try await TestServer(limits: Self.limits { $0.concurrentStreams = 2 }) { _ in
      await gate.pass()
      return .response(HTTP2Response(status: 200))
    }
    let peer = try await Peer.client(of: server)
    try await peer.send([1, 3, 5].flatMap { Self.request($0) })
    let reset = try await peer.next(.reset)
    #expect(reset?.stream == 5 && reset?.payload == Peer.bytes(HTTP2Code.refusedStream))
    gate.open()
    #expect(try await peer.next(.headers) != nil)
    #expect(await server.server.connections.first?.requestCount == 2)
    await server.server.stop()
  }

  @Test("A client that asks and does not read is cut off, when as much waits for it as may")
  func slowReader() async throws {
    let limits = Self.limits {
      $0.controlFrames = 1_000_000
      $0.queuedFrames = 100
    }
    let server = try await TestServer(limits: limits, handler: Self.ok)
    let peer = try await Peer.client(of: server)
    let pings = (0..<1000).flatMap { _ in Peer.frame(.ping, [UInt8](repeating: 0, count: 8)) }
    // The peer never reads. The system's buffers take what they can, and then the queue is full.
    try await HangGuard.wait(for: "the connection's end") {
      guard (try? await peer.send(pings)) != nil else { return true }
      return await server.server.connections.isEmpty
    }
    await server.server.stop()
  }

  // MARK: Servers

  private static let responses: [Flood] = [
    Flood(
      testDescription: "fields",
      bytes: Peer.frame(.headers, stream: 1, [0x88] + field(valueSize: 16_000))
        + Peer.frame(
          .continuation, flags: Peer.endHeaders | Peer.endStream, stream: 1, field(valueSize: 1000))),
    Flood(
      testDescription: "informational answers",
      bytes: (0..<1000).flatMap { _ in
        Peer.frame(.headers, flags: Peer.endHeaders, stream: 1, [0x08, 3] + Array("103".utf8))
      }),
    Flood(
      testDescription: "a body",
      limits: limits { $0.bodySize = 1000 },
      bytes: Peer.frame(.headers, flags: Peer.endHeaders, stream: 1, [0x88])
        + Peer.frame(.data, stream: 1, [UInt8](repeating: 0, count: 1001))),
    Flood(
      testDescription: "pings",
      bytes: (0..<3000).flatMap { _ in Peer.frame(.ping, [UInt8](repeating: 0, count: 8)) }),
    Flood(
      testDescription: "continuations",
      bytes: Peer.frame(.headers, stream: 1, [0x88])
        + (0..<100).flatMap { _ in Peer.frame(.continuation, stream: 1, [0x00, 1, 120, 0]) }),
    Flood(testDescription: "no HTTP/2", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
    Flood(
      testDescription: "an answer without a status",
      bytes: Peer.frame(.headers, flags: Peer.endHeaders | Peer.endStream, stream: 1, [0x00, 1, 120, 0])),
  ]

  @Test("A server that sends too much, or what is not HTTP, fails the request as sent", arguments: responses)
  func response(_ flood: Flood) async throws {
    let raw = try await RawServer()
    var configuration = HTTP2Configuration()
    configuration.limits = flood.limits
    let (client, server) = try await raw.connection(configuration: configuration)
    let request = Task { await client.outcome() }
    _ = try await server.next(.headers)
    let settings = flood.testDescription == "no HTTP/2" ? [] : Peer.frame(.settings)
    try? await server.send(settings + flood.bytes)
    switch await request.value {
    case .failure(.unknown(.malformed)), .failure(.unknown(.reset)), .failure(.unknown(.disconnected)): break
    case let other: Issue.record("\(other)")
    }
    await client.close()
    await server.close(abruptly: true)
  }

  @Test("Writing to a server that is gone ends requests, not the process")
  func brokenPipe() async throws {
    for _ in 0..<20 {
      let raw = try await RawServer()
      let (client, server) = try await raw.connection()
      try await server.send(Peer.frame(.settings))
      await server.close(abruptly: true)
      let requests = (0..<50).map { _ in
        Task { await client.outcome(HTTP2Request(path: "/", body: [UInt8](repeating: 0, count: 60_000))) }
      }
      for request in requests { await #expect(throws: HTTP2Failure.self) { try await request.value.get() } }
    }
  }
}
