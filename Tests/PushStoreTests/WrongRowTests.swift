import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

/// A row that an application wrote wrongly, and what is said of it.
struct WrongRow: Sendable, CustomTestStringConvertible {
  let columns: [JobColumn: String?]
  let fault: String

  var testDescription: String { fault }

  private init(_ columns: [JobColumn: String?], _ fault: String) {
    (self.columns, self.fault) = (columns, fault)
  }

  private static let time = "must be seconds since 1970, before the year 10000"
  private static let name = "must be 1 to 255 bytes of UTF-8 without control characters"

  private static let pushTypeFault =
    "push_type: must be alert, background, voip, complication, pushtotalk or liveactivity; the others carry nothing "
    + "that can be sealed"
  private static let activityFault =
    "activity: must be the name of a Live Activity that is updated or ended, of 1 to 128 bytes; null for every other push"

  /// Rows that every engine takes.
  static let everywhere = [
    WrongRow([.payload: "{"], "payload: not a strict JSON object: unexpected-end at byte 1"),
    WrongRow([.payload: #"{"a":1,"a":2}"#], "payload: not a strict JSON object: duplicate-key at byte 7"),
    WrongRow([.payload: "[]"], "payload: not a strict JSON object: not-an-object at byte 0"),
    WrongRow([.payload: ""], "payload: not a strict JSON object: unexpected-end at byte 0"),
    WrongRow(
      [.payload: #"{"a":"\#(String(repeating: "a", count: 1 << 20))"}"#],
      "payload: must be at most 65536 bytes"),
    WrongRow([.payload: nil], "payload: must be a JSON object"),
    WrongRow([.person: nil], "person: \(name)"),
    WrongRow([.messageID: nil], "message_id: must be a UUID"),
    WrongRow([.createdAt: nil], "created_at: \(time)"),
    WrongRow([.person: ""], "person: \(name)"),
    WrongRow([.person: String(repeating: "ä", count: 128)], "person: \(name)"),
    WrongRow([.person: "a\nb"], "person: \(name)"),
    WrongRow([.topic: "com.example.app.voip"], "topic: must be a bundle ID"),
    WrongRow([.priority: "10"], "priority: must be an integer from 0 to 9"),
    WrongRow([.priority: "-1"], "priority: must be an integer from 0 to 9"),
    WrongRow([.lifetime: "-1"], "lifetime: must be a whole number of seconds from 0 to 2592000"),
    WrongRow([.lifetime: "2592001"], "lifetime: must be a whole number of seconds from 0 to 2592000"),
    WrongRow([.apnsPriority: "7"], "apns_priority: must be 10, 5 or 1"),
    WrongRow([.collapseID: "two words"], "collapse_id: must be 1 to 64 visible ASCII characters"),
    WrongRow([.collapseID: ""], "collapse_id: must be 1 to 64 visible ASCII characters"),
    WrongRow(
      [.collapseID: String(repeating: "a", count: 65)],
      "collapse_id: must be 1 to 64 visible ASCII characters"),
    WrongRow([.expiresAt: "1"], "expires_at: expired at 1970-01-01T00:00:01Z"),
    WrongRow([.pushType: "location"], pushTypeFault), WrongRow([.pushType: "Alert"], pushTypeFault),
    WrongRow([.activity: "order 7"], activityFault),
    WrongRow(
      [.pushType: "liveactivity", .payload: #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#],
      activityFault),
    WrongRow(
      [
        .pushType: "liveactivity", .activity: "",
        .payload: #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#,
      ], activityFault),
    WrongRow(
      [.pushType: "liveactivity", .activity: "order 7", .payload: #"{"aps":{"content-available":1}}"#],
      "payload: must be a Live Activity's, with an event in aps"),
    WrongRow(
      [.pushType: "background", .payload: #"{"aps":{"alert":"Lunch"}}"#],
      "payload: must be without an alert, a sound and a badge, which a background push does not show"),
    WrongRow(
      [.pushType: "background", .apnsPriority: "10"], "apns_priority: must be 5 for a push of type background"
    ),
  ]

  /// Rows that an engine takes whose columns have no types.
  static let untyped = [
    WrongRow([.messageID: "lunch"], "message_id: must be a UUID"),
    WrongRow([.outcome: "2"], "outcome: must be true or false"),
    WrongRow([.outcome: "yes"], "outcome: must be true or false"),
    WrongRow([.priority: "high"], "priority: must be an integer from 0 to 9"),
    WrongRow([.priority: "5.5"], "priority: must be an integer from 0 to 9"),
    WrongRow([.lifetime: "1.5"], "lifetime: must be a whole number of seconds from 0 to 2592000"),
    WrongRow([.notBefore: "tomorrow"], "not_before: \(time)"),
    WrongRow([.notBefore: "1800000000000"], "not_before: \(time)"),
    WrongRow([.notBefore: "-1"], "not_before: \(time)"),
    WrongRow([.notBefore: "0x7fffffff"], "not_before: \(time)"),
    WrongRow([.notBefore: "-1e300"], "not_before: \(time)"),
    WrongRow([.createdAt: "2027-01-15 08:00:00"], "created_at: \(time)"),
    WrongRow([.expiresAt: "1e99"], "expires_at: \(time)"),
  ]
}

@Suite("A row that an application wrote wrongly", .hangGuard)
struct WrongRowTests {
  @Test("is leased, with the column that is wrong", arguments: Engine.all, WrongRow.everywhere)
  func everywhere(engine: Engine, wrong: WrongRow) async throws {
    try await lease(wrong, from: engine.start())
  }

  @Test("is leased where columns have no types", arguments: [Engine.memory, .sqlite], WrongRow.untyped)
  func untyped(engine: Engine, wrong: WrongRow) async throws {
    try await lease(wrong, from: engine.start())
  }

  @Test("is not sent now because its time is of another type")
  func typeOfTime() async throws {
    let bench = try await SQLiteBench()
    // As drivers write what they have as bytes.
    try bench.application().run(
      """
      INSERT INTO sealpush.job (person, payload, not_before)
      VALUES ('alice', '{}', CAST('2147483647' AS BLOB)), ('bob', '{}', '2147483647')
      """)
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.count == 1)
    #expect(throws: JobFault.wrong(.notBefore, "seconds since 1970, before the year 10000")) {
      try leased.first?.job.get()
    }
  }

  @Test("cannot end all numbers, and is refused in its own statement")
  func number() async throws {
    let bench = try await SQLiteBench()
    let application = try bench.application()
    for insert in [
      "INSERT INTO sealpush.job (id, person, payload) VALUES (9223372036854775807, 'alice', '{}')",
      "INSERT INTO sealpush.enrolment (id, body) VALUES (9223372036854775807, '{}')",
    ] {
      #expect(throws: (any Error).self) { try application.run(insert) }
    }
    try application.run("INSERT INTO sealpush.job (person, payload) VALUES ('alice', '{}')")
    try application.run("INSERT INTO sealpush.enrolment (body) VALUES ('{}')")
    #expect(try await people(bench.store) == ["alice"])
  }

  @Test("has no message ID that another row may have, once it is cut")
  func longMessageIDs() async throws {
    let bench = try await SQLiteBench()
    let long = String(repeating: "a", count: 65_537)
    try bench.application().run(
      """
      INSERT INTO sealpush.job (message_id, person, payload) VALUES ('\(long)b', 'alice', '{}'), ('\(long)c', 'bob', '{}')
      """)
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.count == 2)
    for job in leased { #expect(throws: JobFault.wrong(.messageID, "a UUID")) { try job.job.get() } }
  }

  /// The row is leased among others, at its turn, and can be discarded.
  private func lease(_ wrong: WrongRow, from bench: any StoreBench) async throws {
    let good: [JobColumn: String?] = [.person: "alice", .payload: "{}"]
    try await bench.insert(good)
    try await bench.insert(good.merging(wrong.columns) { $1 })
    try await bench.insert(good)
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let faults = leased.compactMap { leased -> String? in
      if case .failure(let fault) = leased.job { "\(fault)" } else { nil }
    }
    #expect(leased.count == 3 && faults == [wrong.fault])
    let bad = leased.filter { (try? $0.job.get()) == nil }
    #expect(try await bench.store.discard(bad.map { JobDiscard($0.lease, reason: wrong.fault) }) == 1)
    let letter = try #require(try await bench.store.deadLetters(after: nil, atMost: 9).first)
    let column = try #require(wrong.columns.first)
    #expect(letter.reason == wrong.fault && letter[column.key]?.isEmpty == column.value?.isEmpty)
  }

  @Test("is cut where it is written, so that nobody reads all of it")
  func huge() async throws {
    let bench = try await SQLiteBench()
    let application = try bench.application()
    try application.run(
      "INSERT INTO sealpush.job (person, payload) VALUES ('alice', '\"' || zeroblob(1000000)), ('bob', '{}')")
    try application.run(
      "INSERT INTO sealpush.enrolment (body, registration) VALUES (zeroblob(1000000), 'phone')")
    let sizes = try application.run(
      "SELECT length(CAST(payload AS BLOB)), person FROM sealpush.job ORDER BY id")
    #expect(sizes == [["65537", "alice"], ["2", "bob"]])
    let bodies = try application.run("SELECT length(body), registration FROM sealpush.enrolment")
    #expect(bodies == [["32769", "phone"]])
    let jobs = try await bench.sqlite.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(jobs.map { (try? $0.job.get())?.person } == [nil, "bob"])
  }

  @Test(
    "may have any number where the store counts, and ends all the same",
    arguments: [
      (".5", "0"), ("9223372036854775807", "0"), ("-1", "-9223372036854775808"),
      ("-2", "9223372036854775807"),
    ])
  func counts(attempt: String, forgiven: String) async throws {
    let bench = try await SQLiteBench()
    try bench.application().run(
      """
      INSERT INTO sealpush.job (person, payload, created_at, not_before, attempt, forgiven)
      VALUES ('alice', '{}', 0, 0, \(attempt), \(forgiven))
      """)
    let leased = try await bench.sqlite.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(leased.count == 1 && leased.allSatisfy { $0.attempt >= 1 })
    #expect(try await bench.sqlite.acknowledge(leased.map(\.lease)) == 1)
  }

  @Test("does not come before rows that are right", arguments: Engine.all)
  func order(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.insert([.person: "alice", .payload: "{}", .priority: "99"])
    try await bench.insert([.person: "bob", .payload: "{}", .priority: "6"])
    #expect(try await people(bench.store, atMost: 1) == ["bob"])
  }

  @Test("is no row whose columns are null that have a meaning then", arguments: Engine.all)
  func nulls(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.insert([
      .person: "alice", .payload: #"{"aps":{"alert":"Lunch"}}"#, .topic: nil, .priority: nil, .notBefore: nil,
      .expiresAt: nil,
      .lifetime: nil, .apnsPriority: nil, .collapseID: nil, .pushType: nil, .outcome: nil,
    ])
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    let job = try #require(leased.first).job.get()
    #expect(try job == Job(.lunch, to: "alice", messageID: job.messageID, at: start))
  }

  @Test("does not come twice with one message ID in either case", arguments: Engine.all)
  func sameID(engine: Engine) async throws {
    let bench = try await engine.start()
    let id = MessageID.random()
    try await bench.insert([.person: "alice", .payload: "{}", .messageID: id.text.uppercased()])
    try await bench.store.enqueue([Job(.lunch, to: "bob", messageID: id, at: start)])
    #expect(try await people(bench.store) == ["alice"])
  }
}
