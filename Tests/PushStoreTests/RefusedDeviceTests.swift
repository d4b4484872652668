import PushCore
import PushKeys
import PushSealer
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A device that APNs refuses", .hangGuard)
struct RefusedDeviceTests {
  @Test("loses what it has proven, and proves it again", arguments: Engine.all)
  func unregistered(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    let device = try #require(try await store.device(named: "phone"))
    #expect(try await store.unregister(device) == ["phone"])
    #expect(try await store.unregister(device) == [])
    #expect(try await store.devices(of: ["alice"], includingUnreachable: true) == [[]])
    let kept = try #require(try await store.registration(named: "phone")).registration
    #expect(kept.proven == nil && kept.pending == nil && kept.identity == device.identity)
    // Neither a login nor another token is needed.
    let acceptance = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get()
    #expect(acceptance.change == .pending)
    let answer = try phone.answer(#require(acceptance.pending))
    #expect(try await store.accept(answer, as: "phone", mayBeNew: false).get().change == .registered)
    #expect(try await store.devices(of: ["alice"])[0].map(\.address) == [phone.address])
  }

  @Test("keeps what it has proven since the push", arguments: Engine.all)
  func provenSince(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    let device = try #require(try await store.device(named: "phone"))
    try await store.unregister(device)
    try await phone.register(at: store)
    #expect(try await store.unregister(device) == [])
    #expect(try await store.devices(of: ["alice"])[0].count == 1)
  }

  @Test("loses it whatever its clock says, and though it has enrolled since", arguments: Engine.all)
  func clockAhead(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice", time: start.advanced(by: .seconds(365 * 86_400)))
    let device = try #require(try await store.device(named: "phone"))
    let later = try phone.enrolment(at: start.advanced(by: .seconds(366 * 86_400)))
    #expect(try await store.accept(later, as: "phone", mayBeNew: false).get().change == .updated)
    #expect(try await store.unregister(device) == ["phone"])
  }

  @Test("is awaited while it proves another token", arguments: Engine.all)
  func awaited(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    let device = try #require(try await store.device(named: "phone"))
    phone.address = Phone.address(2)
    let acceptance = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get()
    #expect(try await store.unregister(device) == ["phone"])
    #expect(try await store.devices(of: ["alice"]) == [[]])
    let awaited = try await store.devices(of: ["alice"], includingUnreachable: true)[0]
    #expect(awaited.map(\.isReachable) == [false] && awaited.map(\.identity) == [device.identity])
    let answer = try phone.answer(#require(acceptance.pending))
    #expect(try await store.accept(answer, as: "phone", mayBeNew: false).get().change == .registered)
    #expect(try await store.devices(of: ["alice"])[0].map(\.address.token) == [Phone.address(2).token])
  }

  @Test("has its jobs at once when it has proven another token", arguments: Engine.all)
  func wakes(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    phone.address = Phone.address(2)
    let acceptance = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get()
    try await store.unregister(#require(try await store.device(named: "phone")))
    try await store.enqueue([Job(.lunch, to: "alice"), Job(.lunch, to: "bob")])
    let leased = try await store.lease(atMost: 2, for: .seconds(9), sender: nil)
    try await store.retry(
      leased.map { JobRetry($0, after: .seconds(900), attempts: 0, isWaiting: true, reason: "it waits") })
    #expect(try await store.lease(atMost: 2, for: .seconds(9), sender: nil).isEmpty)
    let answer = try phone.answer(#require(acceptance.pending))
    _ = try await store.accept(answer, as: "phone", mayBeNew: false).get()
    let woken = try await store.lease(atMost: 2, for: .seconds(9), sender: nil)
    #expect(woken.map(\.lease.job) == [leased[0].lease.job])
    #expect(woken.map(\.attempt) == [1])
    #expect(woken.map(\.waitsUntil) == [start.advanced(by: JobRetry.longestWait)])
  }

  @Test("makes no more than a hundred jobs of its person wait", arguments: Engine.all)
  func waitBounded(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.enqueue((0..<103).map { _ in try Job(.lunch, to: "alice") } + [Job(.lunch, to: "bob")])
    let leased = try await store.lease(atMost: 200, for: .seconds(9), sender: nil)
    try await store.retry(
      leased.map { JobRetry($0, after: .seconds(900), attempts: 0, isWaiting: true, reason: "it waits") })
    let dead = try await store.deadLetters(after: nil, atMost: 9)
    #expect(dead.map(\.id) == leased.prefix(3).map(\.lease.job))
    #expect(try await store.statistics().delayed == 101)
  }

  @Test("is in quarantine for no other topic or environment", arguments: Engine.all)
  func otherAddress(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store)
    let token = phone.address.token
    let others = [
      DeviceAddress(topic: Phone.topic, environment: .sandbox, token: token),
      DeviceAddress(topic: try Topic("com.example.other"), environment: .production, token: token),
    ]
    for address in others { #expect(try await store.quarantine(address) == 0) }
    #expect(try await store.devices(after: nil, atMost: 9).map(\.quarantinedAt) == [nil])
  }

  @Test("is in quarantine until it is released", arguments: Engine.all)
  func quarantine(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    try await bench.advance(by: .seconds(5))
    #expect(try await store.quarantine(phone.address) == 1)
    try await bench.advance(by: .seconds(5))
    #expect(try await store.quarantine(phone.address) == 0)
    #expect(try await store.devices(of: ["alice"]) == [[]])
    let all = try await store.devices(of: ["alice"], includingUnreachable: true)
    #expect(all.map { $0.map(\.quarantinedAt) } == [[start.advanced(by: .seconds(5))]])
    let listed = try await store.devices(after: nil, atMost: 9)
    #expect(listed.map(\.quarantinedAt) == [start.advanced(by: .seconds(5))])
    #expect(try await store.release(phone.address) == 1)
    #expect(try await store.release(phone.address) == 0)
    #expect(try await store.devices(of: ["alice"])[0].count == 1)
  }

  @Test("is released by a new enrolment, and by no other change", arguments: Engine.all)
  func newEnrolment(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    let last = try #require(try await store.registration(named: "phone")).registration.enrolment
    try await store.quarantine(phone.address)
    #expect(
      try await store.accept(last, as: "phone", person: "bob", mayBeNew: true).get().change == .unchanged)
    #expect(try await store.devices(of: ["bob"]) == [[]])
    try await bench.advance(by: .seconds(5))
    #expect(
      try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get().change == .updated)
    let device = try await store.devices(of: ["bob"])[0]
    #expect(device.map(\.quarantinedAt) == [nil] && device.map(\.tokenSetAt) == [start])
    // Another token is another time.
    phone.address = Phone.address(2)
    try await phone.register(at: store)
    #expect(
      try await store.devices(of: ["bob"])[0].map(\.tokenSetAt) == [start.advanced(by: .seconds(5))])
  }
}
