import Dispatch
import PushDelivery
import PushCore
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import TestSupport
import Testing

/// The package's own client against the stand-in: from a struct to what a person sees, with faults on the way.
@Suite(.hangGuard) struct ClientTests {
  private static let count = 200

  private let backend = KeySet(generating: .sender, at: .now)
  private let signer = ProviderSigner()
  private let topic: Topic
  private let server: APNsStandIn
  private let phone: StandInPhone
  private let client: APNsClient

  init() async throws {
    topic = try Topic("com.example.app")
    var settings = APNsSettings()
    settings.providerKeys = [signer.key]
    server = try await APNsStandIn.start(settings: settings)
    phone = server.phone(topic: topic, senders: try backend.publicKeys)
    var configuration = APNsConfiguration()
    configuration.servers = [.sandbox: .init(host: "localhost", port: server.port, address: "127.0.0.1")]
    configuration.additionalRoot = server.root
    configuration.retries.firstDelay = .milliseconds(2)
    configuration.retries.maximumDelay = .milliseconds(50)
    configuration.retries.maximumAttempts = 1000
    let token = try ProviderToken(p8: signer.p8, keyID: ProviderSigner.keyID, teamID: ProviderSigner.teamID)
    client = try APNsClient(token: token, configuration: configuration)
  }

  private func push(_ text: String) throws -> SealedNotification {
    let sealer = Sealer(topic: topic, signingKey: try backend.signingKey())
    let keys = try #require(phone.publicKeys)
    return try sealer.seal(RemoteNotification(title: "Ada", body: text), to: keys.recipient())
  }

  /// Sends pushes at once, and counts those that were accepted.
  private func deliver(_ pushes: [SealedNotification]) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for push in pushes {
        group.addTask { (try? await client.send(push, to: phone.address))?.isAccepted == true }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
  }

  @Test("what the client sends, the person sees")
  func shown() async throws {
    let response = try await client.send(push("Lunch at noon?"), to: phone.address)
    #expect(response.isAccepted)
    #expect(try await phone.shown.body == "Lunch at noon?")
  }

  @Test("tasks that prefer an executor of their own, as servers' do, get their answers")
  func preferredExecutor() async throws {
    let pushes = try (0..<20).map { try push("push \($0)") }
    for push in pushes {
      let response = try await withTaskExecutorPreference(OwnExecutor()) {
        try await client.send(push, to: phone.address)
      }
      #expect(response.isAccepted)
    }
    #expect(await withTaskExecutorPreference(OwnExecutor()) { await deliver(pushes) } == pushes.count)
  }

  @Test("the client learns since when an app is deleted")
  func deleted() async throws {
    phone.deleteApp()
    let response = try await client.send(push("Lunch at noon?"), to: phone.address)
    #expect(response.status == 410 && response.reason == .unregistered)
    #expect(response.unregisteredAt == server.clock.now)
  }

  @Test(
    "no fault loses a push, and what was not processed comes once",
    arguments: [
      Fault.refusal(.serviceUnavailable), .refusal(.tooManyRequests), .transport(.refuseStream),
      .transport(.goAwayGracefully), .transport(.streamLimit(1)),
    ])
  func once(_ fault: Fault) async throws {
    server.inject(fault, to: .each(7))
    let pushes = try (0..<Self.count).map { try push("\($0)") }
    #expect(await deliver(pushes) == Self.count)
    #expect(server.accepted.count == Self.count && server.accepted.repeated.isEmpty)
  }

  @Test(
    "no lost answer loses a push, and what may come twice is counted",
    arguments: [
      TransportFault.reset(.beforeProcessing), .reset(.beforeAnswer), .goAwayAbruptly, .cut,
    ])
  func unknown(_ fault: TransportFault) async throws {
    server.inject(.transport(fault), to: .each(23))
    let pushes = try (0..<Self.count).map { try push("\($0)") }
    #expect(await deliver(pushes) == Self.count)
    #expect(server.accepted.count == Self.count)
    #expect(server.accepted.repeated.count <= client.metrics.unknown)
    #expect(client.metrics.unknown > 0)
  }

  @Test("an answer that breaks off behind its fields is an answer, and nothing is sent again")
  func duringAnswer() async throws {
    server.inject(.transport(.reset(.duringAnswer)), to: .each(23))
    let pushes = try (0..<Self.count).map { try push("\($0)") }
    #expect(await deliver(pushes) == Self.count)
    #expect(server.accepted.count == Self.count && server.accepted.repeated.isEmpty)
  }
}

/// A server's own threads.
private final class OwnExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "server")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
