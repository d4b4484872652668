import PushCore
import PushStore
import PushStorePostgres
import StoreSupport
import TestSupport
import Testing

/// What an application does in the SQL of its own transactions, in a PostgreSQL database.
@Suite("An application in PostgreSQL's SQL", .hangGuard)
struct PostgresOutboxTests {
  private let bench: PostgresBench
  private let application: PostgresApplication
  private var store: any Store { bench.store }

  init() async throws {
    bench = try await PostgresBench()
    application = try bench.application()
  }

  private let insert = "INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')"

  @Test("enqueues a notification in the transaction that made it necessary")
  func commit() async throws {
    try application.run(
      """
      BEGIN; INSERT INTO sealpush.job (message_id, person, payload)
      VALUES (gen_random_uuid(), 'alice', jsonb_build_object('aps', jsonb_build_object('alert', 'Lunch')))
      """)
    #expect(try await people(store) == [])
    try application.run("COMMIT")
    let job = try #require(await store.lease(atMost: 9, for: .seconds(60), sender: nil).first).job.get()
    #expect(job.person == "alice" && job.payload == ["aps": ["alert": "Lunch"]] && job.createdAt == start)
  }

  @Test("enqueues with message IDs of the server's that are in the order of their times, and differ")
  func timeOrdered() async throws {
    let before = Int64(SystemClock().sinceEpoch / .milliseconds(1))
    for _ in 1...3 { try application.run(insert) }
    let after = Int64(SystemClock().sinceEpoch / .milliseconds(1))
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let ids = try leased.map { try $0.job.get().messageID.bytes }
    #expect(Set(ids).count == 3)
    let times = ids.map { $0.prefix(6).reduce(0) { $0 << 8 | Int64($1) } }
    #expect(times == times.sorted() && times.allSatisfy { before <= $0 && $0 <= after })
    #expect(ids.allSatisfy { $0[6] >> 4 == 7 && $0[8] >> 6 == 2 })
  }

  @Test("enqueues nothing in a transaction that it rolls back")
  func rollback() async throws {
    try application.run("BEGIN; \(insert)")
    try application.run(
      "INSERT INTO sealpush.enrolment (registration, body) VALUES ('phone', '{}'); ROLLBACK")
    #expect(try await store.statistics() == counts())
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).isEmpty)
  }

  @Test("enqueues a message once, and is told of its number")
  func once() async throws {
    let job = try Job(.lunch, to: "alice", at: start)
    let id = try await store.enqueue([job])[0]
    let again =
      "INSERT INTO sealpush.job (message_id, person, payload) VALUES (upper('\(job.messageID.text)')::uuid"
    #expect(throws: PostgresApplication.Refusal(state: "23505")) {
      try application.run("\(again), 'bob', '{}')")
    }
    try application.run("\(again), 'bob', '{}') ON CONFLICT (message_id) DO NOTHING")
    #expect(try await store.enqueue([job]) == [id])
    #expect(try await people(store) == ["alice"])
  }

  @Test("is told at once of a value that is of another type, which ends its own transaction alone")
  func types() async throws {
    for (column, value) in [
      ("message_id", "lunch"), ("priority", "high"), ("not_before", "soon"), ("lifetime", "1.5"),
    ] {
      #expect(throws: PostgresApplication.Refusal.self) {
        try application.run(
          "INSERT INTO sealpush.job (person, payload, \(column)) VALUES ('bob', '{}', '\(value)')")
      }
    }
    try application.run(insert)
    #expect(try await people(store) == ["alice"])
  }

  @Test("writes what no job has, and neither hides it nor harms another")
  func wrong() async throws {
    let giant = "repeat(md5('x'), 100000)"
    for (column, value) in [
      ("not_before", "'infinity'"), ("not_before", "'-infinity'"), ("not_before", "'0044-03-15 BC'"),
      ("expires_at", "'infinity'"), ("created_at", "'-infinity'"), ("topic", giant), ("collapse_id", giant),
      ("attempt", "9223372036854775807, person = \(giant)"),
      ("forgiven", "-9223372036854775808, attempt = -1, payload = '['"),
      ("settled", "'lunch', person = NULL"), ("dead_at", "NULL, payload = NULL"),
    ] {
      try application.run("\(insert); UPDATE sealpush.job SET \(column) = \(value) WHERE id = lastval()")
    }
    try application.run("\(insert); UPDATE sealpush.job SET run_at = 'infinity' WHERE id = lastval()")
    try application.run(insert)
    #expect(try await store.statistics().ready == 12)
    let leased = try await store.lease(atMost: 99, for: .seconds(60), sender: nil)
    #expect(leased.count == 12 && leased.count { (try? $0.job.get()) != nil } == 1)
    #expect(leased.allSatisfy { $0.attempt >= 1 })
    #expect(try await store.discard(leased.map { JobDiscard($0.lease, reason: "wrong") }) == 12)
    #expect(try await store.deadLetters(after: nil, atMost: 99).count == 12)
    #expect(try await store.statistics().delayed == 1)
  }

  @Test("needs no more than the right to insert")
  func rights() async throws {
    let name = "shop\(MessageID.random().text.prefix(8))"
    try application.run(
      """
      CREATE ROLE \(name); GRANT USAGE ON SCHEMA sealpush TO \(name); GRANT SELECT ON clock TO \(name);
      GRANT INSERT (message_id, person, payload, topic, priority, not_before, expires_at, lifetime, apns_priority,
        collapse_id, created_at, push_type, outcome) ON sealpush.job TO \(name);
      GRANT SELECT ON sealpush.outcome, sealpush.reachable TO \(name);
      SET ROLE \(name); \(insert)
      """)
    // The same message twice is one, without the right to read which there are.
    let once = """
      INSERT INTO sealpush.job (message_id, person, payload)
      VALUES ('0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10', 'bob', '{}') ON CONFLICT DO NOTHING
      """
    for _ in 0..<2 { try application.run(once) }
    #expect(throws: PostgresApplication.Refusal(state: "42501")) {
      try application.run("DELETE FROM sealpush.job")
    }
    #expect(throws: PostgresApplication.Refusal(state: "42501")) {
      try application.run("INSERT INTO sealpush.job (person, attempt) VALUES ('alice', 7)")
    }
    #expect(try await people(store) == ["alice", "bob"])
  }

  @Test("hands in an enrolment, and reads the answer in its row")
  func enrolment() async throws {
    let id = try application.run(
      """
      INSERT INTO sealpush.enrolment (registration, person, body, is_new) VALUES ('phone', 'alice', 'no JSON', true)
      RETURNING id
      """)[0][0]
    let leased = try #require(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).first)
    #expect(try leased.request.get().mayBeNew)
    try bench.advance(by: .seconds(1))
    try await store.answer(leased.lease, with: .refused(reason: "malformed-enrolment"))
    let answer = try application.run(
      "SELECT answer, reason, answered_at - created_at FROM sealpush.enrolment WHERE id = \(id!)")
    #expect(answer == [["refused", "malformed-enrolment", "00:00:01"]])
  }

  @Test("leaves rows alone that it has locked itself")
  func locks() async throws {
    try await store.enqueue([Job(.lunch, to: "alice", at: start), Job(.lunch, to: "bob", at: start)])
    try application.run("BEGIN; SELECT FROM sealpush.job WHERE person = 'alice' FOR UPDATE")
    #expect(try await people(store) == ["bob"])
    try application.run("COMMIT")
    #expect(try await people(store) == ["alice"])
  }

  @Test("that holds a leased row keeps no other lease from being extended, and no other job from its end")
  func holds() async throws {
    let store = try await PostgresStore(connectionString: bench.string, patience: .seconds(1))
    try await store.enqueue([Job(.lunch, to: "alice", at: start), Job(.lunch, to: "bob", at: start)])
    let leases = try await store.lease(atMost: 9, for: .seconds(60), sender: nil).map(\.lease)
    try application.run("BEGIN; SELECT FROM sealpush.job WHERE person = 'alice' FOR UPDATE")
    #expect(try await store.extend(leases, for: .seconds(90)) == leases)
    #expect(
      try application.run(
        "SELECT person, extract(epoch FROM run_at - sealpush.now())::int FROM sealpush.job ORDER BY id")
        == [["alice", "60"], ["bob", "90"]])
    await #expect(throws: StoreError.self) { try await store.acknowledge(leases) }
    #expect(try await store.acknowledge([leases[1]]) == 1)
    try application.run("COMMIT")
    #expect(try await store.acknowledge(leases) == 1)
    #expect(try await store.extend(leases, for: .seconds(90)).isEmpty)
  }
}
