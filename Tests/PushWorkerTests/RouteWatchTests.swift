import PushCore
import PushStandIn
import PushTesting
import TestSupport
import Testing

@testable import PushWorker

/// Which devices are not to blame when APNs refuses many in a row.
@Suite(.hangGuard) struct RouteWatchTests {
  private let watch: RouteWatch
  private let topic: Topic

  init() async throws {
    watch = RouteWatch(
      apns: try await Scene().client, configuration: WorkerConfiguration(), clock: ManualClock(.now)
    ) { _ in }
    topic = try Topic("com.example.app")
  }

  /// Notes a refusal of one more device, and returns how many devices are not to blame.
  private func refuse() -> Int {
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    return watch.note(
      .refused(PushRefusal(address: address, reason: "")), at: address, isProven: true, limit: 3
    ).released.count
  }

  /// Notes a push that APNs accepts.
  private func accept() {
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    _ = watch.note(.accepted, at: address, isProven: true, limit: 3)
  }

  @Test("a route counts as stopped until it accepts a push, or for a while after its pause")
  func stopped() async throws {
    let clock = ManualClock(.now)
    let configuration = WorkerConfiguration()
    let watch = RouteWatch(apns: try await Scene().client, configuration: configuration, clock: clock) { _ in
    }
    let addresses = [APNsEnvironment.sandbox, .production].map {
      DeviceAddress(topic: topic, environment: $0, token: .random())
    }
    for address in addresses { await watch.stop(address, reason: "Forbidden") }
    await watch.stop(addresses[0], reason: "Forbidden")
    #expect(watch.stoppedCount == 2)
    _ = watch.note(.accepted, at: addresses[0], isProven: true, limit: 3)
    #expect(watch.stoppedCount == 1)
    clock.advance(by: configuration.routePause + RouteWatch.stoppedTime - .seconds(1))
    #expect(watch.stoppedCount == 1)
    clock.advance(by: .seconds(1))
    #expect(watch.stoppedCount == 0)
  }

  @Test("however many routes are stopped, so many are counted and no more are kept")
  func manyStopped() async throws {
    for number in 0...RouteWatch.maximumHolds {
      let topic = try Topic("com.example.app\(number)")
      await watch.stop(
        DeviceAddress(topic: topic, environment: .sandbox, token: .random()), reason: "Forbidden")
    }
    #expect(watch.stoppedCount == RouteWatch.maximumHolds)
  }

  @Test("as many refusals in a row as the limit clear all their devices")
  func limit() { #expect((1...3).map { _ in refuse() } == [0, 0, 3]) }

  @Test("an accepted push between refusals ends the row")
  func interrupted() {
    let before = (1...2).map { _ in refuse() }
    accept()
    #expect(before + (1...2).map { _ in refuse() } == [0, 0, 0, 0])
  }

  @Test("once the route is found wrong, each refusal clears its own device alone")
  func afterwards() { #expect((1...5).map { _ in refuse() } == [0, 0, 3, 1, 1]) }

  @Test("an accepted push shows that the route is right again")
  func rightAgain() {
    _ = (1...3).map { _ in refuse() }
    accept()
    #expect(refuse() == 0)
  }

  @Test(
    "an accepted push to an address that was refused, here or elsewhere, clears it", arguments: [true, false])
  func cleared(isElsewhere: Bool) {
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    if isElsewhere {
      watch.suspect([address])
    } else {
      _ = watch.note(
        .refused(PushRefusal(address: address, reason: "")), at: address, isProven: true, limit: 3)
    }
    #expect(watch.note(.accepted, at: address, isProven: true, limit: 3).released == [address])
    #expect(watch.note(.accepted, at: address, isProven: true, limit: 3).released == [])
  }
}
