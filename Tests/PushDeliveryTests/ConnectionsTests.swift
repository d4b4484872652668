import PushDelivery
import PushNetwork
import PushSealer
import PushTesting
import Synchronization
import TestSupport
import Testing

/// How many pushes the server lets be open on a connection.
private let streams = 10

/// How many connections a route has, and that each is one as the first was.
@Suite(.hangGuard) struct ConnectionsTests {
  /// Where requests wait until a test lets them go on.
  private final class Gate: Sendable {
    private struct State {
      var isOpen = true
      var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass() async {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if !state.isOpen { state.waiters.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
      let waiters = state.withLock { state in
        state.isOpen = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  private typealias Outcome = Result<APNsResponse, DeliveryError>

  /// A server that allows ten streams, with a gate, and pushes that are on their way to it.
  private final class Crowd: Sendable {
    let clock = ManualClock(.now)
    let gate = Gate()
    let scene: Scene
    private let push: SealedNotification
    private let tasks = Mutex<[Task<Outcome, Never>]>([])

    init(
      connections: Int = 256, policy change: (inout ConnectionPolicy) -> Void = { _ in },
      retries changeRetries: (inout RetryPolicy) -> Void = { _ in },
      answer: @escaping Scene.Script = { _, request, record in record.accept(request) }
    ) async throws {
      push = try Scene.pushes(1)[0]
      var limits = HTTP2Limits()
      (limits.concurrentStreams, limits.connections) = (streams, connections)
      scene = try await Scene(clock: clock, limits: limits) { configuration in
        Scene.patiently(&configuration)
        configuration.connections.streams = streams
        change(&configuration.connections)
        changeRetries(&configuration.retries)
      } script: { [gate] number, request, record in
        // The first one of each connection says that the server lives.
        if record.countOnConnection(request) > 1 { await gate.pass() }
        return await answer(number, request, record)
      }
    }

    /// Sends so many pushes.
    func send(_ count: Int) {
      let new = (0..<count).map { _ in
        Task { [client = scene.client, push] () -> Outcome in
          do throws(DeliveryError) {
            return .success(try await client.send(push, to: Scene.address()))
          } catch {
            return .failure(error)
          }
        }
      }
      tasks.withLock { $0 += new }
    }

    /// How all pushes ended that were sent.
    func outcomes() async -> [Outcome] {
      let tasks = tasks.withLock { tasks in
        defer { tasks = [] }
        return tasks
      }
      var outcomes: [Outcome] = []
      for task in tasks { outcomes.append(await task.value) }
      return outcomes
    }

    /// Sends one push, and then has one more than the streams of the only connection, where they wait.
    func fill() async throws {
      send(1)
      #expect(await outcomes().allSatisfy(\.isAccepted))
      gate.close()
      let before = scene.record.requests
      send(2 * streams)
      try await HangGuard.wait(for: "full streams") { scene.record.requests >= before + streams }
    }

    /// Lets time pass, with a push now and then, until there are so many connections.
    func crowd(until connections: Int) async throws {
      try await HangGuard.wait(for: "\(connections) connections") {
        clock.advance(by: .milliseconds(50))
        send(1)
        return scene.client.metrics.connections >= connections
      }
    }

    /// Waits until the server has so many connections, while time passes.
    func wait(untilOpen count: Int, moving step: Duration = .zero) async throws {
      try await HangGuard.wait(for: "\(count) open connections") {
        clock.advance(by: step)
        return await scene.server.connections.count == count
      }
    }

    /// Ends, and expects what holds in any case.
    func end() async {
      for connection in await scene.server.connections {
        #expect(await connection.mostOpenStreams <= streams)
      }
      gate.open()
      await scene.stop()
    }
  }

  @Test("A route whose connection is full for a second gets another, which takes its new pushes")
  func fullForLong() async throws {
    let crowd = try await Crowd()
    try await crowd.fill()
    let start = crowd.clock.uptime
    try await crowd.crowd(until: 2)
    #expect(crowd.clock.uptime - start >= .seconds(1))
    let before = crowd.scene.record.requests
    crowd.send(5)
    try await HangGuard.wait(for: "requests on another connection") {
      crowd.scene.record.requests >= before + 5
    }
    crowd.gate.open()
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    #expect(crowd.scene.client.metrics.connections == 2 && crowd.scene.client.metrics.unknown == 0)
    await crowd.end()
  }

  @Test("A connection that is full for a moment, again and again, is enough")
  func fullForAMoment() async throws {
    let crowd = try await Crowd()
    for _ in 1...3 {
      try await crowd.fill()
      crowd.clock.advance(by: .milliseconds(600))
      crowd.send(5)
      crowd.gate.open()
      #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    }
    // Another one would be there by now.
    for _ in 1...50 {
      crowd.send(1)
      #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    }
    #expect(crowd.scene.client.metrics.connections == 1)
    await crowd.end()
  }

  @Test("A route never has more connections than its maximum", arguments: [1, 3])
  func maximum(count: Int) async throws {
    let crowd = try await Crowd { $0.maximum = count }
    try await crowd.fill()
    try await crowd.crowd(until: count)
    for _ in 1...20 {
      crowd.clock.advance(by: .seconds(1))
      crowd.send(streams * count)
      // What happens meanwhile is seen by the server.
      _ = await crowd.scene.client.stoppedRoutes
      #expect(await crowd.scene.server.connections.count <= count)
    }
    crowd.gate.open()
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    #expect(crowd.scene.client.metrics.connections == count)
    #expect(await crowd.scene.server.connectionCount == count)
    await crowd.end()
  }

  @Test("Before a connection's first answer, the server's limit says nothing, and there is no other")
  func beginning() async throws {
    let first = Gate()
    first.close()
    let crowd = try await Crowd(answer: { number, request, record in
      await first.pass()
      return record.accept(request)
    })
    crowd.send(3 * streams)
    try await HangGuard.wait(for: "ten seconds, with a push now and then") {
      crowd.clock.advance(by: .milliseconds(50))
      crowd.send(1)
      // Those before have come to the route.
      _ = await crowd.scene.client.stoppedRoutes
      return crowd.clock.uptime >= .seconds(10)
    }
    // The first one's answer has not come, and that of another connection neither.
    #expect(await crowd.scene.server.connectionCount == 1)
    first.open()
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    #expect(crowd.scene.client.metrics.connections == 1)
    await crowd.end()
  }

  @Test("A connection that is not needed for a minute is closed, and one stays")
  func spare() async throws {
    let crowd = try await Crowd()
    try await crowd.fill()
    try await crowd.crowd(until: 2)
    crowd.gate.open()
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    let start = crowd.clock.uptime
    try await crowd.wait(untilOpen: 1, moving: .milliseconds(100))
    #expect(crowd.clock.uptime - start >= .seconds(59))
    crowd.clock.advance(by: .seconds(3000))
    crowd.send(3)
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    #expect(crowd.scene.client.metrics.connections == 2)
    #expect(await crowd.scene.server.connections.count == 1)
    await crowd.end()
  }

  @Test(
    "A server that takes no more connections is asked again after a minute, and gets all pushes over the first"
  )
  func noneLeft() async throws {
    let crowd = try await Crowd(connections: 1)
    try await crowd.fill()
    func attempts(_ count: Int) async throws {
      try await HangGuard.wait(for: "an attempt") {
        crowd.clock.advance(by: .milliseconds(100))
        crowd.send(1)
        return crowd.scene.client.metrics.failedConnections >= count
      }
    }
    try await attempts(1)
    let start = crowd.clock.uptime
    try await attempts(2)
    #expect(crowd.clock.uptime - start >= .seconds(59))
    crowd.gate.open()
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    #expect(crowd.scene.client.metrics.connections == 1)
    await crowd.end()
  }

  @Test("After GOAWAY on one connection the pushes go over the other")
  func goodbye() async throws {
    let crowd = try await Crowd()
    try await crowd.fill()
    try await crowd.crowd(until: 2)
    let connections = await crowd.scene.server.connections
    #expect(connections.count == 2)
    await connections[0].goAway()
    crowd.gate.open()
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    try await crowd.wait(untilOpen: 1)
    crowd.send(5)
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    #expect(crowd.scene.client.metrics.connections == 2 && crowd.scene.client.metrics.unknown == 0)
    await crowd.end()
  }

  @Test("One connection that is silent is given up, while the other one answers")
  func silent() async throws {
    let crowd = try await Crowd {
      $0.spareTime = .seconds(1 << 30)
    } retries: {
      $0.attemptTime = .seconds(30)
    } answer: { number, request, record in
      record.connectionNumber(of: request) == 2 ? .silence : record.accept(request)
    }
    try await crowd.fill()
    try await crowd.crowd(until: 2)
    crowd.send(5)
    crowd.gate.open()
    // The first one goes on to answer; the second one's pushes wait for their deadline.
    try await crowd.wait(untilOpen: 1, moving: .milliseconds(100))
    let mover = crowd.scene.mover(of: crowd.clock)
    #expect(await crowd.outcomes().allSatisfy(\.isAccepted))
    mover.cancel()
    #expect(crowd.scene.client.metrics.connections == 2)
    await crowd.end()
  }

  @Test("Shutting down ends the pushes of each connection, once and with what is known of them")
  func shutdown() async throws {
    let crowd = try await Crowd()
    try await crowd.fill()
    try await crowd.crowd(until: 2)
    let before = crowd.scene.record.requests
    crowd.send(5)
    try await HangGuard.wait(for: "requests on another connection") {
      crowd.scene.record.requests >= before + 5
    }
    crowd.scene.client.shutdown()
    let errors = await crowd.outcomes().compactMap { outcome in
      if case .failure(let error) = outcome { error } else { nil }
    }
    #expect(errors.allSatisfy { $0.cause == .shutDown })
    // The first push of each connection was answered.
    let sent = errors.count { $0.mayBeDelivered }
    #expect(sent > streams && sent <= 2 * streams && errors.count > sent)
    try await crowd.wait(untilOpen: 0)
    await crowd.end()
  }
}
