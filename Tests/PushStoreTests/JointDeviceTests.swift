import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A device of several persons", .hangGuard)
struct JointDeviceTests {
  /// The family's tablet, which Ada and Bob have.
  private func shared(at store: any Store) async throws -> Phone {
    var tablet = Phone("tablet", token: 1)
    try await tablet.register(at: store, of: "ada")
    try await join(&tablet, "bob", at: store)
    return tablet
  }

  private func join(_ phone: inout Phone, _ person: String, at store: any Store) async throws {
    let enrolment = try phone.keys.enrol(
      address: phone.address, for: Phone.audience, challenge: .random(), at: start)
    _ = try await store.accept(enrolment, as: phone.name, person: person, login: .joining).get()
  }

  private func names(of persons: [String], at store: any Store) async throws -> [[String?]] {
    try await store.devices(of: persons).map { $0.map(\.device.registration) }
  }

  private func persons(at store: any Store) async throws -> [String]? {
    try await store.registration(named: "tablet")?.registration.persons
  }

  @Test("gets the messages of each", arguments: Engine.all)
  func lookedUp(engine: Engine) async throws {
    let store = try await engine.start().store
    _ = try await shared(at: store)
    let found = try await store.devices(of: ["ada", "eve", "bob"])
    #expect(found.map { $0.map(\.device.person) } == [["ada"], [], ["bob"]])
    #expect(found[0][0].device.persons == ["ada", "bob"])
    let identity = found[0][0].identity
    #expect(identity == found[2][0].identity)
    // The content of a message says which of them it is for.
    let tags = ["ada", "bob"].map { AccountTag(person: $0, identity: identity) }
    #expect([found[0][0].device.account, found[2][0].device.account] == tags)
    let listed = try #require(try await store.device(named: "tablet"))
    #expect(listed.device.person == nil && listed.device.persons == ["ada", "bob"])
    #expect(listed.device.account == nil)
  }

  @Test("keeps them when it enrols again", arguments: Engine.all)
  func enrolsAgain(engine: Engine) async throws {
    let store = try await engine.start().store
    var tablet = try await shared(at: store)
    _ = try await store.accept(tablet.enrolment(), as: "tablet", person: "bob", mayBeNew: false).get()
    #expect(try await persons(at: store) == ["ada", "bob"])
  }

  @Test("loses one who leaves, and stays the other's", arguments: Engine.all)
  func leaves(engine: Engine) async throws {
    let store = try await engine.start().store
    var tablet = try await shared(at: store)
    #expect(try await store.remove(.person("ada", registration: "tablet")) == ["tablet"])
    #expect(try await names(of: ["ada", "bob"], at: store) == [[], ["tablet"]])
    #expect(try await persons(at: store) == ["bob"])
    #expect(try await store.device(named: "tablet")?.device.person == "bob")
    // It is known, so it needs no login.
    _ = try await store.accept(tablet.enrolment(), as: "tablet", mayBeNew: false).get()
    #expect(try await store.remove(.person("ada", registration: "tablet")).isEmpty)
    #expect(try await persons(at: store) == ["bob"])
  }

  @Test("goes with the last one", arguments: Engine.all)
  func lastOne(engine: Engine) async throws {
    let store = try await engine.start().store
    let tablet = try await shared(at: store)
    for person in ["ada", "bob"] { try await store.remove(.person(person, registration: nil)) }
    #expect(try await store.device(named: "tablet") == nil)
    #expect(try await store.departed(tablet.keys.identity.records[0].id) != nil)
  }

  @Test("stays, and the person's other devices go, when a person leaves all", arguments: Engine.all)
  func leavesAll(engine: Engine) async throws {
    let store = try await engine.start().store
    _ = try await shared(at: store)
    var own = Phone("ada-1", token: 2)
    try await own.register(at: store, of: "ada")
    #expect(try await store.remove(.person("ada", registration: nil)) == ["ada-1", "tablet"])
    #expect(try await names(of: ["ada", "bob"], at: store) == [[], ["tablet"]])
    #expect(try await store.device(named: "ada-1") == nil)
  }

  @Test("names nobody who was forgotten", arguments: Engine.all)
  func forgotten(engine: Engine) async throws {
    let store = try await engine.start().store
    _ = try await shared(at: store)
    #expect(try await store.forget(person: "ada") > 0)
    #expect(try await persons(at: store) == ["bob"])
    #expect(try await names(of: ["bob"], at: store) == [["tablet"]])
  }

  @Test("is one person's after a login that replaces", arguments: Engine.all)
  func replaced(engine: Engine) async throws {
    let store = try await engine.start().store
    var tablet = try await shared(at: store)
    let enrolment = try tablet.keys.enrol(
      address: tablet.address, for: Phone.audience, challenge: .random(), at: start)
    _ = try await store.accept(enrolment, as: "tablet", person: "eve", login: .challenged).get()
    #expect(try await names(of: ["ada", "bob", "eve"], at: store) == [[], [], ["tablet"]])
  }

  @Test("is joined by an application's own row", arguments: Engine.all)
  func byRow(engine: Engine) async throws {
    let bench = try await engine.start()
    var tablet = Phone("tablet", token: 1)
    try await tablet.register(at: bench.store, of: "ada")
    let challenge = Challenge.random()
    let body = try tablet.keys.enrol(
      address: tablet.address, for: Phone.audience, challenge: challenge, at: start)
    _ = try await bench.insert([
      .registration: "tablet", .person: "bob", .body: String(decoding: body.encoded(), as: UTF8.self),
      .isNew: "1", .challenge: challenge.text, .mode: "join",
    ])
    let leased = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))[0]
    _ = try await bench.store.accept(leased.request.get(), under: leased.lease, audience: Phone.audience)
    #expect(try await persons(at: bench.store) == ["ada", "bob"])
  }

  @Test("loses one who leaves by an application's own row", arguments: DatabaseEngine.allCases)
  func rowOfRemoval(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    _ = try await shared(at: bench.store)
    try bench.attack("INSERT INTO sealpush.removal (registration, person) VALUES ('tablet', 'eve')")
    #expect(try await names(of: ["ada", "bob"], at: bench.store) == [["tablet"], ["tablet"]])
    try bench.attack("INSERT INTO sealpush.removal (registration, person) VALUES ('tablet', 'ada')")
    #expect(try await names(of: ["ada", "bob"], at: bench.store) == [[], ["tablet"]])
    #expect(try await persons(at: bench.store) == ["bob"])
    try bench.attack("INSERT INTO sealpush.removal (person) VALUES ('bob')")
    #expect(try await bench.store.device(named: "tablet") == nil)
  }

  @Test("whose row still names one who left is written anew", arguments: DatabaseEngine.allCases)
  func stale(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    _ = try await shared(at: bench.store)
    try bench.attack("INSERT INTO sealpush.removal (registration, person) VALUES ('tablet', 'ada')")
    _ = try await bench.store.removeIdle(olderThan: .seconds(86_400), atMost: 10)
    // Nothing of the person is left that a share could bring back.
    try bench.attack(
      "INSERT INTO sealpush.device_share (person, device) SELECT 'ada', id FROM sealpush.device")
    let devices = try? await bench.store.devices(of: ["ada"])
    #expect(devices ?? [[]] == [[]])
    #expect(try await persons(at: bench.store) == ["bob"])
  }

  @Test("that was read before one left is not written back", arguments: DatabaseEngine.allCases)
  func crossing(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    _ = try await shared(at: bench.store)
    let known = try #require(try await bench.store.registration(named: "tablet"))
    try bench.attack("INSERT INTO sealpush.removal (registration, person) VALUES ('tablet', 'ada')")
    #expect(try await !bench.store.apply([.replace(known, known.registration)]))
    #expect(try await persons(at: bench.store) == ["bob"])
  }

  @Test("is not shared by who writes the database without the row key", arguments: DatabaseEngine.allCases)
  func attacked(engine: DatabaseEngine) async throws {
    let (bench, key) = (try await engine.start(), RowKey())
    let store = try await bench.open(with: key)
    _ = try await shared(at: store)
    #expect(try await names(of: ["ada", "bob"], at: store) == [["tablet"], ["tablet"]])
    try bench.attack(
      "INSERT INTO sealpush.device_share (person, device) SELECT 'eve', id FROM sealpush.device")
    let devices = try? await store.devices(of: ["eve"])
    #expect(devices ?? [[]] == [[]])
    #expect(try await names(of: ["ada"], at: store) == [["tablet"]])
    try bench.attack("UPDATE sealpush.device SET persons = '[\"ada\",\"bob\",\"eve\"]'")
    await #expect(throws: StoreError.self) { try await store.devices(of: ["eve"]) }
    await #expect(throws: StoreError.self) { try await store.devices(of: ["ada"]) }
  }

  @Test("is reachable for each, as the view says", arguments: DatabaseEngine.allCases)
  func reachable(engine: DatabaseEngine) async throws {
    let bench = try await engine.start()
    _ = try await shared(at: bench.store)
    for person in ["ada", "bob"] { #expect(try await bench.store.isReachable(person)) }
    let select = "SELECT person FROM sealpush.reachable WHERE reachable ORDER BY person"
    let rows =
      switch bench {
      case let bench as SQLiteBench: try bench.application().run(select)
      case let bench as PostgresBench: try bench.application().run(select)
      default: [[String?]]()
      }
    #expect(rows == [["ada"], ["bob"]])
  }

  @Test("wakes the jobs of each when it proves itself again", arguments: Engine.all)
  func waiting(engine: Engine) async throws {
    let store = try await engine.start().store
    var tablet = try await shared(at: store)
    try await store.unregister(try #require(try await store.devices(of: ["ada"])[0].first))
    let awaited = try await store.devices(of: ["ada", "bob"], includingUnreachable: true)
    #expect(awaited.map(\.count) == [0, 0])
    let outcome = try await store.accept(tablet.enrolment(), as: "tablet", mayBeNew: false).get()
    let pending = try await store.devices(of: ["ada", "bob"], includingUnreachable: true)
    #expect(pending.map { $0.map(\.isReachable) } == [[false], [false]])
    _ = try await store.accept(tablet.answer(#require(outcome.pending)), as: "tablet", mayBeNew: false).get()
    #expect(try await names(of: ["ada", "bob"], at: store) == [["tablet"], ["tablet"]])
  }
}
