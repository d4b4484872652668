import PushCore
import PushStore
import TestSupport
import Testing

/// What an application does in the SQL of its own transactions, with an SQLite file.
@Suite("An application in plain SQL", .hangGuard)
struct OutboxTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let application: Application

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore(path: folder.path(of: "push.sqlite"))
    application = try Application(folder.path(of: "shop.sqlite"))
    try application.run("CREATE TABLE purchase (person TEXT, article TEXT)")
    try application.run("ATTACH DATABASE ?1 AS sealpush", store.path)
  }

  @Test("enqueues a notification in the transaction that made it necessary")
  func commit() async throws {
    try application.run("BEGIN IMMEDIATE")
    try application.run("INSERT INTO purchase VALUES ('alice', 'carrots')")
    try application.run(
      """
      INSERT INTO sealpush.job (person, payload)
      VALUES ('alice', json_object('aps', json_object('alert', 'Your carrots are on their way')))
      """)
    #expect(try await people(store) == [])
    try application.run("COMMIT")
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let job = try #require(leased.first).job.get()
    #expect(job.person == "alice" && job.priority == .standard && leased.count == 1)
    #expect(job.payload == ["aps": ["alert": "Your carrots are on their way"]])
    #expect(abs(job.createdAt.seconds - UnixTime.now.seconds) < 600)
  }

  @Test("enqueues nothing in a transaction that it rolls back")
  func rollback() async throws {
    try application.run("BEGIN IMMEDIATE")
    try application.run("INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')")
    try application.run("INSERT INTO sealpush.enrolment (registration, body) VALUES ('phone', '{}')")
    try application.run("ROLLBACK")
    #expect(try await store.statistics() == counts())
    #expect(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).isEmpty)
  }

  @Test("enqueues a notification once if it names the message, or is told that it is there")
  func once() async throws {
    let id = MessageID.random().text
    let insert = "INSERT INTO sealpush.job (message_id, person, payload) VALUES (?1, 'alice', '{}')"
    try application.run(insert + " ON CONFLICT (message_id) DO NOTHING", id)
    try application.run(insert + " ON CONFLICT (message_id) DO NOTHING", id)
    #expect(throws: Application.Refusal(text: "UNIQUE constraint failed: job.message_id")) {
      try application.run(insert, id)
    }
    #expect(try await store.statistics().ready == 1)
  }

  @Test("gives each message a random ID of its own if it names none")
  func randomIDs() async throws {
    try application.run("BEGIN IMMEDIATE")
    for _ in 0..<500 {
      try application.run("INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')")
    }
    try application.run("COMMIT")
    let ids = try await store.lease(atMost: 500, for: .seconds(60), sender: nil).map {
      try $0.job.get().messageID
    }
    #expect(Set(ids).count == 500)
    #expect(ids.allSatisfy { $0.bytes[6] >> 4 == 4 && $0.bytes[8] >> 6 == 2 })
  }

  @Test("keeps a notification back, and says when it is too late, in seconds")
  func times() async throws {
    try application.run(
      """
      INSERT INTO sealpush.job (person, payload, not_before, expires_at) VALUES
        ('alice', '{}', unixepoch() + 3600, NULL), ('bob', '{}', unixepoch() - 1, unixepoch() + 3600),
        ('carol', '{}', unixepoch() - 3600, unixepoch() - 1800)
      """)
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let faults = leased.map { if case .failure(.expired) = $0.job { "late" } else { "ready" } }
    #expect(faults == ["late", "ready"])
    #expect(try leased[1].job.get().person == "bob")
    #expect(try await store.statistics().delayed == 1)
  }

  @Test("writes bytes that are no text, and harms nobody")
  func bytes() async throws {
    try application.run(
      """
      INSERT INTO sealpush.job (person, payload, priority, not_before, message_id) VALUES
        (CAST(x'ff' AS TEXT), '{}', 5, 0, '00000000-0000-4000-8000-000000000001'),
        ('bob', x'7b7d', 5, 1, x'00'),
        (7, 7, x'07', 'x', '00000000-0000-4000-8000-000000000003'),
        ('alice', x'7b7d', 5, 2, '00000000-0000-4000-8000-000000000004')
      """)
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let columns = leased.map {
      if case .failure(let fault) = $0.job { fault.column } else { nil as JobColumn? }
    }
    #expect(columns == [.person, .payload, .messageID, nil])
    #expect(try leased[3].job.get().person == "alice")
    try await store.discard(leased.map { JobDiscard($0.lease, reason: "wrong") })
    let letters = try await store.deadLetters(after: nil, atMost: 9)
    #expect(letters.map { $0[.person] } == ["\u{fffd}", "bob", "7", "alice"])
  }

  @Test("cannot bring a worker down by what it writes into the store's own columns")
  func ownColumns() async throws {
    try application.run(
      """
      INSERT INTO sealpush.job (person, payload, run_at, attempt, forgiven, leased, sender, settled) VALUES
        ('alice', '{}', 0, 9223372036854775807, -9223372036854775808, 'x', 'x', 'x y'),
        ('bob', '{}', -1e300, 'x', 'y', 7, x'ff', x'ff'), ('carol', '{}', 'x', -9e300, 9e300, '', 1, 2)
      """)
    _ = try await store.statistics()
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: thumbprint(1))
    #expect(leased.count == 2 && leased.allSatisfy { $0.senders.isEmpty && $0.settled.isEmpty })
    try await store.discard(leased.map { JobDiscard($0.lease, reason: "") })
    _ = try await store.deadLetters(after: nil, atMost: 9)
    _ = try await store.statistics()
  }

  @Test("hands in an enrolment, and reads the answer in its row")
  func enrolment() async throws {
    let insert = """
      INSERT INTO sealpush.enrolment (registration, person, body, is_new) VALUES (?1, ?2, ?3, true) RETURNING id
      """
    let id = try application.run(insert, "phone", "alice", "no JSON")[0][0]
    let leased = try #require(try await store.leaseEnrolments(atMost: 9, for: .seconds(60)).first)
    let request = try leased.request.get()
    #expect(request.name == "phone" && request.person == "alice" && request.mayBeNew)
    #expect(request.possession == .keyAndToken && request.challenge == nil)
    let result = try await store.accept(request, under: leased.lease, audience: Phone.audience)
    guard case .failure(let error) = result else { throw Wrong() }
    try await store.answer(leased.lease, with: .refused(reason: error.code))
    let answer = try application.run(
      "SELECT answer, reason, answered_at >= created_at FROM sealpush.enrolment WHERE id = ?1", id)
    #expect(answer == [["refused", "malformed-enrolment", "1"]])
  }

  private struct Wrong: Error {}

  @Test("keeps its own tables in the store's file, so that not even a crash parts them from the jobs")
  func oneFile() async throws {
    let other = try Application(store.path)
    try other.run("CREATE TABLE purchase (person TEXT, article TEXT)")
    try other.run("BEGIN IMMEDIATE")
    try other.run("INSERT INTO purchase VALUES ('alice', 'carrots')")
    try other.run("INSERT INTO job (person, payload) VALUES ('alice', '{}')")
    try other.run("COMMIT")
    #expect(try await people(store) == ["alice"])
    // Opening it again takes it for a store.
    let again = try await SQLiteStore(path: store.path)
    #expect(try await again.statistics().leased == 1)
  }
}
