import PushCore
import PushKeys
import PushSealer
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A person who is forgotten", .hangGuard)
struct ForgettingTests {
  @Test("leaves no device, job, dead letter or enrolment", arguments: Engine.all)
  func everything(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    for (index, person) in ["alice", "alice", "bob"].enumerated() {
      var phone = Phone("\(index)", token: UInt8(index + 1))
      try await phone.register(at: store, of: person)
      _ = try await bench.insert([.registration: "x", .person: person, .body: "{}"])
      try await store.enqueue([Job(.lunch, to: person, at: start)])
    }
    let leases = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)
    try await store.discard(leases.map { JobDiscard($0.lease, reason: "") })
    #expect(try await store.forget(person: "alice") == 6)
    #expect(try await store.forget(person: "alice") == 0)
    #expect(try await store.devices(after: nil, atMost: 9).map(\.device.person) == ["bob"])
    #expect(try await store.statistics() == counts(ready: 1, oldest: .zero))
    #expect(try await people(store) == ["bob"])
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).count == 1)
    // The keys of a device go with it.
    var phone = Phone("0", token: 1)
    #expect(try await phone.register(at: store) == .registered)
  }

  @Test("leaves no outcome, not even one that is recorded afterwards", arguments: Engine.all)
  func outcomes(engine: Engine) async throws {
    let store = try await engine.start().store
    let jobs = try ["alice", "alice", "bob"].map { try Job(.lunch, to: $0, wantsOutcome: true, at: start) }
    try await store.enqueue(jobs)
    let outcomes = try await store.lease(atMost: 9, for: .seconds(60), sender: nil).compactMap {
      JobOutcomes(of: $0, [.reachedNobody(reason: "no device")])
    }
    try await store.record([outcomes[0], outcomes[2]])
    // Her two jobs, and what became of one.
    #expect(try await store.forget(person: "alice") == 3)
    try await store.record(outcomes)
    var counts: [Int] = []
    for job in jobs { counts.append(try await store.outcomes(of: job.messageID).count) }
    #expect(counts == [0, 0, 1])
  }

  @Test("leaves no enrolment that names no person for a device of his", arguments: Engine.all)
  func nameless(engine: Engine) async throws {
    let bench = try await engine.start()
    for (index, person) in ["alice", "bob"].enumerated() {
      var phone = Phone("\(index)", token: UInt8(index + 1))
      try await phone.register(at: bench.store, of: person)
      _ = try await bench.insert([.registration: "\(index)", .body: "{}"])
    }
    #expect(try await bench.store.forget(person: "alice") == 2)
    let left = try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(try left.map { try $0.request.get().name } == ["1"])
  }

  @Test("does not come back by an enrolment that a worker has leased", arguments: Engine.all)
  func leased(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("phone", token: 1)
    let body = String(decoding: try phone.enrolment().encoded(), as: UTF8.self)
    _ = try await bench.insert([.registration: "phone", .person: "alice", .body: body, .isNew: "1"])
    let leased = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))[0]
    #expect(try await bench.store.forget(person: "alice") == 1)
    let accepted = try await bench.store.accept(
      leased.request.get(), under: leased.lease, audience: Phone.audience)
    guard accepted == nil else { Issue.record("\(accepted!)"); return }
    #expect(try await bench.store.devices(after: nil, atMost: 9).isEmpty)
  }

  @Test("leaves nothing that was written as a blob")
  func blobs() async throws {
    let bench = try await SQLiteBench()
    let application = try bench.application()
    try application.run(
      "INSERT INTO sealpush.job (person, payload) VALUES (CAST('alice' AS BLOB), '{}'), ('bob', '{}')")
    try application.run("INSERT INTO sealpush.enrolment (person) VALUES (CAST('alice' AS BLOB))")
    #expect(try await bench.sqlite.forget(person: "alice") == 2)
    #expect(try application.run("SELECT person FROM sealpush.job") == [["bob"]])
  }
}
