import PushNetwork
import TestSupport
import Testing

@Suite(.hangGuard) struct StreamLimitTests {
  private static let answer = RawPeer.frame(
    .headers, flags: RawPeer.endHeaders | RawPeer.endStream, stream: 1, [0x88])  // :status 200
  private static let limit: UInt8 = 3  // SETTINGS_MAX_CONCURRENT_STREAMS

  @Test("Before the server's settings there is one stream, then as many as they allow")
  func firstStream() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    let requests = (0..<5).map { _ in Task { await client.outcome() } }
    #expect(try await server.next(.headers)?.stream == 1)
    try await HangGuard.wait(while: await client.load < 5)
    // Whatever else the client had to say, it says before its answer to a ping.
    try await server.send(RawPeer.frame(.settings, RawPeer.setting(Self.limit, 3)))
    let acknowledgement = try await server.next()
    #expect(acknowledgement?.kind == .settings)
    var streams: [Int32] = []
    while streams.count < 2, let frame = try await server.next(.headers) { streams.append(frame.stream) }
    #expect(streams == [3, 5])
    try await server.send(RawPeer.frame(.ping, [UInt8](repeating: 7, count: 8)))
    #expect(try await server.next()?.kind == .ping)  // and not another stream
    // One more for one that is over.
    try await server.send(Self.answer)
    #expect(try await server.next(.headers)?.stream == 7)
    await server.close(abruptly: true)
    var answered = 0
    for request in requests { if case .success = await request.value { answered += 1 } }
    #expect(answered == 1)
  }

  @Test("Fewer streams than are open let none begin until enough are over")
  func fewer() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    try await server.send(RawPeer.frame(.settings, RawPeer.setting(Self.limit, 2)))
    let requests = (0..<3).map { _ in Task { await client.outcome() } }
    _ = try await server.next(.headers)
    _ = try await server.next(.headers)
    try await server.send(RawPeer.frame(.settings, RawPeer.setting(Self.limit, 1)) + Self.answer)
    try await server.send(RawPeer.frame(.ping, [UInt8](repeating: 7, count: 8)))
    var kinds: [RawPeer.Frame.Kind?] = []
    repeat { kinds.append(try await server.next()?.kind) } while kinds.last != .ping
    #expect(!kinds.contains(.headers))
    await server.close(abruptly: true)
    for request in requests { _ = await request.value }
  }

  @Test("While the limit moves, nothing is refused and nothing is lost")
  func moving() async throws {
    let server = try await TestServer { request in
      let limits = [1: 1000, 50: 1, 100: 7, 150: 1, 200: 1000]
      let count = await request.connection.requestCount
      if let limit = limits[count] { await request.connection.set(concurrentStreams: limit) }
      return .response(HTTP2Response(status: 200))
    }
    let connection = try await server.connect()
    let answered = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<300 {
        group.addTask { await connection.outcome() == .success(HTTP2Response(status: 200)) }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(answered == 300)
    #expect(await server.server.connections.first?.requestCount == 300)
    await server.server.stop()
  }

  @Test("A client has its own limit where the server has none")
  func ownLimit() async throws {
    let gate = Gate()
    var limits = HTTP2Limits()
    limits.concurrentStreams = 4
    let server = try await TestServer { _ in
      await gate.pass()
      return .response(HTTP2Response(status: 200))
    }
    var configuration = HTTP2Configuration()
    configuration.limits = limits
    let connection = try await server.connect(configuration: configuration)
    let requests = (0..<20).map { _ in Task { await connection.outcome() } }
    await gate.waitForArrivals(4)
    gate.open()
    for request in requests { #expect(await request.value == .success(HTTP2Response(status: 200))) }
    #expect(await server.server.connections.first?.mostOpenStreams == 4)
    await server.server.stop()
  }

  @Test("No frames of priorities are sent, and what is secret is never indexed")
  func secrets() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    let field = HTTPField(name: "authorization", value: "bearer secret", isSecret: true)
    let request = Task { await client.outcome(HTTP2Request(path: "/3/device/00", fields: [field])) }
    var headers: RawPeer.Frame?
    while headers == nil, let frame = try await server.next() {
      #expect(frame.kind != .priority)
      if frame.kind == .headers { headers = frame }
    }
    let payload = try #require(headers).payload
    #expect(try #require(headers).flags & RawPeer.hasPriority == 0)
    // RFC 7541, 6.2.3: never indexed is 0001, and the name's index: 4 is :path, and 15 + 8 authorization.
    let path = "/3/device/00"
    #expect(payload.indices.contains { Self.isPath(payload[$0...], count: path.utf8.count) })
    #expect(payload.indices.contains { payload[$0...].starts(with: [0x1f, 0x08]) })
    await client.close()
    _ = await request.value
  }

  /// Whether this begins with a path of so many bytes that is never indexed; it may be Huffman-coded (RFC 7541, 5.2).
  private static func isPath(_ bytes: ArraySlice<UInt8>, count: Int) -> Bool {
    guard bytes.starts(with: [0x14]), let size = bytes.dropFirst().first else { return false }
    let rest = bytes.dropFirst(2).prefix(Int(size & 0x7f))
    return size & 0x80 == 0
      ? rest.elementsEqual("/3/device/00".utf8)
      : Int(size & 0x7f) < count && rest.starts(with: [0x61, 0x96])
  }
}
