import PushDelivery
import PushNetwork
import PushSimulation
import PushTesting
import Synchronization
import TestSupport
import Testing

/// Pushes that are sent as they come, on a connection that is there, so that most need no task of their own.
@Suite(.hangGuard) struct SequenceTests {
  /// A sequence whose first push was accepted, so that there is a connection.
  private struct Sequence {
    let scene: Scene
    let task: Task<Void, Never>
    private let results: @Sendable () -> [Result<APNsResponse, DeliveryError>]
    private let jobs: AsyncStream<AddressedPush>.Continuation

    init(_ scene: Scene) async throws {
      let (stream, jobs) = AsyncStream<AddressedPush>.makeStream()
      let results = Mutex<[Result<APNsResponse, DeliveryError>]>([])
      let box = Box(results)
      self.scene = scene
      self.jobs = jobs
      self.results = { box.value.withLock(\.self) }
      task = Task { [client = scene.client] in
        for await delivered in client.send(stream) { box.value.withLock { $0.append(delivered.result) } }
      }
      try send(1)
      try await waitForResults(1)
    }

    func send(_ count: Int) throws {
      for push in try Scene.pushes(count) { jobs.yield(AddressedPush(push, to: Scene.address())) }
    }

    func waitForResults(_ count: Int) async throws {
      try await HangGuard.wait(for: "\(count) results") { results().count == count }
    }

    var last: Result<APNsResponse, DeliveryError>? { results().last }

    func end() async {
      task.cancel()
      await task.value
      await scene.stop()
    }
  }

  private final class Box: Sendable {
    let value: Mutex<[Result<APNsResponse, DeliveryError>]>

    init(_ value: consuming Mutex<[Result<APNsResponse, DeliveryError>]>) { self.value = value }
  }

  /// Lets the connections do whatever they can.
  private static func settle(_ scene: Scene) async {
    for _ in 0..<100 { _ = await scene.server.connections }
  }

  @Test("A client whose pushes are done is kept by nothing of theirs")
  func letGo() async throws {
    weak var client: APNsClient?
    let server: HTTP2Server
    do {
      let scene = try await Scene { _, request, record in record.accept(request) }
      (client, server) = (scene.client, scene.server)
      for _ in 1...2 { #expect(await scene.deliver(try Scene.pushes(2)).count == 2) }
    }
    // Tasks that have ended may still be on their way out.
    try await HangGuard.wait(for: "the end of the client") { client == nil }
    await server.stop()
  }

  @Test("When nobody wants the results any more, the requests on their way end")
  func cancelled() async throws {
    let scene = try await Scene { number, request, record in number == 1 ? record.accept(request) : .silence }
    let sequence = try await Sequence(scene)
    try sequence.send(3)
    try await HangGuard.wait(for: "the requests") { scene.record.requests == 4 }
    sequence.task.cancel()
    try await HangGuard.wait(for: "their ends") { scene.client.metrics.unknown == 3 }
    await sequence.end()
  }

  @Test("When nobody wants the results any more, nothing is sent again")
  func cancelledWaiting() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(clock: clock, configuration: Scene.patiently) { number, request, record in
      number == 1 ? record.accept(request) : LossTests.answer(503, "ServiceUnavailable")
    }
    let sequence = try await Sequence(scene)
    try sequence.send(3)
    try await HangGuard.wait(for: "the answers") { scene.client.metrics.sent == 4 }
    await Self.settle(scene)
    sequence.task.cancel()
    await sequence.task.value
    clock.advance(by: .seconds(3600))
    await Self.settle(scene)
    #expect(scene.record.requests == 4)
    await sequence.end()
  }

  @Test("What comes while the route pauses is sent after that")
  func paused() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(clock: clock, configuration: Scene.patiently) { number, request, record in
      number == 2 ? LossTests.answer(429, "TooManyProviderTokenUpdates") : record.accept(request)
    }
    let sequence = try await Sequence(scene)
    try sequence.send(1)
    try await HangGuard.wait(for: "the pause") { scene.client.metrics.sent == 2 }
    await Self.settle(scene)
    try sequence.send(2)
    await Self.settle(scene)
    #expect(scene.record.requests == 2)
    try await HangGuard.wait(for: "the rest") {
      clock.advance(by: .seconds(5))
      return scene.record.requests == 5
    }
    try await sequence.waitForResults(4)
    await sequence.end()
  }

  @Test("What comes after the route was stopped is not sent")
  func stopped() async throws {
    let scene = try await Scene { number, request, record in
      number == 2 ? LossTests.answer(403, "InvalidProviderToken") : record.accept(request)
    }
    let sequence = try await Sequence(scene)
    try sequence.send(1)
    try await sequence.waitForResults(2)
    try sequence.send(1)
    try await sequence.waitForResults(3)
    let error = DeliveryError(cause: .routeStopped(.invalidProviderToken), mayBeDelivered: false)
    #expect(sequence.last == .failure(error))
    #expect(scene.record.requests == 2)
    await sequence.end()
  }

  @Test("A push that is not accepted at once is sent again, with the history of its first attempt")
  func again() async throws {
    let scene = try await Scene { number, request, record in
      number == 2 ? LossTests.answer(503, "ServiceUnavailable") : record.accept(request)
    }
    let sequence = try await Sequence(scene)
    try sequence.send(1)
    try await sequence.waitForResults(2)
    #expect(try sequence.last?.get().attempts == 2)
    await sequence.end()
  }
}
