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
  @Test("nothing more is sent to a device whose app was deleted, whatever its clock says")
  func deleted() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    phone.phone.deleteApp()
    for _ in 0..<3 {
      try await scene.enqueue("At noon?")
      try await scene.work { $0.acknowledged == 1 }
    }
    #expect(try #require(try await scene.store.registration(named: "ada-1")).registration.proven == nil)
    #expect(scene.apns.pushes.count == 1)
  }

  @Test("a device whose new token is not proven yet gets the message at once when it is")
  func newToken() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    try await scene.rotateToken(of: phone)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.waited == 1 }
    // It waits without another attempt, and nothing else is sent to the old token.
    clock.advance(by: .seconds(3600))
    try await scene.work { $0.waited == 1 }
    #expect(scene.reports.count == 1 && scene.apns.accepted.count == 0)
    try await phone.enrol(as: "ada-1", of: "ada")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("a device that does not prove its new token within 72 hours is missing")
  func neverProven() async throws {
    let clock = ManualClock(.now)
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    try await scene.rotateToken(of: phone)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.waited == 1 }
    clock.advance(by: JobRetry.longestWait + .seconds(1))
    try await scene.work { $0.discarded == 1 }
    let dead = try #require(try await scene.store.deadLetters(after: nil, atMost: 2).first)
    #expect(dead.missing.map(\.registration) == ["ada-1"])
  }

  @Test("other devices do not wait for one that proves a new token")
  func othersDoNotWait() async throws {
    let scene = try await Scene()
    let (phone, other) = (try await scene.phone(), try await scene.phone(named: "ada-2"))
    try await scene.rotateToken(of: phone)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.waited == 1 }
    #expect(try await other.phone.shown.body == "At noon?")
    try await phone.enrol(as: "ada-1", of: "ada")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
    #expect(scene.apns.accepted.repeated.isEmpty)
  }

  @Test("a message that APNs refuses for a device twice is a dead letter, and the device gets the next one")
  func refusedTwice() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    _ = try await scene.phone(named: "ada-2")
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(2), of: phone.phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 }
    let dead = try #require(try await scene.store.deadLetters(after: nil, atMost: 2).first)
    #expect(dead.missing.map(\.registration) == ["ada-1"])
    #expect(dead.reason == "1 of 2 devices did not get it: APNs: BadDeviceToken")
    try await scene.enqueue("At one?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At one?")
  }

  @Test("a device that APNs refuses three times over a day, and no other, goes into quarantine")
  func quarantined() async throws {
    let clock = LaterClock()
    let scene = try await Scene(store: MemoryStore(clock: clock))
    let phone = try await scene.phone()
    _ = try await scene.phone(named: "ada-2")
    scene.apns.inject(.refusal(.badDeviceToken), to: .all, of: phone.phone.token)
    var quarantined: [[Bool]] = []
    for _ in 0..<3 {
      try await scene.enqueue("At noon?")
      try await scene.work { $0.discarded == 1 }
      quarantined.append(
        try await scene.store.devices(after: nil, atMost: 3).map { $0.quarantinedAt != nil })
      clock.advance(by: .seconds(12 * 3600))
    }
    #expect(quarantined == [[false, false], [false, false], [true, false]])
  }

  @Test("a server that accepts nothing settles no device, and keeps no message for ever")
  func strangeServer() async throws {
    let clock = LaterClock()
    let scene = try await Scene(store: MemoryStore(clock: clock))
    _ = try await scene.phone()
    scene.apns.inject(.refusal(.badDeviceToken), to: .all)
    for _ in 0..<4 {
      try await scene.enqueue("At noon?")
      try await scene.work { $0.discarded == 1 }
      clock.advance(by: .seconds(12 * 3600))
    }
    #expect(try await scene.store.devices(after: nil, atMost: 1).map(\.quarantinedAt) == [nil])
    let dead = try await scene.store.deadLetters(after: nil, atMost: 9)
    #expect(dead.map(\.reason) == [String](repeating: "APNs: BadDeviceToken", count: 4))
  }

  @Test("a device that APNs accepts is refused no longer, whichever worker it had refused")
  func acceptedAgain() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    try await scene.store.countRefusal(of: phone.phone.address, acceptedAgo: .zero)
    try await scene.enqueue("At noon?")
    let store = scene.store
    try await scene.work { _ in try await store.refusedAddresses(atMost: 9).isEmpty }
    #expect(scene.apns.accepted.count == 1)
  }

  @Test("a message that did not reach a device in quarantine is a dead letter that names the device")
  func partlyQuarantined() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    _ = try await scene.phone(named: "ada-2")
    try await scene.store.quarantine(phone.phone.address)
    for text in ["At noon?", "At one?"] {
      try await scene.enqueue(text)
      try await scene.work { $0.discarded == 1 || $0.acknowledged == 1 }
    }
    let dead = try await scene.store.deadLetters(after: nil, atMost: 3)
    #expect(dead.map { $0.missing.map(\.registration) } == [["ada-1"], ["ada-1"]])
    #expect(scene.apns.accepted.count == 2)
  }

  @Test("when APNs refuses device after device, no refusal counts, and no job is lost")
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
    #expect(try await scene.store.refusedAddresses(atMost: 10).isEmpty)
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
    #expect(try await scene.store.refusedAddresses(atMost: 9).count == 5)
  }

  @Test("devices that APNs refuses between others are to blame, and their route goes on")
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
    #expect(try await scene.store.refusedAddresses(atMost: 10).count == 2)
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
    "a message that one device has got, and another has not, is a dead letter, and is sent again to the other alone",
    arguments: [0, 1])
  func partlyRefused(attempts: Int) async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    // At once, or when the other one has had it for a while.
    scene.apns.inject(.refusal(.serviceUnavailable), to: .next(attempts), of: phones[0].phone.token)
    scene.apns.inject(.refusal(.badPriority), to: .all, of: phones[0].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded + $0.acknowledged == 1 }
    let dead = try #require(try await scene.store.deadLetters(after: nil, atMost: 2).first)
    #expect(dead.missing.map(\.registration) == ["ada-1"])
    #expect(dead.missing.map(\.reason) == ["APNs: BadPriority"])
    #expect(dead.reason == "1 of 2 devices did not get it: APNs: BadPriority")
    scene.apns.clearFaults()
    // A device that has come since does not get an old message.
    let third = try await scene.phone(named: "ada-3")
    try await scene.store.resend([dead.id])
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phones[0].phone.shown.body == "At noon?")
    #expect(scene.apns.accepted.count == 2 && scene.apns.accepted.repeated.isEmpty)
    #expect(scene.apns.pushes.allSatisfy { $0.token != third.phone.token.text })
  }

  @Test("a message that is sent again goes to no other device that has taken the name")
  func nextOwner() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.badPriority), to: .all, of: phone.phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 }
    try await scene.store.remove(.registration("ada-1"))
    _ = try await scene.phone()
    let dead = try #require(try await scene.store.deadLetters(after: nil, atMost: 2).first)
    try await scene.store.resend([dead.id])
    try await scene.work { $0.discarded == 1 }
    #expect(scene.apns.accepted.count == 0)
    let reasons = try await scene.store.deadLetters(after: nil, atMost: 2).map(\.reason)
    #expect(reasons == ["the devices that it was sent again to have left"])
  }

  @Test("a message to nobody is a dead letter, if the operator wants that")
  func nobody() async throws {
    let scene = try await Scene()
    try await scene.enqueue("At noon?")
    try await scene.work({ $0.messagesToNobody = .deadLetter }) {
      $0.discarded == 1 && $0.withoutDevices == 1
    }
    let dead = try await scene.store.deadLetters(after: nil, atMost: 2)
    #expect(dead.map(\.reason) == ["its person has no device that it can be sent to"])
  }
}
