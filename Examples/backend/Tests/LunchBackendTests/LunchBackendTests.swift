import Foundation
import LunchBackend
import PushDelivery
import PushStandIn
import PushTesting
import Testing

/// The backend against a stand-in for APNs, with a phone that runs the real extension.
@Suite struct LunchBackendTests {
  private let topic: Topic
  private let audience: Audience
  private let senders = KeySet(generating: .sender, at: .now)
  private let store = InMemoryKeyStore()
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
    apns = try await APNsStandIn.start(settings)
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    phone = apns.phone("Ada's", at: address, keys: store, senders: try senders.publicKeys)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: apns.port, address: "127.0.0.1")
    configuration.additionalRoot = apns.root
    configuration.retries.firstDelay = .milliseconds(1)
    configuration.retries.maximumAttempts = 3
    backend = LunchBackend(
      topic: topic, audience: audience, registrations: RegistrationFile(path: "\(folder.path)/registrations"),
      sender: try senders.signingKey(),
      apns: try APNsClient(
        token: ProviderToken(p8: team.p8, keyID: team.key.keyID, teamID: team.key.teamID),
        configuration: configuration))
  }

  /// What the app does at a launch, and when the proof request comes.
  private func enrol() async throws {
    let first = try store.enrol(at: phone.address, for: audience)
    #expect(try await backend.enrol(first.encoded(), as: "ada-1", of: "ada") == .pending)
    let receiver = Receiver(
      topic: topic, keys: store, senders: try senders.publicKeys, replay: InMemoryReplayStore())
    let push = try await phone.backgroundPush
    let request = try receiver.openProofRequest(EnvelopeField(data: JSONObject(parsing: push.span)))
    let answer = try #require(
      try store.answer(
        request.request, openedBy: request.opened.recipient, at: phone.address, for: audience)
    ).get()
    #expect(try await backend.enrol(answer.encoded(), as: "ada-1", of: "ada") == .registered)
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
    let enrolment = try store.enrol(at: phone.address, for: audience)
    _ = try await backend.enrol(enrolment.encoded(), as: "ada-1", of: "ada")
    #expect(try await backend.tell("ada", "At noon?").isEmpty)
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
