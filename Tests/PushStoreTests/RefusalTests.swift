import PushCore
import PushStore
import TestSupport
import Testing

/// When devices whose tokens APNs refuses go into quarantine.
@Suite("An address that APNs refuses", .hangGuard)
struct RefusalTests {
  private let hour = Duration.seconds(3600)

  /// Counts refusals after so many hours each, and returns how many devices each puts into quarantine.
  private func refuse(
    after hours: [Int], at bench: any StoreBench, acceptedAgo age: Duration? = .zero
  ) async throws -> [Int] {
    var phone = Phone("phone", token: 1)
    if try await bench.store.device(named: "phone") == nil { try await phone.register(at: bench.store) }
    var counts: [Int] = []
    for hours in hours {
      try await bench.advance(by: hour * hours)
      counts.append(try await bench.store.countRefusal(of: phone.address, acceptedAgo: age))
    }
    return counts
  }

  @Test("is settled by the third refusal, after a day", arguments: Engine.all)
  func third(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await refuse(after: [0, 12, 12, 12], at: bench) == [0, 0, 1, 0])
    let device = try await bench.store.device(named: "phone")
    #expect(device?.quarantinedAt == start.advanced(by: hour * 24))
  }

  @Test("is not settled before a day is over", arguments: Engine.all)
  func day(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await refuse(after: [0, 8, 8, 7, 1], at: bench) == [0, 0, 0, 0, 1])
  }

  @Test("has one refusal by all those within an hour", arguments: Engine.all)
  func burst(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await refuse(after: [0, 24, 0, 0, 1], at: bench) == [0, 0, 0, 0, 1])
  }

  @Test("is not settled by a server that has accepted nothing since", arguments: Engine.all)
  func strangeServer(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await refuse(after: [1, 12, 12], at: bench, acceptedAgo: hour * 24) == [0, 0, 0])
    #expect(try await refuse(after: [1], at: bench, acceptedAgo: nil) == [0])
    #expect(try await refuse(after: [1], at: bench, acceptedAgo: hour) == [1])
  }

  @Test("is known as refused until it is released, or for a week", arguments: Engine.all)
  func released(engine: Engine) async throws {
    let bench = try await engine.start()
    let address = Phone.address(1)
    _ = try await refuse(after: [0, 12], at: bench)
    #expect(try await bench.store.refusedAddresses(atMost: 9) == [address])
    try await bench.store.release(address)
    #expect(try await bench.store.refusedAddresses(atMost: 9) == [])
    #expect(try await refuse(after: [12, 12], at: bench) == [0, 0])
    try await bench.advance(by: hour * 24 * 7 - .seconds(1))
    #expect(try await bench.store.refusedAddresses(atMost: 9) == [address])
    try await bench.advance(by: .seconds(1))
    #expect(try await bench.store.refusedAddresses(atMost: 9) == [])
    #expect(try await refuse(after: [0, 12], at: bench) == [0, 0])
  }

  @Test("is counted anew when the last refusal is a week old", arguments: Engine.all)
  func over(engine: Engine) async throws {
    let bench = try await engine.start()
    #expect(try await refuse(after: [0, 12, 24 * 7, 12, 12], at: bench) == [0, 0, 0, 0, 1])
  }

  @Test("is one of many: as many are given as are asked for", arguments: Engine.all)
  func many(engine: Engine) async throws {
    let store = try await engine.start().store
    for token in 1...3 { try await store.countRefusal(of: Phone.address(UInt8(token)), acceptedAgo: nil) }
    #expect(try await store.refusedAddresses(atMost: 2).count == 2)
  }

  @Test("has no refusals in the future, because clocks go back")
  func clocks() {
    let ahead = AddressRefusals(first: 2_000_000, last: 2_500_000, count: 2)
    let refusals = AddressRefusals(after: ahead, at: 1_000_000)
    #expect(refusals == AddressRefusals(first: 1_000_000, last: 1_000_000, count: 2))
    #expect(!refusals.isSettled(at: 1_000_000, acceptedAgo: .zero))
  }
}
