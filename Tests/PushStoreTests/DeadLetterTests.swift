import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("Dead letters", .hangGuard)
struct DeadLetterTests {
  /// Enqueues jobs for these persons and discards them, for a reason with their name.
  private func discard(_ people: [String], from store: any Store) async throws -> [JobID] {
    try await store.enqueue(
      people.map { try Job(["aps": ["alert": "Lunch"], "for": .string($0)], to: $0, at: start) })
    let leased = try await store.lease(atMost: people.count, for: .seconds(60), sender: thumbprint(1))
    try await store.discard(
      leased.map { JobDiscard($0.lease, reason: "not for \(try $0.job.get().person)") })
    return leased.map(\.lease.job)
  }

  @Test("are listed with their rows and reasons, a page at a time", arguments: Engine.all)
  func list(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    #expect(try await store.deadLetters(after: nil, atMost: 9).isEmpty)
    try await bench.advance(by: .seconds(3))
    let ids = try await discard(["alice", "bob", "carol"], from: store)
    #expect(try await people(store) == [])
    let first = try await store.deadLetters(after: nil, atMost: 2)
    #expect(first.map(\.id) == Array(ids[..<2]) && first.map { $0[.person] } == ["alice", "bob"])
    #expect(first[0][.payload] == #"{"aps":{"alert":"Lunch"},"for":"alice"}"# && first[0][.collapseID] == nil)
    #expect(first[0].reason == "not for alice" && first[0].attempts == 1)
    #expect(first[0].diedAt == start.advanced(by: .seconds(3)))
    #expect(try await store.deadLetters(after: ids[1], atMost: 9).map(\.id) == [ids[2]])
    #expect(try await store.deadLetters(after: ids[2], atMost: 9).isEmpty)
    #expect(try await store.deadLetters(after: nil, atMost: -1).isEmpty)
  }

  @Test("can be sent again, with what was settled and a new count of attempts", arguments: Engine.all)
  func resend(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    var job = try await store.lease(atMost: 1, for: .seconds(60), sender: thumbprint(1))[0]
    try await store.retry([JobRetry(job, after: .zero, settling: [thumbprint(7)], reason: "")])
    job = try await store.lease(atMost: 1, for: .seconds(60), sender: thumbprint(2))[0]
    let old = job
    try await store.discard([JobDiscard(job.lease, reason: "enough")])
    #expect(try await store.deadLetters(after: nil, atMost: 9).map(\.attempts) == [2])
    try await bench.advance(by: .seconds(5))
    #expect(try await store.resend([job.lease.job, JobID(999)]) == 1)
    #expect(try await store.resend([job.lease.job]) == 0)
    #expect(try await store.deadLetters(after: nil, atMost: 9).isEmpty)
    job = try await store.lease(atMost: 1, for: .seconds(60), sender: thumbprint(3))[0]
    #expect(job.attempt == 1 && job.senders == [thumbprint(1)] && job.settled == [thumbprint(7)])
    // A worker of before has no say in it.
    #expect(job.lease.number == old.lease.number + 1)
    #expect(try await store.acknowledge([old.lease]) == 0)
    #expect(try await store.acknowledge([job.lease]) == 1)
  }

  @Test("can be deleted, and nothing else with them", arguments: Engine.all)
  func delete(engine: Engine) async throws {
    let store = try await engine.start().store
    let dead = try await discard(["alice"], from: store)
    let ready = try await store.enqueue([Job(.lunch, to: "bob", at: start)])
    #expect(try await store.delete(dead + ready + [JobID(999)]) == 1)
    #expect(try await store.resend(ready) == 0)
    #expect(try await store.statistics() == counts(ready: 1, oldest: .zero))
  }

  @Test(
    "go when they are old, the oldest first and in parts, and nothing else goes with them",
    arguments: Engine.all)
  func sweep(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    var ids: [JobID] = []
    for person in ["ada", "bob", "eve", "kim"] {
      ids += try await discard([person], from: store)
      try await bench.advance(by: .seconds(10))
    }
    // Given up 40, 30, 20 and 10 seconds ago; the first is given up once more.
    try await store.resend([ids[0]])
    try await store.discard(
      store.lease(atMost: 9, for: .seconds(60), sender: nil).map { JobDiscard($0.lease, reason: "again") })
    try await store.enqueue([Job(.lunch, to: "pat", at: start)])
    try await bench.advance(by: .seconds(1))
    #expect(try await store.removeDeadLetters(olderThan: .seconds(11), atMost: 0) == 0)
    #expect(try await store.removeDeadLetters(olderThan: .seconds(11), atMost: 2) == 2)
    #expect(try await store.deadLetters(after: nil, atMost: 9).map(\.id) == [ids[0], ids[3]])
    #expect(try await store.removeDeadLetters(olderThan: .seconds(11), atMost: 2) == 1)
    #expect(try await store.removeDeadLetters(olderThan: .seconds(11), atMost: 2) == 0)
    #expect(try await store.deadLetters(after: nil, atMost: 9).map(\.id) == [ids[0]])
    #expect(try await store.statistics().ready == 1)
  }

  @Test("have a reason of at most 500 bytes", arguments: Engine.all)
  func longReason(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.enqueue([Job(.lunch, to: "alice", at: start)])
    let job = try await store.lease(atMost: 1, for: .seconds(60), sender: nil)[0]
    let reason = "a" + String(repeating: "ä", count: 500)
    try await store.discard([JobDiscard(job.lease, reason: reason)])
    let kept = try await store.deadLetters(after: nil, atMost: 1)[0].reason
    #expect(kept == "a" + String(repeating: "ä", count: 249))
  }
}
