import Glibc
import PushTesting
import TestSupport
import Testing

@testable import PushNetwork

/// What happens when the system has nothing more to give.
@Suite(.hangGuard) struct ExhaustionTests {
  @Test("A server without a descriptor for a connection waits for one, and does not ask again and again")
  func noneLeft() async {
    await #expect(processExitsWith: .success) {
      let clock = ManualClock(.now)
      let context = TLSContext(identity: TestServer.identity)
      let server = try await HTTP2Server.start(context: context, clock: clock) { _ in .silence }
      let address = try await Resolver.shared.answer(for: "127.0.0.1", port: server.port).get()[0]
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var taken: [CInt] = []
      while case let number = dup(0), number >= 0 { taken.append(number) }
      close(taken.removeLast())
      let client = try Socket.connecting(to: address)
      try await HangGuard.wait(while: await server.isAccepting)
      for number in taken { close(number) }
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      try await HangGuard.wait(while: await server.connectionCount == 0)
      try #require(await server.isAccepting)
      withExtendedLifetime(client) {}
    }
  }

  @Test("A server without a descriptor for a connection takes it when another one closes")
  func oneLessOpen() async {
    await #expect(processExitsWith: .success) {
      let context = TLSContext(identity: TestServer.identity)
      let server = try await HTTP2Server.start(context: context, clock: ManualClock(.now)) { _ in .silence }
      let address = try await Resolver.shared.answer(for: "127.0.0.1", port: server.port).get()[0]
      var first: Socket? = try Socket.connecting(to: address)
      try await HangGuard.wait(while: await server.connectionCount == 0)
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var last: CInt = -1
      while case let number = dup(0), number >= 0 { last = number }
      close(last)
      let second = try Socket.connecting(to: address)
      try await HangGuard.wait(while: await server.isAccepting)
      withExtendedLifetime(first) {}
      first = nil
      try await HangGuard.wait(while: await server.connectionCount == 1)
      withExtendedLifetime(second) {}
    }
  }

  @Test("A name is not looked up without a thread for it, which is an error and not the process's end")
  func noThread() async {
    await #expect(processExitsWith: .success) {
      let endpoint = HTTP2Endpoint(host: "localhost", port: 1)
      let context = TLSContext(trusting: .system)
      _ = try EventLoop.start()  // has its thread before there is no more room for the stack of one
      try Self.leaveNoRoomForAThread()
      let failure = await Self.failure(endpoint, context)
      try #require(failure == .name(ResolverError(code: EAI_AGAIN)))
    }
  }

  @Test("Without a descriptor for the loop there is no connection, until there is one")
  func noDescriptor() async {
    await #expect(processExitsWith: .success) {
      let endpoint = HTTP2Endpoint(host: "localhost", port: 1)
      let context = TLSContext(trusting: .system)
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      var taken: [CInt] = []
      while case let number = dup(0), number >= 0 { taken.append(number) }
      try #require(
        await Self.failure(endpoint, context) == .socket(SocketError("epoll_create1", errno: EMFILE)))
      close(taken.removeLast())
      try #require(await Self.failure(endpoint, context) == .socket(SocketError("eventfd", errno: EMFILE)))
      // Who waits to try again runs nevertheless.
      try #require(await Stranded().isRunning)
      for number in taken { close(number) }
      try #require(await Self.failure(endpoint, context)?.description == "connect: Connection refused")
    }
  }

  @Test("Without a thread for the loop there is no connection")
  func noLoop() async {
    await #expect(processExitsWith: .success) {
      let endpoint = HTTP2Endpoint(host: "localhost", port: 1)
      let context = TLSContext(trusting: .system)
      try Self.leaveNoRoomForAThread()
      try #require(
        await Self.failure(endpoint, context) == .socket(SocketError("pthread_create", errno: EAGAIN)))
    }
  }

  @Test("A loop that gets no thread keeps no descriptor")
  func nothingKept() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 256, rlim_max: 256)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      try Self.leaveNoRoomForAThread()
      // If each kept one, the last would find none.
      for _ in 0...256 {
        try #require(throws: SocketError("pthread_create", errno: EAGAIN)) { try EventLoop.start() }
      }
    }
  }

  @Test("A process without a standard input has a loop as well")
  func noStandardInput() async {
    await #expect(processExitsWith: .success) {
      close(0)
      try #require(!(try EventLoop.start().isCurrent))
      try #require(fcntl(0, F_GETFD) >= 0)  // the loop's descriptor
    }
  }

  @Test("Where there is no loop, a turn ends nevertheless")
  func turnEnd() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 0, rlim_max: 256)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let actor = Stranded()
      limit.rlim_cur = limit.rlim_max
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      await actor.waitForTurnEnd()
    }
  }

  @Test("A socket that the system does not watch is an error, and nobody waits for it")
  func notWatched() async throws {
    let loop = try EventLoop.start()
    #expect(throws: SocketError("epoll_ctl", errno: EBADF)) { try loop.add(Stranded(), on: -1, for: .read) }
  }

  /// An actor on the loop, or on what takes its place.
  private actor Stranded: LoopHandler {
    nonisolated let loop = EventLoop.shared
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private var waiter: CheckedContinuation<Void, Never>?

    var isRunning: Bool { true }

    func waitForTurnEnd() async {
      await withCheckedContinuation { continuation in
        waiter = continuation
        loop.callAtTurnEnd(self)
      }
    }

    func ready(for readiness: Readiness) {}

    func turnEnded() {
      waiter?.resume()
      waiter = nil
    }
  }

  private static func failure(_ endpoint: HTTP2Endpoint, _ context: TLSContext) async -> HTTP2Error? {
    do throws(HTTP2Error) {
      _ = try await HTTP2Connection.connect(to: endpoint, context: context, clock: ManualClock(.now))
      return nil
    } catch {
      return error
    }
  }

  /// Lets the process have no more memory than it has, but for what is much smaller than a thread's stack.
  private static func leaveNoRoomForAThread() throws {
    var limit = rlimit(rlim_cur: 0, rlim_max: .max)
    try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
    limit.rlim_cur = try addressSpace() + (1 << 20)
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
  }

  /// The bytes of the process's address space that are taken.
  private static func addressSpace() throws -> UInt {
    let file = unsafe try #require(fopen("/proc/self/statm", "r"))
    defer { unsafe fclose(file) }
    var text = [CChar](repeating: 0, count: 64)
    unsafe fgets(&text, 64, file)
    return UInt(unsafe strtoul(&text, nil, 10)) * UInt(sysconf(CInt(_SC_PAGESIZE)))
  }
}
