import TestSupport
import Testing

@testable import PushNetwork

@Suite(.hangGuard) struct ConnectionTests {
  @Test("A request and its answer arrive as they were sent", arguments: TLSContext.Version.allCases)
  func roundTrip(version: TLSContext.Version) async throws {
    let server = try await TestServer(versions: [version]) { request in
      let fields = [
        HTTPField(name: "apns-id", value: request["apns-id"] ?? ""),
        HTTPField(name: "path", value: request.path),
      ]
      return .response(HTTP2Response(status: 203, fields: fields, body: request.body.reversed()))
    }
    let connection = try await server.connect()
    let body = (0..<50_000).map { UInt8(truncatingIfNeeded: $0) }
    let request = HTTP2Request(
      path: "/3/device/00ff", fields: [HTTPField(name: "apns-id", value: "A-1")], body: body)
    let response = try await connection.outcome(request).get()
    #expect(response.status == 203)
    #expect(response["apns-id"] == "A-1")
    #expect(response["path"] == "/3/device/00ff")
    #expect(response.body == body.reversed())
    await connection.close()
    await server.server.stop()
  }

  @Test("Many requests at a time get each its own answer")
  func manyRequests() async throws {
    let server = try await TestServer { request in .response(HTTP2Response(status: 200, body: request.body)) }
    let connection = try await server.connect()
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<500 {
        group.addTask {
          let body = Array("\(index)".utf8)
          return await connection.outcome(HTTP2Request(path: "/", body: body))
            == .success(HTTP2Response(status: 200, body: body))
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    await server.server.stop()
  }

  @Test("A request that comes with the end of the handshake is answered")
  func earlyRequest() async throws {
    let server = try await TestServer { _ in .response(HTTP2Response(status: 200)) }
    let request = RawPeer.frame(
      .headers, flags: RawPeer.endHeaders | RawPeer.endStream, stream: 1,
      [0x83, 0x87, 0x84, 0x41, 1, UInt8(ascii: "h")])
    let peer = try await RawPeer.client(of: server, saying: request)
    #expect(try await peer.next(.headers)?.stream == 1)
    await server.server.stop()
  }

  @Test("A peer that changes its keys while it takes nothing is answered when it does, and then heard")
  func newKeys() async throws {
    let raw = try await RawServer()
    let (client, server) = try await raw.connection()
    let window = UInt32(Int32.max)
    try await server.send(
      RawPeer.frame(.settings, RawPeer.setting(4, window))  // SETTINGS_INITIAL_WINDOW_SIZE
        + RawPeer.frame(.window, RawPeer.bytes(window - 0xffff)))
    let body = [UInt8](repeating: 0, count: 32 << 20)
    let request = Task { await client.outcome(HTTP2Request(path: "/", body: body)) }
    try await HangGuard.wait(while: await !client.isHeldUp)
    try await server.changeKeys(
      saying: RawPeer.frame(.headers, flags: RawPeer.endHeaders | RawPeer.endStream, stream: 1, [0x88]))
    // The answer comes before the request is whole, whose rest is then not sent.
    let last = try await server.next {
      $0.kind == .reset || $0.kind == .data && $0.flags & RawPeer.endStream != 0
    }
    #expect(last?.kind == .reset)
    #expect(await request.value == .success(HTTP2Response(status: 200)))
    await client.close()
  }

  @Test("A server that reads on finds what TLS had read before")
  func readingOn() async throws {
    let server = try await TestServer { request in
      if request.stream == 1 { await request.connection.set(reading: false) }
      return .silence
    }
    let peer = try await RawPeer.client(of: server)
    let served = try #require(await server.server.connections.first)
    // Each is a record of TLS, of which the server reads sixteen in a turn.
    try await peer.send(
      each: (0..<20).map { number in
        RawPeer.frame(
          .headers, flags: RawPeer.endHeaders | RawPeer.endStream, stream: 2 * number + 1,
          [0x83, 0x87, 0x84, 0x41, 1, UInt8(ascii: "h")])
      })
    try await HangGuard.wait(while: await served.requestCount < 10)
    #expect(await served.requestCount < 20)
    await served.set(reading: true)
    #expect(await served.requestCount == 20)
    await server.server.stop()
  }
}
