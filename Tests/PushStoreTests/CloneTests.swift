import PushCore
import PushEnrolment
import PushKeys
import PushStore
import TestSupport
import Testing

/// An identity that two phones have: FORMAT.md, [11.30].
@Suite("An identity on two phones", .hangGuard)
struct CloneTests {
  private let day = Duration.seconds(86_400)

  /// A registration whose phone has proven a token, and its phone.
  private func scene(_ engine: Engine) async throws -> (bench: any StoreBench, phone: Phone) {
    let bench = try await engine.start()
    var phone = Phone("phone", token: 1)
    try await phone.register(at: bench.store, of: "ada")
    return (bench, phone)
  }

  /// Enrols with tokens one after the other, after so much time each, and answers what is asked; gives what became of each.
  private func prove(
    _ tokens: [UInt8], with phone: inout Phone, at bench: any StoreBench,
    after time: Duration = .seconds(3600)
  ) async throws -> [String] {
    var results: [String] = []
    for token in tokens {
      try await bench.advance(by: time)
      phone.address = Phone.address(token)
      let result = try await enrol(&phone, at: bench.store)
      results.append((try? result.get().change.rawValue) ?? result.code ?? "")
    }
    return results
  }

  private func enrol(
    _ phone: inout Phone, at store: any Store
  ) async throws -> Result<EnrolmentOutcome, SignedSetError> {
    let first = try await store.accept(phone.enrolment(), as: "phone", mayBeNew: false)
    guard let pending = try? first.get().pending else { return first }
    return try await store.accept(phone.answer(pending), as: "phone", mayBeNew: false)
  }

  @Test("is suspended by the third change to and fro, and nothing is sealed to it", arguments: Engine.all)
  func suspended(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    let store = bench.store
    #expect(try await prove([2, 1], with: &phone, at: bench) == ["updated", "updated"])
    #expect(try await store.devices(of: ["ada"])[0].count == 1)
    #expect(try await prove([2, 2, 1], with: &phone, at: bench) == ["suspended", "suspended", "suspended"])
    #expect(try await store.devices(of: ["ada"], includingUnreachable: true) == [[]])
    let kept = try #require(try await store.registration(named: "phone")).registration
    #expect(kept.proven == nil && !kept.isPending)
    #expect(try await store.leaseRequests(atMost: 9, for: .seconds(30)).leases.isEmpty)
  }

  @Test("is not when the changes take more than a week", arguments: Engine.all)
  func slow(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    let time = day * 3.5 + .seconds(1)
    let tokens: [UInt8] = [2, 1, 2, 1, 2]
    #expect(
      try await prove(tokens, with: &phone, at: bench, after: time)
        == [String](repeating: "updated", count: 5))
    #expect(try await prove([1, 2, 1], with: &phone, at: bench, after: day).last == "suspended")
  }

  @Test("is not by tokens that are new", arguments: Engine.all)
  func newTokens(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    let tokens: [UInt8] = [2, 3, 4, 3, 5, 6, 1]
    #expect(
      try await prove(tokens, with: &phone, at: bench) == [String](repeating: "updated", count: 7))
  }

  @Test("is not by builds of both environments, by turns on one phone", arguments: Engine.all)
  func environments(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    for round in 0..<6 {
      phone.address = DeviceAddress(
        topic: Phone.topic, environment: round.isMultiple(of: 2) ? .sandbox : .production,
        token: Phone.address(round.isMultiple(of: 2) ? 2 : 1).token)
      let outcome = try await bench.store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get()
      let answer = try phone.answer(#require(outcome.pending))
      #expect(
        try await bench.store.accept(answer, as: "phone", mayBeNew: false).get().change == .updated)
    }
  }

  @Test("is not by enrolments that are not proven", arguments: Engine.all)
  func unproven(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    for token in [UInt8](arrayLiteral: 2, 1, 2, 1, 2, 1) {
      phone.address = Phone.address(token)
      let outcome = try await bench.store.accept(phone.enrolment(), as: "phone", mayBeNew: false).get()
      #expect(outcome.change == (token == 1 ? .updated : .pending))
    }
  }

  @Test("is free for a new identity, which a login's challenge brings", arguments: Engine.all)
  func login(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    let store = bench.store
    #expect(try await prove([2, 1, 2], with: &phone, at: bench).last == "suspended")
    let challenge = try Challenge("challenge")
    let old = try phone.keys.enrol(
      address: phone.address, for: Phone.audience, challenge: challenge, at: start)
    #expect(
      try await store.accept(old, as: "phone", person: "ada", login: .challenged).code == "suspended")
    var new = Phone("phone", token: 2)
    let enrolment = try new.keys.enrol(
      address: new.address, for: Phone.audience, challenge: challenge, at: start)
    let pending = try await store.accept(enrolment, as: "phone", person: "ada", login: .challenged).get()
      .pending
    // The token is asked at once: it is not dead.
    #expect(try await store.leaseRequests(atMost: 9, for: .seconds(30)).leases.count == 1)
    let answer = try new.answer(#require(pending))
    #expect(try await store.accept(answer, as: "phone", mayBeNew: false).get().change == .registered)
    #expect(try await store.devices(of: ["ada"])[0].map(\.identity) == [enrolment.identity.thumbprint])
  }

  @Test("is suspended for as long as its registration is there, and for a month", arguments: Engine.all)
  func sweep(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    let store = bench.store
    #expect(try await prove([2, 1, 2], with: &phone, at: bench).last == "suspended")
    try await bench.advance(by: day * 31)
    try await store.removeAsked(atMost: 100)
    #expect(try await prove([1], with: &phone, at: bench) == ["suspended"])
    try await store.remove(.registration("phone"))
    #expect(try await prove([1], with: &phone, at: bench) == ["suspended"])
    try await store.removeAsked(atMost: 100)
    #expect(try await prove([1], with: &phone, at: bench) == ["not-registered"])
  }

  @Test("is forgotten with its person", arguments: Engine.all)
  func forgotten(engine: Engine) async throws {
    var (bench, phone) = try await scene(engine)
    let store = bench.store
    #expect(try await prove([2, 1, 2], with: &phone, at: bench).last == "suspended")
    try await store.forget(person: "ada")
    #expect(try await prove([1], with: &phone, at: bench) == ["not-registered"])
    #expect(try await store.alternation(of: phone.keys.identityThumbprint) == nil)
  }

  @Test("is told by its tokens' digests, not by the tokens", arguments: DatabaseEngine.allCases)
  func digests(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    var phone = Phone("phone", token: 1)
    try await phone.register(at: bench.store, of: "ada")
    _ = try await prove([2, 1], with: &phone, at: bench)
    let rows = try bench.read("SELECT former FROM sealpush.alternation")
    #expect(rows.count == 1 && rows[0]?.count == 43)
  }
}

extension Result where Failure == SignedSetError {
  fileprivate var code: String? { if case .failure(let error) = self { error.code } else { nil } }
}

extension DeviceKeys {
  fileprivate var identityThumbprint: Thumbprint { identity.records[0].id }
}
