import Glibc
import PushTesting
import TestSupport
import Testing

@testable import PushHTTP2

@Suite(.hangGuard) struct DescriptorTests {
  @Test("A server without a descriptor for a connection waits for one, and does not ask again and again")
  func noneLeft() async {
    await #expect(processExitsWith: .success) {
      let clock = ManualClock(.now)
      let context = TLSContext(identity: TestServer.identity)
      let server = try await HTTP2Server.start(context, clock: clock) { _ in .silence }
      let address = try await Resolver.shared.answer(for: "127.0.0.1", port: server.port).get()[0]
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var taken: [CInt] = []
      while case let number = dup(0), number >= 0 { taken.append(number) }
      close(taken.removeLast())
      let client = try Socket.connecting(to: address)
      while await server.isAccepting { await Task.yield() }
      for number in taken { close(number) }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      while await server.connectionCount == 0 { await Task.yield() }
      try #require(await server.isAccepting)
      withExtendedLifetime(client) {}
    }
  }
}
