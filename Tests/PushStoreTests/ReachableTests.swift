import PushCore
import PushKeys
import PushSealer
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A person", .hangGuard)
struct ReachableTests {
  /// What a store says about Alice: in the app, in another app, and in any.
  private func isReachable(in store: any Store) async throws -> [Bool] {
    let other = try Topic("com.example.other")
    return [
      try await store.isReachable("alice", in: Phone.topic), try await store.isReachable("alice", in: other),
      try await store.isReachable("alice"),
    ]
  }

  @Test("is reachable while a device has proven its keys, and is not in quarantine", arguments: Engine.all)
  func states(engine: Engine) async throws {
    let bench = try await engine.start()
    let store = bench.store
    #expect(try await isReachable(in: store) == [false, false, false])
    var phone = Phone("phone", token: 1)
    _ = try await store.accept(phone.enrolment(), as: "phone", person: "alice", mayBeNew: true).get()
    #expect(try await isReachable(in: store) == [false, false, false])
    #expect(try bench.reachable == Self.view(of: bench, isReachable: false))
    try await phone.register(at: store, of: "alice")
    #expect(try await isReachable(in: store) == [true, false, true])
    #expect(try bench.reachable == Self.view(of: bench, isReachable: true))
    try await store.quarantine(phone.address)
    #expect(try await isReachable(in: store) == [false, false, false])
    #expect(try bench.reachable == Self.view(of: bench, isReachable: false))
    try await store.release(phone.address)
    #expect(try await isReachable(in: store) == [true, false, true])
    try await store.unregister(try #require(try await store.device(named: "phone")))
    #expect(try await isReachable(in: store) == [false, false, false])
    #expect(try bench.reachable == Self.view(of: bench, isReachable: false))
    // One device is enough.
    var other = Phone("other", token: 2)
    try await other.register(at: store, of: "alice")
    #expect(try await isReachable(in: store) == [true, false, true])
    #expect(try bench.reachable == Self.view(of: bench, isReachable: true))
    try await store.forget(person: "alice")
    #expect(try bench.reachable.isEmpty)
    #expect(try await !store.isReachable("bob"))
  }

  /// What the view has about Alice; empty where there is none.
  private static func view(of bench: any StoreBench, isReachable: Bool) throws -> [[String?]] {
    switch bench {
    case is SQLiteBench: [["alice", Phone.topic.text, isReachable ? "1" : "0"]]
    case is PostgresBench: [["alice", Phone.topic.text, isReachable ? "t" : "f"]]
    default: []
    }
  }

  @Test("is known to be reachable by a role that may not read the devices")
  func role() async throws {
    let bench = try await PostgresBench()
    var (phone, nameless) = (Phone("phone", token: 1), Phone("nameless", token: 2))
    try await phone.register(at: bench.store, of: "alice")
    // A device without a person is nobody's.
    try await nameless.register(at: bench.store)
    let role = "shop\(MessageID.random().text.prefix(8))"
    let application = try bench.application()
    let select = "SELECT person, reachable FROM sealpush.reachable"
    let rows = try application.run(
      """
      CREATE ROLE \(role); GRANT USAGE ON SCHEMA sealpush TO \(role); GRANT SELECT ON sealpush.reachable TO \(role);
      SET ROLE \(role); \(select)
      """)
    #expect(rows == [["alice", "t"]])
    for statement in ["SELECT FROM sealpush.device", "DELETE FROM sealpush.reachable"] {
      #expect(throws: PostgresApplication.Refusal.self) { try application.run(statement) }
    }
    try application.run("RESET ROLE; DROP OWNED BY \(role); DROP ROLE \(role)")
  }

  @Test("is found in the view without a look at everybody's devices")
  func index() async throws {
    let bench = try await SQLiteBench()
    let plan = try bench.application().run(
      "EXPLAIN QUERY PLAN SELECT reachable FROM sealpush.reachable WHERE person = 'alice' AND topic = 'x'")
    let steps = plan.compactMap { $0.last ?? nil }
    #expect(steps.contains { $0.hasPrefix("SEARCH device USING INDEX device_person") }, "\(steps)")
    let postgres = try await PostgresBench().application()
    let text = try postgres.run(
      "SET enable_seqscan = off; EXPLAIN SELECT reachable FROM sealpush.reachable WHERE person = 'alice'")
    #expect(text.contains { $0[0]?.contains("Index Scan using device_person") == true }, "\(text)")
  }
}

extension StoreBench {
  /// The rows of the view; empty where there is none.
  fileprivate var reachable: [[String?]] {
    get throws {
      let select = "SELECT person, topic, reachable FROM sealpush.reachable"
      return switch self {
      case let bench as SQLiteBench: try bench.application().run(select)
      case let bench as PostgresBench: try bench.application().run(select)
      default: []
      }
    }
  }
}
