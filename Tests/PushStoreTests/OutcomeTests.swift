import PushCore
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("What became of a message", .hangGuard)
struct OutcomeTests {
  private let phone = Phone("phone", token: 1).identity
  private let pad = Phone("pad", token: 2).identity

  /// Enqueues a message that asks for its outcomes, and leases it.
  private func lease(_ id: MessageID = .random(), at store: any Store) async throws -> LeasedJob {
    try await store.enqueue([Job(.lunch, to: "alice", messageID: id, wantsOutcome: true, at: start)])
    return try #require(try await store.lease(atMost: 1, for: .seconds(60), sender: nil).first)
  }

  private func missed(_ identity: Thumbprint, _ reason: String, kind: MessageOutcome.Kind) -> MessageOutcome {
    .missed(MissingDevice(registration: "pad", identity: identity, reason: reason), kind: kind)
  }

  /// What a store knows, in an order that does not depend on the identities.
  private func outcomes(of id: MessageID, at store: any Store) async throws -> [MessageOutcome] {
    try await store.outcomes(of: id).map(\.outcome).sorted { $0.kind.rawValue < $1.kind.rawValue }
  }

  @Test("is known of each device, with the time", arguments: Engine.all)
  func recorded(engine: Engine) async throws {
    let bench = try await engine.start()
    let leased = try await lease(at: bench.store)
    let id = try leased.job.get().messageID
    #expect(try leased.job.get().wantsOutcome)
    let written: [MessageOutcome] = [
      .accepted(by: phone, registration: "phone"), missed(pad, "APNs: BadPriority", kind: .refused),
      .reachedNobody(reason: "no other device"),
    ]
    try await bench.advance(by: .seconds(5))
    try await bench.store.record([try #require(JobOutcomes(of: leased, written))])
    #expect(try await outcomes(of: id, at: bench.store) == written)
    let all = try await bench.another().outcomes(of: id)
    #expect(all.allSatisfy { $0.person == "alice" && $0.decidedAt == start.advanced(by: .seconds(5)) })
    #expect(all.map(\.outcome.identity) == [nil] + [phone, pad].sorted { $0.text < $1.text })
    #expect(try await bench.store.outcomes(of: .random()).isEmpty)
  }

  @Test("is not recorded for a job that does not ask", arguments: Engine.all)
  func notAsked(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue([Job(.lunch, to: "alice", at: start)])
    try await bench.insert([.person: "bob", .payload: "{}"])
    try await bench.insert([.person: "carol", .payload: "{}", .outcome: nil])
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.count == 3)
    #expect(leased.allSatisfy { JobOutcomes(of: $0, [.accepted(by: phone)]) == nil })
  }

  @Test("is recorded for a row that is wrong, or has expired, too", arguments: Engine.all)
  func wrongRow(engine: Engine) async throws {
    let bench = try await engine.start()
    let ids = [MessageID.random(), .random()]
    try await bench.insert([.messageID: ids[0].text, .person: "alice", .payload: "{", .outcome: "1"])
    try await bench.insert([
      .messageID: ids[1].text, .person: "alice", .payload: "{}", .expiresAt: "1", .outcome: "1",
    ])
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.count { (try? $0.job.get()) != nil } == 0)
    try await bench.store.record(leased.compactMap { JobOutcomes(of: $0, [.reachedNobody(reason: "wrong")]) })
    for id in ids { #expect(try await bench.store.outcomes(of: id).map(\.outcome.reason) == ["wrong"]) }
  }

  @Test("stays accepted, and is otherwise what came last", arguments: Engine.all)
  func acceptedWins(engine: Engine) async throws {
    let bench = try await engine.start()
    let leased = try await lease(at: bench.store)
    let id = try leased.job.get().messageID
    let first: [MessageOutcome] = [
      .accepted(by: phone, registration: "phone"), missed(pad, "in quarantine", kind: .unreachable),
    ]
    try await bench.store.record([try #require(JobOutcomes(of: leased, first))])
    try await bench.advance(by: .seconds(5))
    let second = [
      missed(phone, "APNs: BadPriority", kind: .refused), missed(pad, "APNs: BadPriority", kind: .refused),
    ]
    try await bench.store.record([try #require(JobOutcomes(of: leased, second))])
    #expect(try await outcomes(of: id, at: bench.store) == [first[0], second[1]])
    try await bench.store.record([try #require(JobOutcomes(of: leased, [.accepted(by: pad)]))])
    #expect(try await outcomes(of: id, at: bench.store).map(\.kind) == [.accepted, .accepted])
    // The time is that of the outcome, and not of what was ignored.
    let times = Set(try await bench.store.outcomes(of: id).map(\.decidedAt))
    #expect(times == [start, start.advanced(by: .seconds(5))])
  }

  @Test("is no longer that nobody got it when more is known", arguments: Engine.all)
  func nobodyGoes(engine: Engine) async throws {
    let store = try await engine.start().store
    let leased = try await lease(at: store)
    let id = try leased.job.get().messageID
    try await store.record([try #require(JobOutcomes(of: leased, [.reachedNobody(reason: "no device")]))])
    #expect(try await store.outcomes(of: id).map(\.outcome) == [.reachedNobody(reason: "no device")])
    try await store.record([try #require(JobOutcomes(of: leased, [.accepted(by: phone)]))])
    #expect(try await store.outcomes(of: id).map(\.outcome) == [.accepted(by: phone)])
  }

  @Test("is not recorded by a worker that has lost its lease, or after the end", arguments: Engine.all)
  func lostLease(engine: Engine) async throws {
    let bench = try await engine.start()
    let late = try await lease(at: bench.store)
    let id = try late.job.get().messageID
    try await bench.advance(by: .seconds(61))
    let leased = try #require(
      try await bench.store.lease(atMost: 1, for: .seconds(60), sender: nil).first)
    try await bench.store.record([try #require(JobOutcomes(of: late, [.accepted(by: phone)]))])
    #expect(try await bench.store.outcomes(of: id).isEmpty)
    // Both at once, as a worker that has leased it again before it has written.
    let both = [late, leased].compactMap { JobOutcomes(of: $0, [.accepted(by: pad)]) }
    try await bench.store.record(both)
    #expect(try await bench.store.outcomes(of: id).map(\.outcome.identity) == [pad])
    try await bench.store.acknowledge([leased.lease])
    try await bench.store.record([try #require(JobOutcomes(of: leased, [.accepted(by: phone)]))])
    #expect(try await bench.store.outcomes(of: id).count == 1)
    try await bench.store.record([])
  }

  @Test("goes when it is old, in parts", arguments: Engine.all)
  func sweep(engine: Engine) async throws {
    let bench = try await engine.start()
    var ids: [MessageID] = []
    for _ in 0..<4 {
      let leased = try await lease(at: bench.store)
      ids.append(try leased.job.get().messageID)
      try await bench.store.record([try #require(JobOutcomes(of: leased, [.accepted(by: phone)]))])
      try await bench.store.acknowledge([leased.lease])
      try await bench.advance(by: .seconds(10))
    }
    // They are 40, 30, 20 and 10 seconds old.
    #expect(try await bench.store.removeOutcomes(olderThan: .seconds(20), atMost: 0) == 0)
    #expect(try await bench.store.removeOutcomes(olderThan: .seconds(20), atMost: 2) == 2)
    #expect(try await bench.store.removeOutcomes(olderThan: .seconds(20), atMost: 2) == 1)
    #expect(try await bench.store.removeOutcomes(olderThan: .seconds(20), atMost: 2) == 0)
    var counts: [Int] = []
    for id in ids { counts.append(try await bench.store.outcomes(of: id).count) }
    #expect(counts == [0, 0, 0, 1])
  }

  @Test("may have any reason, of which 500 bytes are kept")
  func reasons() {
    #expect(MessageOutcome.reachedNobody(reason: String(repeating: "a", count: 900)).reason?.count == 500)
    let outcome = missed(phone, "APNs: BadPriority", kind: .refused)
    #expect("\(outcome)" == "device \(phone.text): refused, APNs: BadPriority")
    #expect(Mirror(reflecting: outcome).children.isEmpty)
  }

  @Test("is read in an application's SQL")
  func sql() async throws {
    let bench = try await SQLiteBench()
    let leased = try await lease(at: bench.sqlite)
    let id = try leased.job.get().messageID.text
    try await bench.sqlite.record([
      try #require(JobOutcomes(of: leased, [.reachedNobody(reason: "no device")]))
    ])
    let select =
      "SELECT person, registration, identity, outcome, reason FROM sealpush.outcome WHERE message_id = ?1"
    #expect(
      try bench.application().run(select, id.uppercased()) == [
        ["alice", nil, "", "unreachable", "no device"]
      ])
  }

  @Test("is read by a role that may do nothing else")
  func role() async throws {
    let bench = try await PostgresBench()
    let leased = try await lease(at: bench.postgres)
    try await bench.postgres.record([
      try #require(JobOutcomes(of: leased, [.reachedNobody(reason: "no device")]))
    ])
    let role = "support\(MessageID.random().text.prefix(8))"
    let application = try bench.application()
    let rows = try application.run(
      """
      CREATE ROLE \(role); GRANT USAGE ON SCHEMA sealpush TO \(role); GRANT SELECT ON sealpush.outcome TO \(role);
      SET ROLE \(role); SELECT person, outcome, reason FROM sealpush.outcome
      """)
    #expect(rows == [["alice", "unreachable", "no device"]])
    #expect(throws: PostgresApplication.Refusal(state: "42501")) {
      try application.run("DELETE FROM sealpush.outcome")
    }
    try application.run("RESET ROLE; DROP OWNED BY \(role); DROP ROLE \(role)")
  }

  @Test("is forgotten after a record that is under way")
  func forgetting() async throws {
    let bench = try await PostgresBench()
    let leased = try await lease(at: bench.postgres)
    let id = try leased.job.get().messageID
    // What a record does before it has committed.
    let recorder = try bench.application()
    try recorder.run(
      """
      BEGIN; SELECT FROM sealpush.job FOR KEY SHARE;
      INSERT INTO sealpush.outcome VALUES ('\(id.text)', 'alice', NULL, '', 'unreachable', NULL, sealpush.now())
      """)
    let forgetting = Task { [store = bench.postgres] in try await store.forget(person: "alice") }
    _ = try await bench.waitingBackend()
    try recorder.run("COMMIT")
    #expect(try await forgetting.value == 2)
    #expect(try await bench.store.outcomes(of: id).isEmpty)
  }
}
