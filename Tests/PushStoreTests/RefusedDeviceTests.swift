import PushCore
import PushKeys
import PushSealer
import PushStore
import TestSupport
import Testing

@Suite("A device that APNs refuses", .hangGuard)
struct RefusedDeviceTests {
  @Test("is removed, unless it has enrolled since", arguments: Engine.all)
  func unregistered(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, time: start)
    #expect(try await store.remove(phone.address, unregisteredAt: start) == [])
    #expect(try await store.remove(Phone.address(2), unregisteredAt: nil) == [])
    #expect(try await store.devices(after: nil, atMost: 9).count == 1)
    #expect(
      try await store.remove(phone.address, unregisteredAt: start.advanced(by: .seconds(1))) == ["phone"])
    #expect(try await store.devices(after: nil, atMost: 9).isEmpty)
    #expect(try await store.registration(named: "phone") == nil)
    // Nothing of it is in the way.
    #expect(try await phone.register(at: store) == .registered)
    #expect(try await store.remove(phone.address) == ["phone"])
  }

  @Test("stays when APNs refuses an old token, and a new one is still to be proven", arguments: Engine.all)
  func unregisteredOldToken(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store, of: "alice")
    phone.address = Phone.address(2)
    let acceptance = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get()
    for time in [start.advanced(by: .seconds(9)), nil] {
      #expect(try await store.remove(Phone.address(1), unregisteredAt: time) == [])
    }
    let answer = try phone.answer(#require(acceptance.pending))
    #expect(try await store.accept(answer, as: "phone", mayBeNew: false).get().change == .updated)
    #expect(try await store.devices(of: ["alice"])[0].map(\.device.address.token) == [Phone.address(2).token])
  }

  @Test("is removed from no other topic or environment", arguments: Engine.all)
  func otherAddress(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("phone", token: 1)
    try await phone.register(at: store)
    let token = phone.address.token
    let others = [
      DeviceAddress(topic: Phone.topic, environment: .sandbox, token: token),
      DeviceAddress(topic: try Topic("com.example.other"), environment: .production, token: token),
    ]
    for address in others {
      #expect(try await store.remove(address) == [])
      #expect(try await store.quarantine(address) == 0)
    }
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
    let all = try await store.devices(of: ["alice"], includingQuarantined: true)
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
      try await store.accept(last, as: "phone", person: "bob", mayBeNew: false).get().change == .unchanged)
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
