import PushCore
import PushDelivery
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import Synchronization
import TestSupport
import Testing

/// A backend's worker between a store and a stand-in for APNs.
final class Scene: Sendable {
  let topic: Topic
  let audience: Audience
  let senders: KeySet
  let apns: APNsStandIn
  let client: APNsClient
  let store: any Store
  private let events = Mutex<[WorkerEvent]>([])

  init(
    store: any Store = MemoryStore(), senders: KeySet = KeySet(generating: .sender, at: .now),
    clock: any PushClock = SystemClock(), retries change: (inout RetryPolicy) -> Void = { _ in }
  ) async throws {
    (topic, audience) = (try Topic("com.example.app"), try Audience("https://push.example.com"))
    (self.store, self.senders) = (store, senders)
    let team = ProviderKey.generate()
    var settings = APNsSettings()
    settings.providerKeys = [team.key]
    // A client makes a new one at certain times of the day, also just after the first.
    settings.newTokensIn20Minutes = 100
    apns = try await APNsStandIn.start(settings: settings)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: apns.port, address: "127.0.0.1")
    configuration.additionalRoot = apns.root
    configuration.retries.firstDelay = .milliseconds(1)
    configuration.retries.maximumAttempts = 1
    change(&configuration.retries)
    client = try APNsClient(
      token: ProviderToken(p8: team.p8, keyID: team.key.keyID, teamID: team.key.teamID),
      configuration: configuration, clock: clock)
  }

  /// Takes note of what a worker reports.
  func note(_ event: WorkerEvent) { events.withLock { $0.append(event) } }

  /// What the worker has reported.
  var reported: [WorkerEvent] { events.withLock { $0 } }

  /// How jobs' attempts have ended.
  var reports: [JobReport] {
    reported.compactMap { if case .jobEnded(let report) = $0 { report } else { nil } }
  }

  /// Why the worker has said that a route is stopped, each time.
  var stops: [String] {
    reported.compactMap { if case .routeStopped(_, _, let reason) = $0 { reason } else { nil } }
  }

  /// How many proof requests the worker has said that APNs refuses, and why, each time.
  var refusals: [(count: Int, reason: String)] {
    reported.compactMap {
      if case .requestsRefused(let count, _, _, let reason) = $0 { (count, reason) } else { nil }
    }
  }

  /// How long jobs were said to wait for another attempt.
  var delays: [Duration] {
    reports.compactMap { if case .retry(let delay, _) = $0.ending { delay } else { nil } }
  }

  /// A worker that waits no longer than it must.
  func worker(
    _ change: (inout WorkerConfiguration) -> Void = { _ in }, signing keys: Senders? = nil,
    clock: any PushClock = SystemClock()
  ) -> Worker {
    var configuration = WorkerConfiguration()
    configuration.firstDelay = .milliseconds(1)
    configuration.idleTime = .milliseconds(20)
    configuration.gatheringTime = .zero
    change(&configuration)
    do throws(ConfigurationError) {
      return try Worker(
        store: store, apns: client, senders: keys ?? Senders(senders), configuration: configuration,
        clock: clock,
        report: note)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Lets a worker work until `end` is true, and stops it.
  func work(
    _ change: (inout WorkerConfiguration) -> Void = { _ in }, signing keys: Senders? = nil,
    until end: @escaping @Sendable (WorkerMetrics) async throws -> Bool
  ) async throws {
    let worker = worker(change, signing: keys)
    try await withThrowingTaskGroup { group in
      let hasEnded = Flag()
      group.addTask {
        defer { hasEnded.isRaised.store(true, ordering: .relaxed) }
        try await worker.run()
      }
      try await HangGuard.wait(
        while: try await !end(worker.metrics) && !hasEnded.isRaised.load(ordering: .relaxed))
      worker.stop()
      try await group.waitForAll()
    }
  }

  /// Lets APNs take no more time, and moves its clock until what is late is answered.
  ///
  /// It moves by little at a time, because a provider token is good for an hour.
  func letAnswer(until isAnswered: () -> Bool) async throws {
    apns.clearFaults()
    try await HangGuard.wait(while: !isAnswered()) {
      apns.advance(by: .milliseconds(1))
    }
  }

  /// Gives a phone a new token, which is enrolled and not proven yet.
  func rotateToken(of phone: EnrolledPhone, named name: String = "ada-1") async throws {
    _ = phone.phone.rotateToken()
    let enrolment = try phone.keys.enrol(address: phone.phone.address, for: audience)
    try #require(try await store.accept(enrolment, as: name, mayBeNew: false).get().pending != nil)
  }

  /// Puts a job into the queue.
  @discardableResult
  func enqueue(
    _ text: String, to person: String = "ada", topic: Topic? = nil, wantsOutcome: Bool = false,
    expiresAt: UnixTime? = nil
  ) async throws -> MessageID {
    let id = MessageID.random()
    let job = try Job(
      Self.payload(text), to: person, messageID: id, topic: topic, expiresAt: expiresAt,
      wantsOutcome: wantsOutcome)
    try await store.enqueue([job])
    return id
  }

  static func payload(_ text: String) -> JSONObject {
    ["aps": ["alert": ["title": "Lunch", "body": .string(text)], "sound": "default"]]
  }

  /// A phone whose enrolment is proven.
  func phone(
    of person: String = "ada", named name: String = "ada-1", with app: Topic? = nil,
    trusting senders: KeySet? = nil, proving possession: Possession = .keyAndToken, keys: DeviceKeys? = nil
  ) async throws -> EnrolledPhone {
    let phone = try EnrolledPhone(self, with: app, trusting: senders, keys)
    try await phone.enrol(as: name, of: person, proving: possession)
    return phone
  }
}

/// Whether something has happened.
private final class Flag: Sendable {
  let isRaised = Atomic(false)
}

/// A phone with an app's keys, which are registered.
struct EnrolledPhone: Sendable {
  let keys: InMemoryKeyStore
  let phone: StandInPhone
  private let scene: Scene
  private let topic: Topic
  /// The app's senders.
  private let senders: KeySet

  init(
    _ scene: Scene, with app: Topic? = nil, trusting senders: KeySet? = nil, _ keys: DeviceKeys? = nil
  ) throws {
    (self.scene, topic, self.senders) = (scene, app ?? scene.topic, senders ?? scene.senders)
    self.keys = InMemoryKeyStore(keys)
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    phone = scene.apns.phone(
      name: "phone", address: address, keys: self.keys, senders: try self.senders.publicKeys)
  }

  /// Whether the system has ML-KEM, for a key of a second suite.
  var hasTwoKeys: Bool { Suite.xwingAESGCM.isAvailable }

  /// What an app sends at a launch.
  func enrolment() throws -> [UInt8] { try keys.enrol(address: phone.address, for: scene.audience).encoded() }

  /// What the app answers to the proof request that was pushed.
  func proof() async throws -> [UInt8] { try answer(to: try await phone.backgroundPush) }

  /// What the app answers to a proof request.
  func answer(to push: [UInt8]) throws -> [UInt8] {
    let receiver = Receiver(
      topic: topic, keys: keys, senders: try senders.publicKeys, replay: InMemoryReplayStore())
    let request = try receiver.openProofRequest(EnvelopeField(data: JSONObject(parsing: push.span)))
    return try #require(
      try keys.answer(
        request.request, openedBy: request.opened.recipient, address: phone.address, for: scene.audience)
    ).get().encoded()
  }

  /// Why a payload does not open while these accounts are signed in; nil if it opens.
  func outcome(of payload: JSONObject, signedIn accounts: Set<AccountTag>) throws -> DegradeReason? {
    var receiver = Receiver(
      topic: topic, keys: keys, senders: try senders.publicKeys, replay: InMemoryReplayStore())
    receiver.accounts = accounts
    do throws(DegradeReason) {
      _ = try receiver.open(IncomingPush(payload: payload))
      return nil
    } catch {
      return error
    }
  }

  /// Registers the phone, whose keys and token are then proven.
  func enrol(
    as name: String, of person: String, proving possession: Possession = .keyAndToken
  ) async throws {
    try await phone.enrol(
      in: scene.store, as: name, person: person, audience: scene.audience, proving: possession)
  }
}

extension MemoryStore {
  /// Hands in an enrolment as an application would, and returns its row's number.
  func handIn(
    _ body: [UInt8], as name: String = "ada-1", of person: String = "ada", isNew: Bool = true,
    possession: String = "keyAndToken"
  ) -> Int64 {
    insert(
      EnrolmentRow(columns: [
        .registration: Array(name.utf8), .person: Array(person.utf8), .body: body,
        .isNew: [UInt8(ascii: isNew ? "1" : "0")], .possession: Array(possession.utf8),
      ]))
  }
}

/// The system's clock, set to a later time.
final class LaterClock: PushClock {
  private let system = SystemClock()
  private let later = Mutex(Duration.zero)

  var now: UnixTime { system.now.advanced(by: later.withLock(\.self)) }
  var sinceEpoch: Duration { system.sinceEpoch + later.withLock(\.self) }
  var uptime: Duration { system.uptime }

  func sleep(until end: Duration) async throws { try await system.sleep(until: end) }

  /// Sets it to a time that is later by so much.
  func advance(by time: Duration) { later.withLock { $0 += time } }
}
