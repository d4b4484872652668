import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A phone that moves", .hangGuard)
struct MovingTests {
  @Test(
    "to another account is that account's at once, and nothing is sealed for the other", arguments: Engine.all
  )
  func anotherAccount(engine: Engine) async throws {
    let store = try await engine.start().store
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: store, of: "ada")
    let enrolment = try phone.challenged()
    let result = try await store.accept(enrolment, as: "bob-1", person: "bob", mayBeNew: true)
    #expect(throws: SignedSetError.identityInUse(registration: "ada-1")) { try result.get() }
    let outcome = try await store.accept(enrolment, as: "bob-1", person: "bob", login: .challenged).get()
    #expect(outcome.change == .registered)
    #expect(try await store.devices(of: ["ada"], includingUnreachable: true) == [[]])
    #expect(try await store.devices(of: ["bob"])[0].map(\.device.registration) == ["bob-1"])
    #expect(try await store.registration(named: "ada-1") == nil)
  }

  @Test(
    "after it was erased proves its old token, which the old registration loses then", arguments: Engine.all)
  func erased(engine: Engine) async throws {
    let store = try await engine.start().store
    var (old, new) = (Phone("ada-1", token: 1), Phone("ada-2", token: 1))
    try await old.register(at: store, of: "ada")
    let pending = try await store.accept(new.challenged(), as: "ada-2", person: "ada", login: .challenged)
      .get()
      .pending
    #expect(try await store.devices(of: ["ada"])[0].map(\.device.registration) == ["ada-1"])
    // The login is over when the phone answers.
    let answer = try new.answer(#require(pending))
    #expect(try await store.accept(answer, as: "ada-2", mayBeNew: false).get().change == .registered)
    #expect(try await store.devices(of: ["ada"])[0].map(\.device.registration) == ["ada-2"])
    #expect(try #require(try await store.registration(named: "ada-1")).registration.proven == nil)
  }

  @Test("after it was erased begins anew under its name, and its jobs wait for it", arguments: Engine.all)
  func sameName(engine: Engine) async throws {
    let store = try await engine.start().store
    var (old, new) = (Phone("ada-1", token: 1), Phone("ada-1", token: 2))
    try await old.register(at: store, of: "ada")
    let pending = try await store.accept(new.challenged(), as: "ada-1", login: .challenged).get().pending
    let awaited = try await store.devices(of: ["ada"], includingUnreachable: true)[0]
    #expect(awaited.map(\.isReachable) == [false])
    let answer = try new.answer(#require(pending))
    #expect(try await store.accept(answer, as: "ada-1", mayBeNew: false).get().change == .registered)
    #expect(try await store.devices(of: ["ada"])[0].map(\.identity) == [new.keys.identity.records[0].id])
  }

  @Test("by an application's own row with a challenge", arguments: Engine.all)
  func byRow(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("ada-1", token: 1)
    try await phone.register(at: bench.store, of: "ada")
    let body = String(decoding: try phone.challenged().encoded(), as: UTF8.self)
    for (challenge, change) in [(nil, nil), ("A1b2", Registrations.Change.registered)] {
      var row = [
        EnrolmentRow.Column.registration: "bob-1", .person: "bob", .body: body, .isNew: "1",
      ]
      row[.challenge] = challenge
      _ = try await bench.insert(row)
      let leased = try #require(try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(9)).first)
      let result = try await bench.store.accept(
        leased.request.get(), under: leased.lease, audience: Phone.audience)
      let accepted = try? result?.get()
      #expect(accepted?.change == change)
      _ = try await bench.store.answer(leased.lease, with: .refused(reason: "it is over"))
    }
    #expect(try await bench.store.devices(of: ["bob"])[0].count == 1)
  }
}

extension Phone {
  /// What the app sends after a login, with the login's challenge.
  fileprivate mutating func challenged() throws -> Enrolment {
    try keys.enrol(address: address, for: Phone.audience, challenge: Challenge("A1b2"), at: start)
  }
}
