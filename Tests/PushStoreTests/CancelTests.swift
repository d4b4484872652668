import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

/// Messages that are cancelled or replaced, by their IDs or by a key.
@Suite("A message that is cancelled or replaced", .hangGuard)
struct CancelTests {
  private func job(
    _ text: String, _ key: JobKey? = nil, replacing: MessageID? = nil, to person: String = "ada",
    after seconds: Int64 = 0
  ) throws -> Job {
    try Job(
      ["aps": ["alert": .string(text)]], to: person, topic: Topic("com.example.app"), key: key,
      replacing: replacing, at: start.advanced(by: .seconds(seconds)))
  }

  private func lease(_ store: any Store, atMost count: Int = 9) async throws -> [LeasedJob] {
    try await store.lease(atMost: count, for: .seconds(60), sender: nil)
  }

  /// The texts of the jobs that are ready.
  private func texts(_ leased: [LeasedJob]) throws -> [String?] {
    try leased.map { try $0.job.get().payload["aps"]?.object?["alert"]?.string }
  }

  /// The messages that a background push removes; nil if it is none.
  private func removed(by job: Job) -> Set<String>? {
    guard job.pushType == .background else { return nil }
    let removes = job.payload["sealed-push"]?.object?["removes"]?.array ?? []
    return Set(removes.compactMap(\.string))
  }

  // MARK: Cancelling

  @Test("that waits is gone, with its ID or its key", arguments: Engine.all)
  func waiting(engine: Engine) async throws {
    let store = try await engine.start().store
    let (first, second) = (try job("one"), try job("two", JobKey("order 7")))
    try await store.enqueue([first, second, try job("three", JobKey("order 8"))])
    #expect(try await store.cancel([Cancellation(.message(first.messageID))]) == 1)
    #expect(try await store.cancel([Cancellation(.key("order 7"))]) == 1)
    #expect(try texts(await lease(store)) == ["three"])
    #expect(try await store.cancel([Cancellation(.key("order 7"))]) == 0)
  }

  @Test("that a worker has is its own no more, and is not tried again", arguments: Engine.all)
  func leased(engine: Engine) async throws {
    let bench = try await engine.start()
    try await bench.store.enqueue([try job("one", JobKey("order 7"))])
    let leases = try await lease(bench.store).map(\.lease)
    #expect(try await bench.store.cancel([Cancellation(.key("order 7"))]) == 1)
    #expect(try await bench.store.extend(leases, for: .seconds(60)).isEmpty)
    #expect(try await bench.store.acknowledge(leases) == 0)
    try await bench.advance(by: .seconds(61))
    #expect(try await lease(bench.store).isEmpty)
  }

  @Test("that is a dead letter is not sent again by anybody", arguments: Engine.all)
  func dead(engine: Engine) async throws {
    let store = try await engine.start().store
    let ids = try await store.enqueue([try job("one", JobKey("order 7"))])
    let lease = try #require(try await lease(store).first).lease
    try await store.discard([JobDiscard(lease, reason: "refused")])
    #expect(try await store.cancel([Cancellation(.key("order 7"))]) == 1)
    #expect(try await store.resend(ids) == 0)
  }

  @Test("is taken back from phones that may have it, and not from others", arguments: Engine.all)
  func takenBack(engine: Engine) async throws {
    let store = try await engine.start().store
    let (sent, waiting) = (try job("one", JobKey("order 7")), try job("two", JobKey("order 7")))
    try await store.enqueue([sent])
    let leases = try await lease(store)
    try await store.acknowledge(leases.map(\.lease))
    try await store.enqueue([waiting])
    #expect(try await store.cancel([.takingBack(.key("order 7"))]) == 1)
    let left = try await lease(store)
    let job = try #require(try left.first?.job.get())
    #expect(left.count == 1 && removed(by: job) == [sent.messageID.text])
    #expect(job.person == "ada" && job.topic?.text == "com.example.app")
  }

  @Test("whose job is done is taken back by its ID, for its person", arguments: Engine.all)
  func doneByID(engine: Engine) async throws {
    let store = try await engine.start().store
    let sent = try job("one")
    try await store.enqueue([sent])
    try await store.acknowledge(try await lease(store).map(\.lease))
    #expect(try await store.cancel([.takingBack(.message(sent.messageID))]) == 0)
    #expect(try await lease(store).isEmpty)
    try await store.cancel([.takingBack(.message(sent.messageID), from: "ada")])
    let job = try #require(try await lease(store).first).job.get()
    #expect(removed(by: job) == [sent.messageID.text] && job.person == "ada" && job.topic == nil)
  }

  @Test("that waits sends nothing when it is taken back", arguments: Engine.all)
  func nothingToTakeBack(engine: Engine) async throws {
    let store = try await engine.start().store
    let waiting = try job("one")
    try await store.enqueue([waiting])
    #expect(try await store.cancel([.takingBack(.message(waiting.messageID), from: "ada")]) == 1)
    #expect(try await lease(store).isEmpty)
  }

  // MARK: Replacing

  @Test("before it was sent leaves no trace", arguments: Engine.all)
  func replacedWaiting(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.enqueue([try job("one", JobKey("score", .replace))])
    try await store.enqueue([try job("two", JobKey("score", .replace))])
    let left = try await lease(store)
    #expect(try texts(left) == ["two"])
    #expect(try left[0].job.get().replaces == nil)
  }

  @Test("after it was sent is replaced on the phone, by every later one", arguments: Engine.all)
  func replacedSent(engine: Engine) async throws {
    let store = try await engine.start().store
    let first = try job("one", JobKey("score", .replace))
    try await store.enqueue([first])
    try await store.acknowledge(try await lease(store).map(\.lease))
    try await store.enqueue([try job("two", JobKey("score", .replace), after: 1)])
    // The second one was never sent.
    try await store.enqueue([try job("three", JobKey("score", .replace), after: 2)])
    let left = try await lease(store)
    #expect(try texts(left) == ["three"])
    #expect(try left[0].job.get().replaces == first.messageID)
    try await store.acknowledge(left.map(\.lease))
    try await store.enqueue([try job("four", JobKey("score", .replace), after: 3)])
    #expect(try await lease(store).first?.job.get().replaces == first.messageID)
  }

  @Test("while a worker has it is replaced on the phone, too", arguments: Engine.all)
  func replacedLeased(engine: Engine) async throws {
    let store = try await engine.start().store
    let first = try job("one", JobKey("score", .replace))
    try await store.enqueue([first])
    let leases = try await lease(store).map(\.lease)
    try await store.enqueue([try job("two", JobKey("score", .replace))])
    #expect(try await store.acknowledge(leases) == 0)
    let left = try await lease(store)
    #expect(try texts(left) == ["two"])
    #expect(try left[0].job.get().replaces == first.messageID)
  }

  @Test("by its ID: gone if it waits, replaced on the phone if not", arguments: Engine.all)
  func replacedByID(engine: Engine) async throws {
    let store = try await engine.start().store
    let first = try job("one")
    try await store.enqueue([first])
    let second = try job("two", replacing: first.messageID)
    try await store.enqueue([second])
    let left = try await lease(store)
    #expect(try texts(left) == ["two"])
    #expect(try left[0].job.get().replaces == nil)
    try await store.acknowledge(left.map(\.lease))
    try await store.enqueue([try job("three", replacing: second.messageID)])
    #expect(try await lease(store).first?.job.get().replaces == second.messageID)
  }

  @Test("by one of the same call is the last of them", arguments: Engine.all)
  func together(engine: Engine) async throws {
    let store = try await engine.start().store
    let key = JobKey("score", .replace)
    try await store.enqueue([try job("one", key), try job("two", key), try job("three", key)])
    #expect(try texts(await lease(store)) == ["three"])
  }

  @Test("leaves what has another key, or none", arguments: Engine.all)
  func others(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.enqueue([try job("one", JobKey("a")), try job("two"), try job("three", JobKey("A"))])
    try await store.enqueue([try job("four", JobKey("a", .replace))])
    #expect(try texts(await lease(store)) == ["two", "three", "four"])
  }

  @Test("with a key that keeps all stands beside the others", arguments: Engine.all)
  func kept(engine: Engine) async throws {
    let store = try await engine.start().store
    try await store.enqueue([try job("one", JobKey("a")), try job("two", JobKey("a"))])
    let left = try await lease(store)
    #expect(try texts(left) == ["one", "two"])
    #expect(try left.map { try $0.job.get().key } == [JobKey("a"), JobKey("a")])
  }

  // MARK: Once

  @Test("that is unique is dropped while another waits, and for its time", arguments: Engine.all)
  func unique(engine: Engine) async throws {
    let store = try await engine.start().store
    let key = JobKey("reminder", .skip(within: .seconds(100)))
    try await store.enqueue([try job("one", key)])
    try await store.enqueue([try job("two", key, after: 200)])
    let left = try await lease(store)
    #expect(try texts(left) == ["one"])
    try await store.acknowledge(left.map(\.lease))
    try await store.enqueue([try job("three", key, after: 99)])
    #expect(try await lease(store).isEmpty)
    try await store.enqueue([try job("four", key, after: 101)])
    #expect(try texts(await lease(store)) == ["four"])
  }

  @Test("that is unique only while one waits comes again when that is done", arguments: Engine.all)
  func uniqueWhileWaiting(engine: Engine) async throws {
    let store = try await engine.start().store
    let key = JobKey("reminder", .skip(within: .zero))
    try await store.enqueue([try job("one", key), try job("two", key)])
    let left = try await lease(store)
    #expect(try texts(left) == ["one"])
    try await store.acknowledge(left.map(\.lease))
    try await store.enqueue([try job("three", key)])
    #expect(try texts(await lease(store)) == ["three"])
  }

  @Test("and cancelled may come again at once", arguments: Engine.all)
  func uniqueAfterCancel(engine: Engine) async throws {
    let store = try await engine.start().store
    let key = JobKey("reminder", .skip(within: .seconds(100)))
    try await store.enqueue([try job("one", key)])
    try await store.cancel([Cancellation(.key("reminder"))])
    try await store.enqueue([try job("two", key)])
    #expect(try texts(await lease(store)) == ["two"])
  }

  // MARK: Keys

  @Test("is known by its key until the key is swept", arguments: Engine.all)
  func swept(engine: Engine) async throws {
    let bench = try await engine.start()
    let key = JobKey("reminder", .skip(within: JobKey.longestTime))
    try await bench.store.enqueue([try job("one", key)])
    try await bench.store.acknowledge(try await lease(bench.store).map(\.lease))
    #expect(try await bench.store.removeKeys(olderThan: .seconds(10), atMost: 9) == 0)
    try await bench.advance(by: .seconds(11))
    #expect(try await bench.store.removeKeys(olderThan: .seconds(10), atMost: 0) == 0)
    #expect(try await bench.store.removeKeys(olderThan: .seconds(10), atMost: 9) == 1)
    try await bench.store.enqueue([try job("two", key)])
    #expect(try texts(await lease(bench.store)) == ["two"])
  }

  @Test("leaves no key when its person is forgotten", arguments: Engine.all)
  func forgotten(engine: Engine) async throws {
    let store = try await engine.start().store
    let key = JobKey("reminder", .skip(within: JobKey.longestTime))
    try await store.enqueue([try job("one", key)])
    try await store.acknowledge(try await lease(store).map(\.lease))
    _ = try await store.forget(person: "ada")
    try await store.enqueue([try job("two", key)])
    #expect(try texts(await lease(store)) == ["two"])
  }

  @Test("in SQL: by its columns, as an application writes them", arguments: Engine.all)
  func inSQL(engine: Engine) async throws {
    let bench = try await engine.start()
    func insert(_ text: String, _ columns: [JobColumn: String?]) async throws {
      let own: [JobColumn: String?] = [.person: "ada", .payload: #"{"aps":{"alert":"\#(text)"}}"#]
      try await bench.insert(own.merging(columns) { $1 })
    }
    try await insert("one", [.key: "score", .onKey: "replace"])
    try await insert("two", [.key: "score", .onKey: "replace"])
    try await insert("three", [.key: "score", .onKey: "skip", .uniqueFor: "60"])
    #expect(try texts(await lease(bench.store)) == ["two"])
  }

  @Test(
    "of which a column is wrong becomes a dead letter that names the column", arguments: Engine.all)
  func wrong(engine: Engine) async throws {
    let bench = try await engine.start()
    let own: [JobColumn: String?] = [.person: "ada", .payload: #"{"aps":{"alert":"one"}}"#]
    let rows: [[JobColumn: String?]] = [
      [.key: ""], [.key: String(repeating: "k", count: 256)], [.key: "a\u{7}"],
      [.key: "a", .onKey: "drop"], [.onKey: "replace"], [.key: "b", .uniqueFor: "60"],
      [.key: "c", .onKey: "skip", .uniqueFor: "2592001"], [.key: "d", .onKey: "skip", .uniqueFor: "-1"],
    ]
    for row in rows { try await bench.insert(own.merging(row) { $1 }) }
    let faults = try await lease(bench.store).map { leased in
      if case .failure(let fault) = leased.job { fault.column } else { JobColumn?.none }
    }
    #expect(
      faults == [.key, .key, .key, .onKey, .onKey, .uniqueFor, .uniqueFor, .uniqueFor])
  }

  @Test("cannot replace itself")
  func itself() throws {
    let id = MessageID.random()
    #expect(throws: JobFault.wrong(.replaces, "a UUID, other than the message's own")) {
      try Job(.lunch, to: "ada", messageID: id, replacing: id)
    }
  }
}
