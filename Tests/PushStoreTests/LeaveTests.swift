import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A device that has signed a leave", .hangGuard)
struct LeaveTests {
  private func names(in bench: any StoreBench) async throws -> [String?] {
    try await bench.store.devices(after: nil, atMost: 9).map(\.device.registration)
  }

  @Test("is removed, and no other; the leave may come again", arguments: Engine.all)
  func removed(engine: Engine) async throws {
    let bench = try await engine.start()
    var (ada, bob) = (Phone("ada", token: 1), Phone("bob", token: 2))
    try await ada.register(at: bench.store, of: "ada")
    try await bob.register(at: bench.store, of: "bob")
    let leave = try ada.leave()
    #expect(try await bench.store.leave(leave) == .success(["ada"]))
    #expect(try await names(in: bench) == ["bob"])
    #expect(try await bench.store.devices(of: ["ada", "bob"]).map(\.count) == [0, 1])
    #expect(try await bench.store.departed(ada.identity)?.serial == leave.serial)
    #expect(try await bench.store.leave(leave) == .success([]))
    #expect(try await bench.store.devices(of: ["bob"])[0].count == 1)
  }

  @Test("stays if it has enrolled since", arguments: Engine.all)
  func newer(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    let leave = try ada.leave()
    let newest = try ada.enrolment()
    _ = try await bench.store.accept(newest, as: "ada", mayBeNew: false).get()
    #expect(try await bench.store.leave(leave) == .failure(.olderSerial(last: newest.serial)))
    #expect(try await names(in: bench) == ["ada"])
    #expect(try await bench.store.departed(ada.identity) == nil)
  }

  @Test("of another app stays", arguments: Engine.all)
  func otherTopic(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    let leave = try ada.keys.leave(Topic("com.example.other"), for: Phone.audience, at: start)
    #expect(try await bench.store.leave(leave) == .failure(.otherTopic))
    #expect(try await names(in: bench) == ["ada"])
  }

  @Test("is nobody to a store that does not know it, which keeps nothing of it", arguments: Engine.all)
  func stranger(engine: Engine) async throws {
    let bench = try await engine.start()
    var (ada, eve) = (Phone("ada", token: 1), Phone("eve", token: 2))
    try await ada.register(at: bench.store, of: "ada")
    #expect(try await bench.store.leave(eve.leave()) == .success([]))
    #expect(try await bench.store.departed(eve.identity) == nil)
    #expect(try await names(in: bench) == ["ada"])
  }

  @Test(
    "does not come back by an enrolment that it signed before, under whatever name, with a fresh login",
    arguments: Engine.all)
  func earlier(engine: Engine) async throws {
    let bench = try await engine.start()
    var (ada, bob) = (Phone("ada", token: 1), Phone("bob", token: 2))
    try await ada.register(at: bench.store, of: "ada")
    try await bob.register(at: bench.store, of: "bob")
    // It is on its way, and newer than what is registered.
    let late = try ada.keys.enrol(
      address: ada.address, for: Phone.audience, challenge: Challenge("A1b2"), at: start)
    let leave = try ada.leave()
    _ = try await bench.store.leave(leave).get()
    for name in ["ada", "ada-2", "bob"] {
      let result = try await bench.store.accept(late, as: name, person: "ada", login: .challenged)
      #expect(throws: SignedSetError.olderSerial(last: leave.serial), "\(name)") { try result.get() }
    }
    #expect(try await names(in: bench) == ["bob"])
    #expect(try await bench.store.devices(of: ["bob"])[0].count == 1)
  }

  @Test("leaves with all that it has, proven or not", arguments: Engine.all)
  func both(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    try await ada.register(at: bench.store, of: "ada")
    let claim = try ada.keys.enrol(
      address: Phone.address(2), for: Phone.audience, challenge: Challenge("A1b2"), at: start)
    let outcome = try await bench.store.accept(claim, as: "bob", person: "bob", login: .challenged).get()
    try #require(outcome.change == .pending)
    #expect(try await bench.store.leave(ada.leave()) == .success(["ada", "bob"]))
    #expect(try await names(in: bench).isEmpty)
  }

  @Test(
    "is gone in the end, whichever comes first, its leave or what it enrolled before", arguments: Engine.all)
  func crossing(engine: Engine) async throws {
    let bench = try await engine.start()
    for round in 0..<10 {
      var ada = Phone("ada-\(round)", token: UInt8(round + 1))
      try await ada.register(at: bench.store, of: "ada")
      // The same phone, with another account: it moves at once.
      let claim = try ada.keys.enrol(
        address: ada.address, for: Phone.audience, challenge: Challenge("A1b2"), at: start)
      let leave = try ada.leave()
      async let moved = bench.store.accept(claim, as: "bob-\(round)", person: "bob", login: .challenged)
      async let gone = bench.store.leave(leave)
      _ = try await (moved, gone)
      #expect(try await names(in: bench).isEmpty)
      #expect(try await bench.store.departed(ada.identity)?.serial == leave.serial)
    }
  }

  @Test("stays or is gone, if its leave and a newer enrolment cross, and not both", arguments: Engine.all)
  func newerCrossing(engine: Engine) async throws {
    let bench = try await engine.start()
    for round in 0..<10 {
      var ada = Phone("ada-\(round)", token: UInt8(round + 1))
      try await ada.register(at: bench.store, of: "ada")
      let leave = try ada.leave()
      let newest = try ada.enrolment()
      let name = ada.name
      async let enrolled = bench.store.accept(newest, as: name, mayBeNew: false)
      async let gone = bench.store.leave(leave)
      let (first, second) = try await (enrolled, gone)
      let (isEnrolled, isGone) = ((try? first.get()) != nil, (try? second.get()) == [name])
      #expect(isEnrolled != isGone)
      let registration = try await bench.store.registration(named: name)
      #expect((registration == nil) == isGone)
      try await bench.store.remove(.registration(name))
    }
  }

  @Test("is handed in as a row that names nobody", arguments: Engine.all)
  func row(engine: Engine) async throws {
    let bench = try await engine.start()
    var ada = Phone("ada", token: 1)
    let leave = try ada.leave().encoded()
    _ = try await bench.insert([.body: String(decoding: leave, as: UTF8.self)])
    _ = try await bench.store.handIn(EnrolmentRequest(leave: leave))
    for leased in try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60)) {
      let request = try leased.request.get()
      #expect(request.isLeave && request.body == leave && request.name.isEmpty)
      try await bench.store.answer(leased.lease, with: .removed)
      #expect(try await bench.store.handedIn([leased.lease.id]).map(\.answer) == [.removed])
    }
  }
}

extension Phone {
  fileprivate mutating func leave() throws -> Leave {
    try keys.leave(Phone.topic, for: Phone.audience, at: start)
  }
}
