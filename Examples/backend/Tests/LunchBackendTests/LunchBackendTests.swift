import PushEnrolment
import Foundation
import LunchBackend
import PushDelivery
import PushStandIn
import PushTesting
import Testing

/// The backend against a stand-in for APNs, with a phone that runs the real extension.
@Suite(.timeLimit(.minutes(10))) struct LunchBackendTests {
  private let topic: Topic
  private let audience: Audience
  private let senders = KeySet(generating: .sender, at: .now)
  private let store = InMemoryKeyStore()
  private let registrations: RegistrationFile
  private let client: APNsClient
  private let apns: APNsStandIn
  private let phone: StandInPhone
  private let backend: LunchBackend
  private let folder = FileManager.default.temporaryDirectory.appending(path: "lunch-\(UUID())")

  init() async throws {
    (topic, audience) = (try Topic("com.example.app"), try Audience("https://push.example.com"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let team = ProviderKey.generate()
    var settings = APNsSettings()
    settings.providerKeys = [team.key]
    apns = try await APNsStandIn.start(settings: settings)
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    phone = apns.phone(name: "Ada's", address: address, keys: store, senders: try senders.publicKeys)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: apns.port, address: "127.0.0.1")
    configuration.additionalRoot = apns.root
    configuration.retries.firstDelay = .milliseconds(1)
    configuration.retries.maximumAttempts = 3
    registrations = RegistrationFile(path: "\(folder.path)/registrations")
    client = try APNsClient(
      token: ProviderToken(p8: team.p8, keyID: team.key.keyID, teamID: team.key.teamID),
      configuration: configuration)
    backend = LunchBackend(
      topic: topic, audience: audience, registrations: registrations, sender: try senders.signingKey(),
      apns: client)
  }

  /// What the app does at a launch, and when the proof request comes.
  private func enrol() async throws { try await enrol(store, on: phone, as: "ada-1") }

  private func enrol(_ store: InMemoryKeyStore, on phone: StandInPhone, as device: String) async throws {
    let first = try store.enrol(address: phone.address, for: audience)
    #expect(try await backend.enrol(first.encoded(), as: device, of: "ada") == .pending)
    let receiver = Receiver(
      topic: topic, keys: store, senders: try senders.publicKeys, replay: InMemoryReplayStore())
    let push = try await phone.backgroundPush
    let request = try receiver.openProofRequest(EnvelopeField(data: JSONObject(parsing: push.span)))
    let answer = try #require(
      try store.answer(
        request.request, openedBy: request.opened.recipient, address: phone.address, for: audience)
    ).get()
    #expect(try await backend.enrol(answer.encoded(), as: device, of: "ada") == .registered)
  }

  @Test("the phone shows what the backend tells its person")
  func shown() async throws {
    try await enrol()
    #expect(try await backend.tell("ada", "At noon?") == [.accepted])
    let shown = try await phone.shown
    #expect(shown.title == "Lunch" && shown.body == "At noon?" && shown.degraded == nil)
    #expect(!apns.pushes.contains { String(decoding: $0.payload, as: UTF8.self).contains("noon") })
  }

  @Test("nothing is sent to a device that has not proven its key")
  func pending() async throws {
    let enrolment = try store.enrol(address: phone.address, for: audience)
    _ = try await backend.enrol(enrolment.encoded(), as: "ada-1", of: "ada")
    #expect(try await backend.tell("ada", "At noon?").isEmpty)
  }

  @Test("an app does not wait for an APNs that says nothing, and its next launch asks again")
  func silence() async throws {
    let backend = LunchBackend(
      topic: topic, audience: audience, registrations: registrations, sender: try senders.signingKey(),
      apns: client, askTime: .milliseconds(10))
    apns.inject(.transport(.stall), to: .next(1))
    let first = try store.enrol(address: phone.address, for: audience)
    #expect(try await backend.enrol(first.encoded(), as: "ada-1", of: "ada") == .pending)
    apns.clearFaults()
    await apns.closeConnections()
    try await enrol()
    #expect(try await backend.tell("ada", "At noon?") == [.accepted])
  }

  @Test("all devices of a person are told at the same time, and the outcomes are in their order")
  func devices() async throws {
    try await enrol()
    let tablet = InMemoryKeyStore()
    let other = apns.phone(
      name: "Ada's tablet", address: DeviceAddress(topic: topic, environment: .sandbox, token: .random()),
      keys: tablet,
      senders: try senders.publicKeys)
    try await enrol(tablet, on: other, as: "ada-2")
    other.deleteApp()
    apns.inject(.latency(.seconds(5)), to: .all, of: phone.token)
    let before = apns.requestCount
    let told = Task { try await backend.tell("ada", "At noon?") }
    // The first one has no answer, because the stand-in's clock stands still.
    while apns.requestCount < before + 2 { try await Task.sleep(for: .milliseconds(1)) }
    let clock = Task {
      while !Task.isCancelled {
        apns.advance(by: .seconds(1))
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    let outcomes = try await told.value
    clock.cancel()
    #expect(outcomes.count == 2 && outcomes[0] == .accepted && outcomes[1] != .accepted)
  }

  @Test("a device whose app was deleted is forgotten")
  func deleted() async throws {
    try await enrol()
    // APNs says since when, in its own time, and the app enrolled before that.
    apns.advance(by: .seconds(2))
    phone.deleteApp()
    #expect(try await backend.tell("ada", "At noon?") == [.gone])
    #expect(try await backend.tell("ada", "At one?").isEmpty)
  }

  @Test("a push that APNs has no time for is sent again, once it is accepted, and shown once")
  func busy() async throws {
    try await enrol()
    apns.inject(.refusal(.tooManyRequests), to: .next(2))
    #expect(try await backend.tell("ada", "At noon?") == [.accepted])
    #expect(try await phone.shown.body == "At noon?")
  }

  @Test("a push that APNs goes on refusing is the queue's to keep")
  func busyForLong() async throws {
    try await enrol()
    apns.inject(.refusal(.tooManyRequests), to: .all)
    #expect(try await backend.tell("ada", "At noon?") == [.later("TooManyRequests")])
  }
}
