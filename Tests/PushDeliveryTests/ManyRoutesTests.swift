import PushDelivery
import PushNetwork
import PushKeys
import PushSealer
import PushTesting
import Synchronization
import TestSupport
import Testing

/// What a client does about more routes than it is to remember.
@Suite(.hangGuard) struct ManyRoutesTests {
  private static let topics = (0..<4).map { Scene.topic("com.example.app\($0)") }

  /// A client that remembers two routes.
  private static func scene(
    _ script: @escaping Scene.Script = { _, request, record in record.accept(request) }
  ) async throws -> Scene {
    try await Scene(configuration: { $0.connections.maximumRoutes = 2 }, script: script)
  }

  /// Sends a push of a topic, and gives how it ended.
  private static func send(_ scene: Scene, _ topic: Topic) async -> Result<APNsResponse, DeliveryError> {
    do throws(DeliveryError) {
      return .success(try await scene.client.send(push(topic)))
    } catch {
      return .failure(error)
    }
  }

  private static func push(_ topic: Topic) -> AddressedPush {
    guard let push = try? Scene.pushes(1, topic: topic)[0] else { preconditionFailure("it can be sealed") }
    return AddressedPush(push, to: Scene.address(topic: topic))
  }

  /// Sends a push of each topic in a sequence, and gives how many were accepted.
  private static func sendAll(_ scene: Scene, _ topics: [Topic]) async -> Int {
    let jobs = AsyncStream { continuation in
      for topic in topics { continuation.yield(push(topic)) }
      continuation.finish()
    }
    var accepted = 0
    for await delivered in scene.client.send(jobs) where delivered.result.isAccepted { accepted += 1 }
    return accepted
  }

  /// Waits until two connections are open, one for each route.
  private static func waitForTwo(_ scene: Scene) async throws {
    try await HangGuard.wait(for: "two open connections") { await scene.server.connections.count == 2 }
  }

  /// Waits for the same while there are new routes, as others go only then.
  private static func waitForTwoAmongNew(_ scene: Scene) async throws {
    var next = 0
    try await HangGuard.wait(for: "two open connections") {
      if await scene.server.connections.count == 2 { return true }
      next += 1
      #expect(await send(scene, Scene.topic("com.example.new\(next)")).isAccepted)
      return false
    }
  }

  @Test("The route that was used longest ago goes with its connection, and comes back with its next push")
  func oldest() async throws {
    let scene = try await Self.scene()
    for index in [0, 1, 0, 2] { #expect(await Self.send(scene, Self.topics[index]).isAccepted) }
    #expect(scene.client.metrics.connections == 3)
    try await Self.waitForTwo(scene)
    // The first one was used since.
    #expect(await Self.send(scene, Self.topics[0]).isAccepted)
    #expect(scene.client.metrics.connections == 3)
    #expect(await Self.send(scene, Self.topics[1]).isAccepted)
    #expect(scene.client.metrics.connections == 4)
    try await Self.waitForTwo(scene)
    await scene.stop()
  }

  @Test("The routes of a sequence go too")
  func sequence() async throws {
    let scene = try await Self.scene()
    #expect(await Self.sendAll(scene, Self.topics) == 4)
    #expect(await Self.sendAll(scene, Self.topics.reversed()) == 4)
    try await Self.waitForTwoAmongNew(scene)
    await scene.stop()
  }

  @Test("A route with a push on its way stays")
  func busy() async throws {
    let arrived = Mutex<[CheckedContinuation<Void, Never>]>([])
    let scene = try await Self.scene { _, request, record in
      if request["apns-topic"] == Self.topics[0].text {
        await withCheckedContinuation { continuation in arrived.withLock { $0.append(continuation) } }
      }
      return record.accept(request)
    }
    let first = Task { await Self.send(scene, Self.topics[0]) }
    try await HangGuard.wait(for: "the first push") { arrived.withLock { !$0.isEmpty } }
    for topic in Self.topics.dropFirst() { #expect(await Self.send(scene, topic).isAccepted) }
    try await Self.waitForTwoAmongNew(scene)
    for continuation in arrived.withLock(\.self) { continuation.resume() }
    #expect(try await first.value.get().attempts == 1)
    await scene.stop()
  }
}
