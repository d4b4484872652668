import Foundation
import Glibc
import Locks
import PushEnrolment
import PushTesting
import SealedPush
import TestSupport
import Testing

/// An app's registration at the running service, with a worker, and pushes through the stand-in for APNs.
@Suite("A phone's life at the service", .hangGuard)
struct PhoneLifeTests {
  @Test("a login, another account, and a sign-out without a connection")
  func story() async throws {
    let serve = try await ServeScene(Tool.audience)
    let (worker, _) = try await serve.scene.start("\(Tool.audience) --topic com.example.app")
    let app = try await ServedApp(serve)
    #expect(await app.registration.launch(as: []).standing == .nobody)

    try await app.logIn("ada-lovelace")
    #expect(try await app.persons == ["ada-lovelace"])
    #expect(try app.shared.senders.load() != nil)
    #expect(await app.registration.launch(as: ["ada-lovelace"]).standing == .registered)

    try await app.logIn("bob")
    #expect(try await app.persons == ["bob"])
    #expect(await app.registration.state.untoldSignOuts == 0)

    app.service.isReachable.withLock { $0 = false }
    let left = await app.registration.signOut()
    #expect(left.standing == .nobody && left.untoldSignOuts == 1)
    #expect(try await app.persons == ["bob"])
    app.service.isReachable.withLock { $0 = true }
    #expect(await app.registration.launch(as: []).untoldSignOuts == 0)
    #expect(try await app.persons.isEmpty)

    worker.send(SIGTERM)
    _ = try await worker.wait()
    try await serve.end()
  }
}

/// The app on the stand-in's phone.
private final class ServedApp {
  let shared: SharedPush
  let registration: PushRegistration
  let service: ProxiedService
  private let serve: ServeScene
  private let folder: TemporaryFolder
  private let handled = Mutex(0)

  init(_ serve: ServeScene) async throws {
    self.serve = serve
    folder = try TemporaryFolder()
    try await serve.tool.succeed("keys export --keys root.jwks --out roots.jwks")
    let (keychain, roots) = (InMemoryKeyStore(), try PublicKeySet(parsing: serve.tool.contents("roots.jwks")))
    let audience = try Audience(String(Tool.audience.split(separator: " ")[1]))
    shared = SharedPush(
      topic: try Topic("com.example.app"), audience: audience, folder: folder.path, keys: keychain,
      roots: roots)
    service = ProxiedService(port: serve.port)
    registration = PushRegistration(
      of: shared, in: .sandbox, keys: keychain, service: service,
      path: folder.path(of: "registration.json"), removeNotifications: {})
    await registration.know(token: try DeviceToken(serve.scene.apns.token))
  }

  /// A person logs in, and the phone answers the requests that are pushed to it, until it is registered.
  func logIn(_ person: String) async throws {
    await registration.register(login: person)
    while await registration.state.standing == .pending {
      let number = handled.withLock { $0 }
      let push = try await serve.scene.apns.pushes(number + 1)[number]
      handled.withLock { $0 += 1 }
      let payload = try await serve.scene.apns.payload(of: push)
      _ = await registration.receive(EnvelopeField(data: try JSONObject(parsing: Array(payload.utf8))))
    }
    #expect(await registration.state.standing == .registered)
  }

  /// The persons of the devices in the store.
  var persons: [String] {
    get async throws {
      let lines = try await serve.scene.daemon("devices --json").lines
      return try lines.compactMap { try JSONObject(parsing: Array($0.utf8))["person"]?.string }
    }
  }
}

/// The service, as its proxy asks it for an app.
private final class ProxiedService: EnrolmentService {
  let isReachable = Mutex(true)
  private let port: UInt16

  init(port: UInt16) { self.port = port }

  func send(_ request: ServiceRequest, as person: String?) async throws -> ServiceResponse {
    guard isReachable.withLock({ $0 }) else { throw URLError(.notConnectedToInternet) }
    var headers =
      person.map { ServeScene.headers($0, login: "\($0)'s") } ?? [("SealedPush-Secret", ServeScene.secret)]
    for (name, value) in request.headers { headers.append((name, value)) }
    if request.method == "POST" { headers.append(("Content-Length", "\(request.body.count)")) }
    let text = ServeScene.request("\(request.method) \(request.path)", headers)
    let answer = try await ServeScene.Visit(at: port).exchange(
      text + String(decoding: request.body, as: UTF8.self))
    return ServiceResponse(status: answer.status, body: Array(answer.body.utf8))
  }
}
