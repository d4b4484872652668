import PushNetwork
import PushTesting
import TestSupport
import Testing

/// What the server said counts, whatever else went wrong; and what it may say without a fault ends no connection.
@Suite(.hangGuard) struct TruthTests {
  private static let streamLimit: UInt8 = 3  // SETTINGS_MAX_CONCURRENT_STREAMS
  private static let windowSize: UInt8 = 4  // SETTINGS_INITIAL_WINDOW_SIZE
  private static let ok = HTTP2Response(status: 200)

  private static func answer(_ stream: Int32) -> [UInt8] {
    RawPeer.frame(.headers, flags: RawPeer.endHeaders | RawPeer.endStream, stream: stream, [0x88])
  }

  @Test("Five thousand streams that are refused at once were not processed, and the connection stays")
  func manyRefusals() async throws {
    let raw = try await RawServer()
    var configuration = HTTP2Configuration()
    configuration.limits.concurrentStreams = 5000
    let (client, server) = try await raw.connection(configuration: configuration)
    try await server.send(RawPeer.frame(.settings, RawPeer.setting(Self.streamLimit, 5000)))
    let requests = (0..<5000).map { _ in Task { await client.outcome() } }
    var streams: [Int32] = []
    while streams.count < 5000, let frame = try await server.next(.headers) { streams.append(frame.stream) }
    try await server.send(
      streams.flatMap { RawPeer.frame(.reset, stream: $0, RawPeer.bytes(HTTP2Code.refusedStream)) })
    var refused = 0
    for request in requests { if await request.value == .failure(.notProcessed(.refused)) { refused += 1 } }
    #expect(refused == 5000)
    #expect(client.isAvailable)
    await client.close()
  }

  @Test("A server may open its windows as often as it likes")
  func manyWindows() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    try await server.send(RawPeer.frame(.settings))
    let request = Task { await client.outcome() }
    _ = try await server.next(.headers)
    try await server.send(
      (0..<3000).flatMap { _ in RawPeer.frame(.window, RawPeer.bytes(1)) } + Self.answer(1))
    #expect(await request.value == .success(Self.ok))
    await client.close()
  }

  @Test("Resets of streams that are over count as a flood")
  func resetsOfNothing() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection(clock: ManualClock(.now))
    try await server.send(RawPeer.frame(.settings))
    let first = Task { await client.outcome() }
    _ = try await server.next(.headers)
    try await server.send(Self.answer(1))
    #expect(await first.value == .success(Self.ok))
    try? await server.send(
      (0..<3000).flatMap { _ in RawPeer.frame(.reset, stream: 1, RawPeer.bytes(HTTP2Code.cancel)) })
    await client.waitUntilClosed()
  }

  @Test("What the server said before it was gone counts, although a write fails first")
  func unreadAnswer() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    try await server.send(RawPeer.frame(.settings, RawPeer.setting(Self.streamLimit, 10)))
    let first = Task { await client.outcome() }
    _ = try await server.next(.headers)
    let goAway = RawPeer.frame(.goAway, RawPeer.bytes(1) + RawPeer.bytes(HTTP2Code.noError))
    let second = try await server.sayLast(Self.answer(1) + goAway) {
      // On the loop's thread, so that it writes before it has read.
      client.assumeIsolated { _ in Task.immediate { await client.outcome() } }
    }
    #expect(await first.value == .success(Self.ok))
    #expect(await second.value == .failure(.notProcessed(.refused)))
  }

  @Test("An answer that comes before the request is whole counts, and its stream is free for the next")
  func earlyAnswer() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    let settings = RawPeer.setting(Self.streamLimit, 1) + RawPeer.setting(Self.windowSize, 0)
    try await server.send(RawPeer.frame(.settings, settings))
    // The server's settings have arrived when they are acknowledged, which is the second frame of settings.
    _ = try await server.next(.settings)
    _ = try await server.next(.settings)
    let early = Task { await client.outcome(HTTP2Request(path: "/", body: [1, 2, 3])) }
    #expect(try await server.next(.headers)?.stream == 1)
    try await server.send(Self.answer(1))
    #expect(await early.value == .success(Self.ok))
    let later = Task { await client.outcome() }
    try await server.send(RawPeer.frame(.ping, [UInt8](repeating: 7, count: 8)))
    let reset = try await server.next { $0.kind == .reset || $0.kind == .ping }
    try #require(reset?.kind == .reset && reset?.stream == 1)
    #expect(try await server.next(.headers)?.stream == 3)
    try await server.send(Self.answer(3))
    #expect(await later.value == .success(Self.ok))
    await client.close()
  }

  @Test("A request whose task is cancelled already, or whose deadline has passed, is not sent")
  func tooLate() async throws {
    let server = try await TestServer { _ in .response(Self.ok) }
    let connection = try await server.connect()
    let cancelled = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await connection.outcome()
    }
    #expect(await cancelled.value == .failure(.notProcessed(.cancelled)))
    #expect(await connection.outcome(until: .zero) == .failure(.notProcessed(.deadline)))
    #expect(await connection.outcome() == .success(Self.ok))
    #expect(await server.server.connections.first?.requestCount == 1)
    await server.server.stop()
  }

  @Test("Fields that are too large for a frame are an invalid request, and not a refused one")
  func giantRequest() async throws {
    let server = try await TestServer { _ in .response(Self.ok) }
    let connection = try await server.connect()
    let field = HTTPField(name: "x", value: String(repeating: "x", count: 70_000))
    let request = HTTP2Request(path: "/", fields: [field])
    #expect(await connection.outcome(request) == .failure(.notProcessed(.invalidRequest)))
    #expect(await connection.outcome() == .success(Self.ok))
    await server.server.stop()
  }
}
