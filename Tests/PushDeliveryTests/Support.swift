import PushCrypto
import PushDelivery
import PushNetwork
import PushSealer
import PushTesting
import Synchronization
import TestSupport
import Testing

/// A server that is not to be trusted.
struct UntrustedServer: CustomTestStringConvertible {
  let testDescription: String
  var identity = Scene.identity
  var offersHTTP2 = true
  let reason: String

  static let all = [
    UntrustedServer(
      testDescription: "wrong name",
      identity: Scene.authority.identity(for: CertificateSubject(hosts: ["elsewhere.example"])),
      reason: "hostname mismatch"),
    UntrustedServer(
      testDescription: "expired",
      identity: Scene.authority.identity(
        for: CertificateSubject(hosts: ["localhost"], validity: -7200 ... -3600)),
      reason: "certificate has expired"),
    UntrustedServer(
      testDescription: "self-signed",
      identity: CertificateAuthority.selfSigned(for: CertificateSubject(hosts: ["localhost"])),
      reason: "certificate"),
    UntrustedServer(testDescription: "no ALPN", offersHTTP2: false, reason: "HTTP/2"),
  ]
}

/// What a server that plays APNs saw.
final class Record: Sendable {
  private struct State {
    var requests = 0
    /// In the order in which they had requests.
    var connections: [HTTP2ServerConnection] = []
    var accepted: [String: Int] = [:]
    var tokens: Set<String> = []
    var places: [String: HTTP2ServerRequest] = [:]
    /// The connections are held: another one must not get the identity of one that is gone.
    var onConnection: [ObjectIdentifier: (connection: HTTP2ServerConnection, count: Int)] = [:]
  }

  private let state = Mutex(State())

  /// Counts a request, and gives its number, from 1.
  func count(_ request: HTTP2ServerRequest) -> Int {
    state.withLock { state in
      state.requests += 1
      state.tokens.insert(request["authorization"] ?? "")
      return state.requests
    }
  }

  /// Counts a request on its connection, and gives its number there, from 1.
  func countOnConnection(_ request: HTTP2ServerRequest) -> Int {
    state.withLock { state in
      state.onConnection[ObjectIdentifier(request.connection), default: (request.connection, 0)].count += 1
      return state.onConnection[ObjectIdentifier(request.connection)]?.count ?? 0
    }
  }

  /// Whether a request is on the connection on which the first one came.
  func isOnFirstConnection(_ request: HTTP2ServerRequest) -> Bool { connectionNumber(of: request) == 1 }

  /// The number of a request's connection, from 1, in the order in which they had requests.
  func connectionNumber(of request: HTTP2ServerRequest) -> Int {
    state.withLock { state in
      if let place = state.connections.firstIndex(where: { $0 === request.connection }) { return place + 1 }
      state.connections.append(request.connection)
      return state.connections.count
    }
  }

  /// Keeps a request, to find its stream later.
  func keep(_ request: HTTP2ServerRequest) {
    state.withLock { $0.places[request["apns-id"] ?? ""] = request }
  }

  /// The request that was kept for a message.
  func request(of id: String) -> HTTP2ServerRequest? { state.withLock { $0.places[id] } }

  /// Accepts a push.
  func accept(_ request: HTTP2ServerRequest) -> HTTP2ServerAnswer {
    let id = request["apns-id"] ?? ""
    state.withLock { $0.accepted[id, default: 0] += 1 }
    return .response(HTTP2Response(status: 200, fields: [HTTPField(name: "apns-id", value: id)]))
  }

  var requests: Int { state.withLock(\.requests) }
  var accepted: Set<String> { state.withLock { Set($0.accepted.keys) } }
  var tokens: Set<String> { state.withLock(\.tokens) }

  /// How many pushes were accepted more than once, each time counted.
  var duplicates: Int { state.withLock { $0.accepted.values.reduce(0) { $0 + $1 - 1 } } }
}

/// A server that plays APNs, and a client.
struct Scene {
  typealias Script = @Sendable (_ number: Int, HTTP2ServerRequest, Record) async -> HTTP2ServerAnswer

  static let authority = CertificateAuthority()
  static let identity = authority.identity(for: CertificateSubject(hosts: ["localhost"]))
  static let topic = topic("com.example.app")

  /// The key of RFC 6979, A.2.5, as Apple would issue it.
  static let p8: [UInt8] = pem(of: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")

  static func topic(_ text: String) -> Topic {
    guard let topic = try? Topic(text) else { preconditionFailure("a topic") }
    return topic
  }

  private static func pem(of hex: String) -> [UInt8] {
    guard let key = try? DeviceToken(hex).bytes, let publicKey = try? P256.publicKey(of: key.span),
      let text = PEM.privateKey(key.span, publicKey: publicKey.span, kind: DHKEM.p256)
    else { preconditionFailure("a key") }
    return text
  }

  let server: HTTP2Server
  let record: Record
  let client: APNsClient
  /// What the figures of a whole run are called.
  var name = ""

  init(
    keys: APNsKeys? = nil, clock: any PushClock = SystemClock(), identity: TLSIdentity = identity,
    offersHTTP2: Bool = true,
    limits: HTTP2Limits = .init(), configuration change: (inout APNsConfiguration) -> Void = { _ in },
    report: (@Sendable (DeliveryEvent) -> Void)? = nil,
    script: @escaping Script
  ) async throws {
    let record = Record()
    let server = try await HTTP2Server.start(
      context: TLSContext(identity: identity, offersHTTP2: offersHTTP2), limits: limits
    ) { request in
      await script(record.count(request), request, record)
    }
    var configuration = Self.configuration(port: server.port)
    change(&configuration)
    let keys = try keys ?? APNsKeys(Self.token())
    let client = try APNsClient(keys: keys, configuration: configuration, clock: clock, report: report)
    (self.server, self.record, self.client) = (server, record, client)
  }

  /// Waits of milliseconds, and as many attempts as it takes.
  static func configuration(port: UInt16) -> APNsConfiguration {
    var configuration = APNsConfiguration()
    let server = APNsConfiguration.Server(host: "localhost", port: port, address: "127.0.0.1")
    configuration.servers = [.sandbox: server, .production: server]
    configuration.additionalRoot = authority.root
    configuration.retries.firstDelay = .milliseconds(2)
    configuration.retries.maximumDelay = .milliseconds(50)
    configuration.retries.maximumAttempts = 1000
    return configuration
  }

  static func token() throws -> ProviderToken {
    try ProviderToken(p8: p8, keyID: "ABCDE12345", teamID: "FGHIJ67890")
  }

  static func address(_ environment: APNsEnvironment = .sandbox, topic: Topic = topic) -> DeviceAddress {
    DeviceAddress(
      topic: topic, environment: environment, token: DeviceToken([UInt8](repeating: 7, count: 32))!)
  }

  /// Sealed pushes with ids of their own.
  static func pushes(_ count: Int, topic: Topic = topic) throws -> [SealedNotification] {
    let device = KeySet(generating: .device, at: .now)
    let sealer = Sealer.anonymous(topic: topic)
    let recipient = try device.publicKeys.recipient()
    return try sealer.seal(
      (0..<count).map { _ in
        SealJob(.notification(RemoteNotification(title: "Ada", body: "Noon?")), to: recipient)
      }
    ).map { try $0.get() }
  }

  /// How a test has time of its own: nothing ends for want of time, unless the test says after how long.
  static func patiently(_ configuration: inout APNsConfiguration) {
    let ever = Duration.seconds(1 << 30)
    configuration.retries = RetryPolicy()
    configuration.retries.maximumAttempts = 1000
    configuration.retries.totalTime = ever
    configuration.retries.attemptTime = ever
    configuration.retries.patience = ever
    configuration.connection.connectionTimeout = ever
    configuration.connection.pingAfter = (idle: ever, busy: ever)
  }

  /// Moves a clock when nothing has happened for a while, by steps that grow; cancel the task to end it.
  func mover(of clock: ManualClock) -> Task<Void, Never> {
    Task { [record, client, server] in
      var (requests, metrics) = (0, client.metrics)
      var stillness = 0
      while !Task.isCancelled {
        let isStill = record.requests == requests && client.metrics == metrics
        (requests, metrics) = (record.requests, client.metrics)
        stillness = isStill ? stillness + 1 : 0
        // A machine that is busy with something else is no reason.
        if stillness > 10 { clock.advance(by: min(.milliseconds(1 << min(stillness - 10, 20)), .seconds(5))) }
        try? await Task.sleep(for: .milliseconds(1))
        // Nor is a loop that is busy with other tests: this waits for it.
        _ = await server.connections
      }
    }
  }

  /// Sends pushes while a clock moves, if one is given, and says how each ended.
  func deliver(
    _ pushes: [SealedNotification], moving clock: ManualClock? = nil,
    then ended: @Sendable (Delivered<AddressedPush>) async -> Void = { _ in }
  ) async -> [Delivered<AddressedPush>] {
    let mover = clock.map(mover)
    defer { mover?.cancel() }
    let jobs = AsyncStream { continuation in
      for push in pushes { continuation.yield(AddressedPush(push, to: Self.address())) }
      continuation.finish()
    }
    var results: [Delivered<AddressedPush>] = []
    for await result in client.send(jobs) {
      await ended(result)
      results.append(result)
    }
    return results
  }

  func stop() async {
    client.shutdown()
    await server.stop()
  }
}

extension Result where Success == APNsResponse, Failure == DeliveryError {
  var isAccepted: Bool { (try? get().isAccepted) == true }
}
