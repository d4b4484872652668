import PushCore
import PushEnrolment
import PushKeys
import StoreSupport
import TestSupport
import Testing

@testable import PushStore

/// A device says that it has shown messages.
@Suite("A receipt of a device", .hangGuard)
struct ReceiptTests {
  private let phone = Phone("phone", token: 1)
  private let pad = Phone("pad", token: 2)

  /// A message of which the store knows these outcomes.
  private func message(
    at store: any Store, _ outcomes: [MessageOutcome], person: String = "alice"
  ) async throws -> MessageID {
    let id = MessageID.random()
    try await store.enqueue([Job(.lunch, to: person, messageID: id, wantsOutcome: true, at: start)])
    let leased = try #require(try await store.lease(atMost: 1, for: .seconds(60), sender: nil).first)
    try await store.record([try #require(JobOutcomes(of: leased, outcomes))])
    try await store.acknowledge([leased.lease])
    return id
  }

  @Test("says when a message was shown on it, and on no other; the first time stays", arguments: Engine.all)
  func shown(engine: Engine) async throws {
    let bench = try await engine.start()
    let both: [MessageOutcome] = [.accepted(by: phone.identity), .accepted(by: pad.identity)]
    let id = try await message(at: bench.store, both)
    #expect(try await bench.store.outcomes(of: id).allSatisfy { $0.shownAt == nil })
    try await bench.advance(by: .seconds(5))
    #expect(try await bench.store.take(phone.receipt(of: [id])) == 1)
    try await bench.advance(by: .seconds(5))
    #expect(try await bench.another().take(phone.receipt(of: [id])) == 0)
    for outcome in try await bench.another().outcomes(of: id) {
      let isPhone = outcome.outcome.identity == phone.identity
      #expect(outcome.shownAt == (isPhone ? start.advanced(by: .seconds(5)) : nil))
      #expect(outcome.outcome.kind == .accepted && outcome.decidedAt == start)
    }
    #expect(try await bench.store.take(pad.receipt(of: [id])) == 1)
  }

  @Test("changes nothing of another device's, although it knows the IDs", arguments: Engine.all)
  func others(engine: Engine) async throws {
    let bench = try await engine.start()
    let id = try await message(at: bench.store, [.accepted(by: phone.identity)])
    // What the phone knows, what only the backend knows, and what anybody may guess.
    let ids = [id.derived(for: phone.identity), id, id.derived(for: pad.identity)]
    #expect(try await bench.store.take(pad.receipt(ofDevice: ids)) == 0)
    #expect(try await bench.store.take(phone.receipt(ofDevice: [id, .random()])) == 0)
    #expect(try await bench.store.outcomes(of: id).map(\.shownAt) == [nil])
  }

  @Test("of messages that the store does not know leaves nothing", arguments: Engine.all)
  func unknown(engine: Engine) async throws {
    let bench = try await engine.start()
    let ids = (0..<500).map { _ in MessageID.random() }
    #expect(try await bench.store.take(phone.receipt(ofDevice: ids)) == 0)
    for id in ids.prefix(3) { #expect(try await bench.store.outcomes(of: id).isEmpty) }
  }

  @Test("has many messages, and says of all of them what it knows of one", arguments: Engine.all)
  func many(engine: Engine) async throws {
    let bench = try await engine.start()
    var ids: [MessageID] = []
    for _ in 0..<20 { ids.append(try await message(at: bench.store, [.accepted(by: phone.identity)])) }
    #expect(try await bench.store.take(phone.receipt(of: ids)) == 20)
    for id in ids { #expect(try await bench.store.outcomes(of: id).map(\.shownAt) == [start]) }
  }

  @Test(
    "counts, too, if APNs' answer was lost, and stays when the message is sent once more",
    arguments: Engine.all)
  func lostAnswer(engine: Engine) async throws {
    let bench = try await engine.start()
    let id = MessageID.random()
    try await bench.store.enqueue([Job(.lunch, to: "alice", messageID: id, wantsOutcome: true, at: start)])
    let leased = try #require(try await bench.store.lease(atMost: 1, for: .seconds(60), sender: nil).first)
    let missed = MissingDevice(registration: "phone", identity: phone.identity, reason: "no answer")
    try await bench.store.record([try #require(JobOutcomes(of: leased, [.missed(missed)]))])
    #expect(try await bench.store.take(phone.receipt(of: [id])) == 1)
    try await bench.advance(by: .seconds(5))
    try await bench.store.record([try #require(JobOutcomes(of: leased, [.accepted(by: phone.identity)]))])
    let known = try await bench.store.outcomes(of: id)
    #expect(known.map(\.shownAt) == [start] && known.map(\.outcome.kind) == [.accepted])
  }

  @Test("goes with the outcome, when it is old or its person is forgotten", arguments: Engine.all)
  func gone(engine: Engine) async throws {
    let bench = try await engine.start()
    let (old, own) = (
      try await message(at: bench.store, [.accepted(by: phone.identity)], person: "bob"),
      try await message(at: bench.store, [.accepted(by: phone.identity)])
    )
    #expect(try await bench.store.take(phone.receipt(of: [old, own])) == 2)
    try await bench.store.forget(person: "alice")
    #expect(try await bench.store.outcomes(of: own).isEmpty)
    #expect(try await bench.store.outcomes(of: old).count == 1)
    #expect(try await bench.store.removeOutcomes(olderThan: .zero, atMost: 9) == 1)
    #expect(try await bench.store.take(phone.receipt(of: [old, own])) == 0)
  }

  @Test("is taken once by several that hand it in at once", arguments: Engine.all)
  func together(engine: Engine) async throws {
    let bench = try await engine.start()
    var ids: [MessageID] = []
    for _ in 0..<5 { ids.append(try await message(at: bench.store, [.accepted(by: phone.identity)])) }
    let receipts = try [phone.receipt(of: ids), phone.receipt(of: ids.reversed())]
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for receipt in receipts + receipts { group.addTask { try await bench.another().take(receipt) } }
      return try await group.reduce(0, +)
    }
    #expect(count == 5)
  }

  @Test("finds its messages by an index in SQLite")
  func plan() async throws {
    let folder = try TemporaryFolder()
    let store = try await SQLiteStore(path: folder.path(of: "push.sqlite"))
    let plan = try Application(store.path).run("EXPLAIN QUERY PLAN \(SQLiteOutcomes.showing)", "a", "b", "1")
    #expect(
      plan.compactMap { $0[3] } == [
        "SEARCH outcome USING INDEX outcome_device_message (device_message_id=?)"
      ])
  }
}

extension Phone {
  /// A receipt of messages that the backend gave these IDs.
  fileprivate func receipt(of messages: [MessageID]) throws -> Receipt {
    try receipt(ofDevice: messages.map { $0.derived(for: identity) })
  }

  /// A receipt of messages that have these IDs on the device.
  fileprivate func receipt(ofDevice messages: [MessageID]) throws -> Receipt {
    try #require(try keys.receipt(of: messages, Phone.topic, for: Phone.audience, at: start))
  }
}
