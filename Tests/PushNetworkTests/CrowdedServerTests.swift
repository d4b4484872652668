import PushTesting
import TestSupport
import Testing

@testable import PushNetwork

/// A server with as many connections as it may have.
@Suite(.hangGuard) struct CrowdedServerTests {
  private func server(connections: Int) async throws -> TestServer {
    var limits = HTTP2Limits()
    limits.connections = connections
    limits.silentTimeWhenFull = .zero
    return try await TestServer(limits: limits) { _ in .response(HTTP2Response(status: 200)) }
  }

  @Test("Clients that connect and ask nothing keep nobody out")
  func silent() async throws {
    let server = try await server(connections: 2)
    let address = try await Resolver.shared.answer(for: "127.0.0.1", port: server.server.port).get()[0]
    let others = try (0..<10).map { _ in try Socket.connecting(to: address) }
    try await HangGuard.wait(for: "the others") { await server.server.connectionCount == 10 }
    let client = try await server.connect()
    #expect(try await client.outcome().get().status == 200)
    withExtendedLifetime(others) {}
  }

  @Test("A client that has asked keeps its place")
  func asked() async throws {
    let server = try await server(connections: 1)
    let client = try await server.connect()
    #expect(try await client.outcome().get().status == 200)
    await #expect(throws: HTTP2Error.self) { try await server.connect() }
    #expect(try await client.outcome().get().status == 200)
  }
}
