import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("The devices that a report counts", .hangGuard)
struct FleetPageTests {
  private let report: DeviceReport = {
    var counts = ReceptionCounts(from: start)
    counts.addDegraded("unknown-sender", count: 7)
    return DeviceReport(counts: counts)
  }()

  private func device(in bench: any StoreBench) async throws -> FleetDevice? {
    try await bench.store.fleet(after: nil, atMost: 9).first
  }

  @Test("have what their newest enrolment says", arguments: Engine.all)
  func reported(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: bench.store)
    let first = try #require(try await device(in: bench))
    #expect(first.name == "ada-1" && first.topic == Phone.topic && first.environment == .production)
    #expect(first.suites == [.x25519ChaChaPoly] && first.enrolledAt == start && first.report == nil)
    try await bench.advance(by: .seconds(3600))
    let newer = try phone.keys.enrol(address: phone.address, for: Phone.audience, report: report, at: start)
    _ = try await bench.store.accept(newer, as: "ada-1", mayBeNew: false).get()
    let second = try #require(try await device(in: bench))
    #expect(second.report == report && second.enrolledAt == start.advanced(by: .seconds(3600)))
  }

  @Test("keep the time of an enrolment that comes again, or has another person", arguments: Engine.all)
  func again(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: bench.store)
    let last = try #require(try await bench.store.registration(named: "ada-1")).registration.enrolment
    try await bench.advance(by: .seconds(3600))
    _ = try await bench.store.accept(last, as: "ada-1", person: "ada", mayBeNew: false).get()
    try #require(try await bench.store.devices(of: ["ada"])[0].count == 1)
    #expect(try await device(in: bench)?.enrolledAt == start)
  }

  @Test("come in pages, without those to which nothing is sent", arguments: Engine.all)
  func pages(engine: Engine) async throws {
    let bench = try await engine.start()
    for (number, name) in ["a", "b", "c", "d"].enumerated() {
      var phone = Phone(name, token: UInt8(number + 1))
      try await phone.register(at: bench.store)
    }
    var pending = Phone("bb", token: 9)
    _ = try await bench.store.accept(pending.enrolment(), as: "bb", mayBeNew: true).get()
    try await bench.store.quarantine(Phone.address(3))
    let first = try await bench.store.fleet(after: nil, atMost: 2)
    #expect(first.map(\.name) == ["a", "b"])
    #expect(try await bench.store.fleet(after: "b", atMost: 2).map(\.name) == ["d"])
    #expect(try await bench.store.fleet(after: "d", atMost: 2).isEmpty)
    #expect(try await bench.store.fleet(after: nil, atMost: 0).isEmpty)
  }

  @Test("keep their version when an enrolment brings a report and nothing else", arguments: Engine.all)
  func version(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: bench.store)
    let before = try #require(try await bench.store.registration(named: "ada-1"))
    let newer = try phone.keys.enrol(address: phone.address, for: Phone.audience, report: report, at: start)
    _ = try await bench.store.accept(newer, as: "ada-1", mayBeNew: false).get()
    let after = try #require(try await bench.store.registration(named: "ada-1"))
    #expect(after.version == before.version && after.registration.enrolment == newer)
    phone.address = Phone.address(2)
    _ = try await bench.store.accept(phone.enrolment(), as: "ada-1", mayBeNew: false).get()
    let moved = try #require(try await bench.store.registration(named: "ada-1"))
    #expect(moved.version != after.version)
  }

  /// The version alone would let an older serial come back.
  @Test("are not written over from before such an enrolment", arguments: Engine.all)
  func conditional(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: bench.store)
    let before = try #require(try await bench.store.registration(named: "ada-1"))
    let newer = try phone.keys.enrol(address: phone.address, for: Phone.audience, report: report, at: start)
    _ = try await bench.store.accept(newer, as: "ada-1", mayBeNew: false).get()
    var older = before.registration
    try older.assign(to: "eve")
    #expect(try await !bench.store.apply([.replace(before, older)]))
    #expect(try await !bench.store.apply([.remove(before)]))
    #expect(try await bench.store.registration(named: "ada-1")?.registration.enrolment == newer)
  }
}
