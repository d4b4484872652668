import PushCore
import PushDelivery
import PushNetwork
import PushSealer
import Synchronization
import TestSupport
import Testing

/// A client with the keys of several apps.
@Suite("Keys of several apps", .hangGuard) struct KeysTests {
  private static let other = Scene.topic("com.example.other")

  private static func token(_ keyID: String, of teamID: String = "FGHIJ67890") throws -> ProviderToken {
    try ProviderToken(p8: Scene.p8, keyID: keyID, teamID: teamID)
  }

  /// What a client has shown to a server.
  private static func header(_ key: ProviderToken) -> String { key.authorization(at: .now) }

  private static func send(
    _ scene: Scene, to topic: Topic = Scene.topic, _ environment: APNsEnvironment = .sandbox
  ) async throws -> APNsResponse {
    try await scene.client.send(
      try Scene.pushes(1, topic: topic)[0], to: Scene.address(environment, topic: topic))
  }

  /// A server that refuses one key, and keeps which key came for which app.
  private static func scene(
    _ keys: APNsKeys, refusing refused: String? = nil
  ) async throws -> (scene: Scene, shown: @Sendable () -> [String: Set<String>]) {
    let shown = SharedKeys()
    let scene = try await Scene(keys: keys) { _, request, record in
      let key = request["authorization"] ?? ""
      shown.add(key, to: request["apns-topic"] ?? "")
      guard key != refused else {
        return .response(
          HTTP2Response(status: 403, fields: [], body: Array(#"{"reason":"InvalidProviderToken"}"#.utf8)))
      }
      return record.accept(request)
    }
    return (scene, { shown.all })
  }

  private final class SharedKeys: Sendable {
    private let state = Mutex<[String: Set<String>]>([:])
    var all: [String: Set<String>] { state.withLock(\.self) }
    func add(_ key: String, to topic: String) { state.withLock { _ = $0[topic, default: []].insert(key) } }
  }

  @Test("each app's pushes have its own key, and those of no key's app the key for all others")
  func own() async throws {
    let (first, rest) = (try Self.token("AAAAAAAAAA"), try Self.token("BBBBBBBBBB", of: "ZZZZZZZZZZ"))
    let keys = try APNsKeys([APNsKey(first, topics: [Scene.topic]), APNsKey(rest)])
    let (scene, shown) = try await Self.scene(keys)
    for topic in [Scene.topic, Self.other] { #expect(try await Self.send(scene, to: topic).isAccepted) }
    #expect(shown() == [Scene.topic.text: [Self.header(first)], Self.other.text: [Self.header(rest)]])
    await scene.stop()
  }

  @Test("a key for one environment is not shown in the other one")
  func environments() async throws {
    let keys = try APNsKeys([APNsKey(Self.token("AAAAAAAAAA"), environments: [.sandbox])])
    let (scene, _) = try await Self.scene(keys)
    #expect(try await Self.send(scene).isAccepted)
    let error = DeliveryError(cause: .noKey(Scene.topic, .production), mayBeDelivered: false)
    await #expect(throws: error) { try await Self.send(scene, .production) }
    #expect(scene.record.requests == 1)
    await scene.stop()
  }

  @Test("a key that is refused stops its own app; with another key, the app goes on at once")
  func refused() async throws {
    let (wrong, right) = (try Self.token("AAAAAAAAAA"), try Self.token("BBBBBBBBBB"))
    let keys = try APNsKeys([APNsKey(wrong, topics: [Scene.topic]), APNsKey(right, topics: [Self.other])])
    let (scene, _) = try await Self.scene(keys, refusing: Self.header(wrong))
    #expect(try await Self.send(scene).reason == .invalidProviderToken)
    let stopped = DeliveryError(cause: .routeStopped(.invalidProviderToken), mayBeDelivered: false)
    await #expect(throws: stopped) { try await Self.send(scene) }
    #expect(try await Self.send(scene, to: Self.other).isAccepted)
    scene.client.replaceKeys(with: try APNsKeys([APNsKey(right, topics: [Scene.topic, Self.other])]))
    #expect(try await Self.send(scene).isAccepted)
    await scene.stop()
  }

  @Test("routes whose key stays keep their connections, and a stopped one stays stopped")
  func kept() async throws {
    let (first, second) = (try Self.token("AAAAAAAAAA"), try Self.token("BBBBBBBBBB"))
    let keys = try APNsKeys([APNsKey(first, topics: [Scene.topic]), APNsKey(second, topics: [Self.other])])
    let (scene, _) = try await Self.scene(keys, refusing: Self.header(second))
    #expect(try await Self.send(scene).isAccepted)
    #expect(try await Self.send(scene, to: Self.other).status == 403)
    // As after SIGHUP: the same keys, read again.
    let again = try APNsKeys([
      APNsKey(Self.token("BBBBBBBBBB"), topics: [Self.other]),
      APNsKey(Self.token("AAAAAAAAAA"), topics: [Scene.topic]),
    ])
    scene.client.replaceKeys(with: again)
    #expect(try await Self.send(scene).isAccepted)
    await #expect(throws: DeliveryError.self) { try await Self.send(scene, to: Self.other) }
    #expect(scene.client.metrics.connections == 2)
    await scene.stop()
  }

  @Test("a push that is on its way when its key is replaced ends with the key with which it began")
  func underway() async throws {
    let (old, new) = (try Self.token("AAAAAAAAAA"), try Self.token("BBBBBBBBBB"))
    let gate = AsyncStream<Void>.makeStream()
    let scene = try await Scene(keys: APNsKeys(old)) { _, request, record in
      if request["authorization"] == Self.header(old) { for await _ in gate.stream {} }
      return record.accept(request)
    }
    let first = Task { try await Self.send(scene) }
    try await HangGuard.wait(for: "the first request") { scene.record.requests == 1 }
    scene.client.replaceKeys(with: APNsKeys(new))
    #expect(try await Self.send(scene).isAccepted)
    gate.continuation.finish()
    #expect(try await first.value.isAccepted && scene.record.duplicates == 0)
    await scene.stop()
  }

  @Test("shutting down ends a push whose key was replaced")
  func shutDown() async throws {
    let scene = try await Scene(keys: APNsKeys(Self.token("AAAAAAAAAA"))) { _, _, _ in .silence }
    let first = Task { try await Self.send(scene) }
    try await HangGuard.wait(for: "the first request") { scene.record.requests == 1 }
    scene.client.replaceKeys(with: APNsKeys(try Self.token("BBBBBBBBBB")))
    scene.client.shutdown()
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: true)) { try await first.value }
    await scene.stop()
  }

  /// Keys that are wrong, and what is said.
  private struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let keys: [(topics: Set<Topic>?, environments: Set<APNsEnvironment>)]

    init(_ text: String, _ keys: (topics: Set<Topic>?, environments: Set<APNsEnvironment>)...) {
      (testDescription, self.keys) = (text, keys)
    }
  }

  private static let all = Set(APNsEnvironment.allCases)

  @Test(
    "keys of which a push would have two, or none be for anything, are refused with the key that is wrong",
    arguments: [
      Fault("keys: must be at least one"), Fault("keys[0].environments: must be at least one", (nil, [])),
      Fault("keys[0].topics: must be nil, or at least one", ([], all)),
      Fault(
        "keys[1].topics: must be without com.example.app, which another key has in production",
        ([Scene.topic], [.production]), ([Scene.topic, other], [.production])),
      Fault(
        "keys[1].topics: must be given, because another key is for all other apps in sandbox", (nil, all),
        (nil, [.sandbox])),
    ])
  private func faults(_ fault: Fault) throws {
    let token = try Self.token("AAAAAAAAAA")
    let error = #expect(throws: ConfigurationError.self) {
      try APNsKeys(fault.keys.map { APNsKey(token, topics: $0.topics, environments: $0.environments) })
    }
    #expect(error.map { "\($0)" } == fault.testDescription)
  }

  @Test("a key's own proxy takes the place of the client's, and each proxy is named once")
  func proxies() throws {
    var configuration = APNsConfiguration()
    configuration.proxy = try HTTPProxy(url: "http://usual.example:3128")
    let own = RouteProxy.proxy(try HTTPProxy(url: "http://ada:secret@own.example:3128"))
    let third = try Topic("com.example.third")
    let keys = try APNsKeys([
      APNsKey(Self.token("AAAAAAAAAA"), topics: [Scene.topic], proxy: own),
      APNsKey(Self.token("BBBBBBBBBB"), topics: [Self.other], proxy: own),
      APNsKey(Self.token("CCCCCCCCCC"), topics: [third], proxy: .none), APNsKey(Self.token("DDDDDDDDDD")),
    ])
    let client = try APNsClient(keys: keys, configuration: configuration)
    #expect(client.proxies.map(\.description) == ["own.example:3128", "usual.example:3128"])
    client.shutdown()
  }
}
