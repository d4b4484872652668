import Locks
import PushEnrolment
import PushTesting
import SealedPush
import TestSupport
import Testing

/// An app on a phone that can be deleted, restored and handed on, with its backend.
struct AppOnPhone {
  static let topic = (try? Topic("com.example.app"))!
  static let audience = (try? Audience("https://push.example.com"))!

  let backend: EnrolmentStandIn
  let clock: ManualClock
  let screen: DeliveredList

  /// The app's files, which a restore brings to another phone.
  let folder: TemporaryFolder
  /// The Keychain, which outlives the app, and does not come with a restore.
  var keychain: InMemoryKeyStore
  var token: DeviceToken
  private(set) var registration: PushRegistration
  /// What the app is built with; it counts from the next start.
  var wantsReceipts = false

  init(keychain: InMemoryKeyStore = InMemoryKeyStore()) throws {
    let clock = ManualClock(UnixTime(seconds: 1_700_000_000)!)
    try self.init(
      EnrolmentStandIn(topic: Self.topic, audience: Self.audience, clock: clock), clock, keychain: keychain)
  }

  private init(
    _ backend: EnrolmentStandIn, _ clock: ManualClock, folder: TemporaryFolder? = nil,
    keychain: InMemoryKeyStore = InMemoryKeyStore()
  ) throws {
    (self.backend, self.clock, self.keychain) = (backend, clock, keychain)
    self.folder = try folder ?? TemporaryFolder()
    screen = DeliveredList()
    token = Self.newToken()
    registration = Self.registration(at: self.folder, keychain, backend, clock, screen)
  }

  var shared: SharedPush { Self.shared(at: folder, keychain, backend, clock, wantsReceipts) }

  private static func shared(
    at folder: TemporaryFolder, _ keychain: InMemoryKeyStore, _ backend: EnrolmentStandIn,
    _ clock: ManualClock, _ wantsReceipts: Bool
  ) -> SharedPush {
    var shared = SharedPush(
      topic: topic, audience: audience, folder: folder.path, keys: keychain, roots: backend.roots)
    shared.clock = clock
    shared.wantsReceipts = wantsReceipts
    return shared
  }

  private static func registration(
    at folder: TemporaryFolder, _ keychain: InMemoryKeyStore, _ backend: EnrolmentStandIn,
    _ clock: ManualClock,
    _ screen: DeliveredList, _ wantsReceipts: Bool = false
  ) -> PushRegistration {
    PushRegistration(
      of: shared(at: folder, keychain, backend, clock, wantsReceipts), in: .sandbox, keys: keychain,
      service: backend,
      path: folder.path(of: "registration.json"),
      removeNotifications: { screen.removeAll() })
  }

  static func newToken() -> DeviceToken {
    DeviceToken((0..<32).map { _ in UInt8.random(in: 0...255) })!
  }

  // MARK: What happens to a phone

  /// Starts the app, with sessions of these persons, and gives it the token.
  @discardableResult
  mutating func start(as persons: String...) async -> RegistrationState {
    registration = Self.registration(at: folder, keychain, backend, clock, screen, wantsReceipts)
    await registration.know(token: token)
    return await registration.launch(as: persons)
  }

  /// A person logs in, and the phone answers the proof request.
  @discardableResult
  func logIn(_ person: String, joining isJoining: Bool = false) async throws -> RegistrationState {
    backend.logIn(person)
    await registration.register(login: person, joining: isJoining)
    try await prove()
    return await registration.state
  }

  /// The phone gets the proof requests that go to its token: one for each of its keys.
  func prove() async throws {
    for _ in Suite.allCases {
      for (to, envelope) in try backend.proofRequests() where to == token {
        _ = await registration.receive(envelope)
      }
    }
  }

  /// The app's data on another phone, without the keys.
  func restored() throws -> AppOnPhone {
    let copy = try TemporaryFolder()
    for name in ["registration.json", "accounts.json", "senders.jws"] {
      if let bytes = folder.bytes(of: name) { try copy.write(bytes, to: name) }
    }
    return try AppOnPhone(backend, clock, folder: copy)
  }

  /// The app after it was deleted and installed again: the Keychain is as it was.
  func reinstalled() throws -> AppOnPhone { try AppOnPhone(backend, clock, keychain: keychain) }

  /// Another phone.
  func another() throws -> AppOnPhone { try AppOnPhone(backend, clock) }

  /// What the phone's extension shows of the messages that the backend seals for a person now.
  func shown(_ text: String = "Lunch?", for person: String) throws -> [String] {
    try deliver(backend.seal(RemoteNotification(body: text), for: person))
  }

  /// What the phone's extension shows of pushes to its token.
  func deliver(_ pushes: [(token: DeviceToken, push: SealedNotification)]) throws -> [String] {
    try pushes.filter { $0.token == token }.map { _, push in
      try shared.receiver.reception(ofPayload: JSONObject(parsing: push.payload.span)).content.body
    }
  }
}

/// The notifications that are on the phone's screen.
final class DeliveredList: Sendable {
  private let notifications = Mutex(0)

  /// How many there are.
  var count: Int { notifications.withLock { $0 } }

  func add() { notifications.withLock { $0 += 1 } }

  func removeAll() { notifications.withLock { $0 = 0 } }
}
