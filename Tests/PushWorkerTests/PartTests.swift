import PushCore
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import TestSupport
import Testing

@testable import PushWorker

/// A worker's parts, each by itself.
@Suite(.hangGuard) struct PartTests {
  @Test("once it is closed, no batch begins, although one was under way")
  func closed() async {
    let gate = BatchGate()
    #expect(gate.begin())
    let closing = Task.immediate { await gate.close() }
    gate.end()
    await closing.value
    #expect(!gate.begin())
  }

  @Test("what fails always waits, so that it has no place before what waits")
  func delays() {
    var configuration = WorkerConfiguration()
    configuration.firstDelay = .zero
    #expect(configuration.delay(after: 1, random: 1) > .zero)
  }

  @Test("pauses of routes that anyone may name do not pile up")
  func holds() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene()
    let watch = RouteWatch(
      apns: scene.client, configuration: WorkerConfiguration(), clock: clock
    ) { _ in }
    for number in 0..<1000 {
      let topic = try Topic("com.example.app\(number)")
      await watch.stop(DeviceAddress(topic: topic, environment: .sandbox, token: .random()), reason: "test")
      clock.advance(by: .seconds(1))
    }
    #expect((1...RouteWatch.maximumHolds).contains(watch.holdCount))
  }

  @Test("routes that anyone may name do not pile up")
  func known() async throws {
    let (client, clock) = (try await Scene().client, ManualClock(.now))
    let watch = RouteWatch(apns: client, configuration: WorkerConfiguration(), clock: clock) { _ in }
    for number in 0..<1000 {
      let topic = try Topic("com.example.app\(number)")
      let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
      _ = watch.note(.accepted, at: address, isProven: false, limit: 100)
    }
    #expect((1...RouteWatch.maximumKnown).contains(watch.knownCount))
  }

  @Test("sealers for topics that anyone may name do not pile up")
  func sealers() throws {
    let keys = SigningKeys(
      senders: Senders(KeySet(generating: .sender, at: .now)), policy: SealingPolicy())
    for number in 0..<1000 {
      _ = try keys.sealer(of: .alert, for: try Topic("com.example.app\(number)"), preferring: [], at: .now)
    }
    #expect((1...SigningKeys.maximumSealers).contains(keys.sealerCount))
  }
}
