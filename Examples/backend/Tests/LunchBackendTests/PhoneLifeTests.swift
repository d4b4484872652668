import Foundation
import LunchBackend
import PushDelivery
import PushStandIn
import PushStore
import PushTesting
import Synchronization
import Testing

/// A phone's life against the whole backend: its routes, its worker, and pushes through a stand-in for APNs.
@Suite(.timeLimit(.minutes(10))) struct PhoneLifeTests {
  private let scene: LifeScene

  init() async throws { scene = try await LifeScene() }

  @Test("a login registers the phone, and a later launch changes nothing")
  func login() async throws {
    try await scene.whileItRuns {
      let phone = try scene.phone("ada's")
      try await phone.logIn("ada")
      #expect(try await scene.tell("ada"))
      #expect(try await phone.shows("Lunch"))
      #expect(await phone.registration.launch(as: ["ada"]).standing == .registered)
      #expect(await phone.registration.state.sendersFault == nil)
    }
  }

  @Test("what a restore brings to another phone begins there anew, and both are reached")
  func restored() async throws {
    try await scene.whileItRuns {
      let old = try scene.phone("old")
      try await old.logIn("ada")
      let new = try scene.phone("new", restoring: old)
      #expect(try await new.registration.needsRegistration(of: ["ada"]) == .restored)
      try await new.launch(as: "ada")
      #expect(try await scene.tell("ada"))
      #expect(try await new.shows("Lunch"))
      #expect(try await old.shows("Lunch"))
    }
  }

  @Test("after a reinstall the keys that are left are destroyed, and a login registers the phone")
  func reinstalled() async throws {
    try await scene.whileItRuns {
      let before = try scene.phone("before")
      try await before.logIn("ada")
      let after = try scene.phone("after", keychain: before.keychain)
      #expect(try await after.registration.needsRegistration(of: ["ada"]) == .reinstalled)
      #expect(await after.registration.launch(as: []).standing == .nobody)
      #expect(try after.keychain.identity() == nil)
      try await after.logIn("ada")
      #expect(try await scene.tell("ada"))
      #expect(try await after.shows("Lunch"))
    }
  }

  @Test("another account takes the phone, and a sign-out gives it up")
  func accounts() async throws {
    try await scene.whileItRuns {
      let phone = try scene.phone("ada's")
      try await phone.logIn("ada")
      try await phone.logIn("bob")
      #expect(try await !scene.tell("ada"))
      #expect(try await scene.tell("bob"))
      #expect(try await phone.shows("Lunch"))
      #expect(await phone.registration.signOut().untoldSignOuts == 0)
      #expect(try await !scene.tell("bob"))
    }
  }

  @Test("a second account joins, and leaves")
  func joint() async throws {
    try await scene.whileItRuns {
      let phone = try scene.phone("ada's")
      try await phone.logIn("ada")
      try await phone.logIn("bob", joining: true)
      #expect(try await scene.tell("ada"))
      #expect(try await phone.shows("Lunch"))
      #expect(try await scene.tell("bob"))
      #expect(try await phone.shows("Lunch"))
      #expect(await phone.registration.signOut("ada").untoldSignOuts == 0)
      #expect(try await !scene.tell("ada"))
      #expect(try await scene.tell("bob"))
      #expect(try await phone.shows("Lunch"))
    }
  }
}

/// A backend that runs, a stand-in for APNs, and phones with the app.
private final class LifeScene: Sendable {
  let topic: Topic
  let audience: Audience
  let apns: APNsStandIn
  let backend: LunchBackend
  let roots: PublicKeySet
  let published: SenderKeySet
  private let folder: String

  init() async throws {
    (topic, audience) = (try Topic("com.example.app"), try Audience("https://push.example.com"))
    let (team, senders) = (ProviderKey.generate(), KeySet(generating: .sender, at: .now))
    var settings = APNsSettings()
    settings.providerKeys = [team.key]
    // The registration of a second account asks for proofs of all keys again.
    settings.backgroundPushesInAnHour = 1000
    apns = try await APNsStandIn.start(settings: settings)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: apns.port, address: "127.0.0.1")
    configuration.additionalRoot = apns.root
    let client = try APNsClient(
      token: ProviderToken(p8: team.p8, keyID: team.key.keyID, teamID: team.key.teamID),
      configuration: configuration)
    let root = KeySet(generating: .root, at: .now)
    var office = KeySetEditor(root)
    (roots, published) = (
      try root.publicKeys, try office.signSenders(senders.publicKeys, for: topic, at: .now)
    )
    folder = "\(FileManager.default.temporaryDirectory.path)/lunch-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = SenderKeyFile(path: "\(folder)/senders.jws", roots: roots, topic: topic, shipped: published)
    backend = try LunchBackend(
      topic: topic, audience: audience, store: MemoryStore(), senders: senders, published: file, apns: client)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func whileItRuns(_ work: () async throws -> Void) async throws { try await backend.whileItRuns(work) }

  func tell(_ person: String) async throws -> Bool { try await backend.tell(person, "At noon?") }

  /// A phone with the app, perhaps with files of another phone, or with a Keychain that is there already.
  func phone(
    _ name: String, restoring other: LifePhone? = nil, keychain: InMemoryKeyStore = InMemoryKeyStore()
  ) throws -> LifePhone {
    let path = "\(folder)/\(UUID())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for file in ["registration.json", "accounts.json"] where other != nil {
      try? FileManager.default.copyItem(
        atPath: "\(other?.shared.folder ?? "")/\(file)", toPath: "\(path)/\(file)")
    }
    let shared = SharedPush(
      topic: topic, audience: audience, folder: path, keys: keychain, roots: roots, shipped: published)
    return LifePhone(name, shared, keychain, on: self)
  }
}

/// A phone with the app.
private struct LifePhone: Sendable {
  let shared: SharedPush
  let keychain: InMemoryKeyStore
  let registration: PushRegistration
  private let phone: StandInPhone
  private let routes: SessionRoutes

  init(_ name: String, _ shared: SharedPush, _ keychain: InMemoryKeyStore, on scene: LifeScene) {
    (self.shared, self.keychain) = (shared, keychain)
    let address = DeviceAddress(topic: shared.topic, environment: .sandbox, token: .random())
    phone = scene.apns.phone(name: name, address: address) { _, _ in LifeService(shared) }
    routes = SessionRoutes(routes: scene.backend.routes)
    registration = PushRegistration(
      of: shared, in: .sandbox, keys: keychain, service: routes, path: shared.path(of: "registration.json"),
      removeNotifications: {})
  }

  /// Waits until the phone has answered all proof requests.
  private func prove() async throws {
    while await registration.state.standing == .pending {
      let payload = try await phone.backgroundPush
      _ = await registration.receive(EnvelopeField(data: try JSONObject(parsing: payload.span)))
    }
    #expect(await registration.state.standing == .registered)
  }

  func logIn(_ person: String, joining isJoining: Bool = false) async throws {
    try routes.logIn(person)
    await registration.know(token: phone.token)
    await registration.register(login: person, joining: isJoining)
    try await prove()
  }

  func launch(as person: String) async throws {
    try routes.logIn(person)
    await registration.know(token: phone.token)
    await registration.launch(as: [person])
    try await prove()
  }

  func shows(_ title: String) async throws -> Bool {
    let shown = try await phone.shown
    return shown.title == title && shown.degraded == nil
  }
}

/// The app's extension.
private final class LifeService: SealedNotificationService {
  private let shared: SharedPush

  init(_ shared: SharedPush) { self.shared = shared }

  override func makeReceiver() throws -> Receiver { shared.receiver }
}

/// The backend's routes, as an app with a session for each person asks them.
private final class SessionRoutes: EnrolmentService {
  let routes: EnrolmentRoutes
  private let logins = Mutex<[String: Login]>([:])

  init(routes: EnrolmentRoutes) { self.routes = routes }

  /// Logs a person in, with a new session.
  func logIn(_ person: String) throws {
    let login = try Login(person: person, id: "\(UUID())", beganAt: .now)
    logins.withLock { $0[person] = login }
  }

  func send(_ request: ServiceRequest, as person: String?) async throws -> ServiceResponse {
    var headers: [String: String] = [:]
    for (name, value) in request.headers { headers[name.lowercased()] = value }
    let login = person.flatMap { person in logins.withLock { $0[person] } }
    let response = await routes.answer(
      Request(request.method, path: request.path, headers: headers, body: request.body), of: login)
    return ServiceResponse(status: response.status, body: response.body)
  }
}
