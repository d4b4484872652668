import PushDelivery
import PushCore
import PushKeys
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Devices and messages that APNs refuses.
@Suite(.hangGuard) struct APNsRefusalTests {
  @Test("a device whose app was deleted is forgotten")
  func deleted() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    // APNs says since when, in its own time, and the app enrolled before that, however slow this is.
    scene.apns.advance(by: .seconds(600))
    phone.phone.deleteApp()
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 || $0.retried == 3 }
    #expect(try await scene.store.registration(named: "ada-1") == nil)
  }

  @Test("a device whose new token is not proven yet gets the message when it is")
  func newToken() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    _ = phone.phone.rotateToken()
    let enrolment = try phone.keys.enrol(address: phone.phone.address, for: scene.audience)
    let outcome = try await scene.store.accept(enrolment, as: "ada-1", mayBeNew: false).get()
    try #require(outcome.pending != nil)
    try await scene.enqueue("At noon?")
    // At once, and then with patience.
    try await scene.work({ $0.firstDelay = .seconds(3600) }) { $0.retried == 2 || $0.acknowledged > 0 }
    try #require(try await scene.store.statistics().delayed == 1)
    try await phone.enrol(as: "ada-1", of: "ada")
    clock.advance(by: .seconds(7200))
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a device that APNs refuses goes into quarantine, and its job waits for an operator")
  func quarantined() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    #expect(try await scene.store.devices(after: nil, atMost: 1).first?.quarantinedAt != nil)
    let dead = try #require(try await scene.store.deadLetters(after: nil, atMost: 1).first)
    #expect(dead.reason.contains("quarantine"))
    try await scene.store.release(phone.phone.address)
    try await scene.store.resend([dead.id])
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a message that another device has got is done, although one is in quarantine")
  func partlyQuarantined() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1), of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    try await scene.enqueue("At one?")
    try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    #expect(try await scene.store.statistics().dead == 0 && scene.apns.accepted.count == 2)
  }

  @Test("when APNs refuses device after device, none stays in quarantine, and no job is lost")
  func misconfigured() async throws {
    let scene = try await Scene()
    for number in 0..<5 {
      _ = try await scene.phone(of: "person \(number)", named: "phone \(number)")
      try await scene.enqueue("At noon?", to: "person \(number)")
    }
    scene.apns.inject(.refusal(.badDeviceToken), to: .all)
    try await scene.work({ ($0.badDevicesInARow, $0.firstDelay) = (5, .seconds(3600)) }) { $0.retried == 5 }
    #expect(scene.stops == ["it refused one device after the other"])
    let devices = try await scene.store.devices(after: nil, atMost: 10)
    #expect(devices.count == 5 && devices.allSatisfy { $0.quarantinedAt == nil })
    let statistics = try await scene.store.statistics()
    #expect(statistics.ready + statistics.delayed == 5)
  }

  @Test("tokens that devices only claim are refused one after the other, and stop nobody's route")
  func claimedTokens() async throws {
    let scene = try await Scene { $0.badDevicesInARow = 3 }
    for number in 0..<5 {
      let name = "junk-\(number)"
      let phone = try await scene.phone(of: "mallory", named: name, proving: .keyAlone)
      scene.apns.inject(.refusal(.badDeviceToken), to: .all, of: phone.phone.token)
    }
    try await scene.enqueue("At noon?", to: "mallory")
    try await scene.work {
      $0.badDevicesInARow = 3
    } until: {
      $0.discarded == 1 || !scene.stops.isEmpty
    }
    #expect(scene.stops.isEmpty)
    #expect(try await scene.store.devices(after: nil, atMost: 9).allSatisfy { $0.quarantinedAt != nil })
  }

  @Test("devices that APNs refuses between others stay in quarantine, and their route goes on")
  func refusedBetweenOthers() async throws {
    let scene = try await Scene()
    for (number, isRefused) in [true, false, true].enumerated() {
      let phone = try await scene.phone(of: "person \(number)", named: "phone \(number)")
      if isRefused { scene.apns.inject(.refusal(.badDeviceToken), to: .all, of: phone.phone.token) }
      try await scene.enqueue("At noon?", to: "person \(number)")
    }
    try await scene.work({ configuration in
      (configuration.badDevicesInARow, configuration.firstDelay) = (2, .seconds(3600))
      configuration.pushesAtATime = 1
    }) { $0.retried == 2 && $0.acknowledged == 1 }
    let devices = try await scene.store.devices(after: nil, atMost: 10)
    #expect(devices.map { $0.quarantinedAt != nil } == [true, false, true])
    #expect(scene.stops.isEmpty)
  }

  @Test("a message that APNs refuses for good goes to the dead letters")
  func refusedForGood() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.badPriority), to: .all)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    #expect(try await scene.store.deadLetters(after: nil, atMost: 2).map(\.reason) == ["APNs: BadPriority"])
  }

  @Test(
    "a message that one device has got is done, although another's was refused for good", arguments: [0, 1])
  func partlyRefused(attempts: Int) async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    // At once, or when the other one has had it for a while.
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(attempts), of: phones[0].phone.token)
    scene.apns.inject(.refusal(.badPriority), to: .all, of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    #expect(try await scene.store.statistics().dead == 0 && scene.apns.accepted.count == 1)
  }
}
