import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A device that is removed", .hangGuard)
struct RemovalTests {
  /// Three phones of Alice's and one of Bob's, with tokens 1 to 4.
  private func phones(in bench: any StoreBench) async throws -> [Phone] {
    var phones: [Phone] = []
    for (index, person) in ["alice", "alice", "alice", "bob"].enumerated() {
      var phone = Phone("\(person)-\(index)", token: UInt8(index + 1))
      try await phone.register(at: bench.store, of: person)
      phones.append(phone)
    }
    return phones
  }

  private func names(in bench: any StoreBench) async throws -> [String?] {
    try await bench.store.devices(after: nil, atMost: 9).map(\.device.registration)
  }

  @Test("is no longer among the registrations, which come in pages", arguments: Engine.all)
  func pages(engine: Engine) async throws {
    let bench = try await engine.start()
    _ = try await phones(in: bench)
    try await bench.store.remove(.registration("alice-1"))
    let first = try await bench.store.registrations(after: nil, atMost: 2)
    #expect(first.map(\.registration.name) == ["alice-0", "alice-2"])
    let rest = try await bench.store.registrations(after: "alice-2", atMost: 2)
    #expect(rest.map(\.registration.name) == ["bob-3"])
    #expect(try await bench.store.registrations(after: "bob-3", atMost: 2).isEmpty)
    #expect(try await bench.store.registrations(after: nil, atMost: 0).isEmpty)
    #expect(try await bench.store.registration(named: "bob-3")?.registration == rest.first?.registration)
  }

  @Test("by its name, its identity or its token leaves alone", arguments: Engine.all)
  func selected(engine: Engine) async throws {
    let bench = try await engine.start()
    let phones = try await phones(in: bench)
    #expect(try await bench.store.remove(.registration("alice-0")) == ["alice-0"])
    #expect(try await names(in: bench) == ["alice-1", "alice-2", "bob-3"])
    let identity = phones[1].keys.identity.records[0].id
    #expect(try await bench.store.remove(.identity(identity)) == ["alice-1"])
    #expect(try await names(in: bench) == ["alice-2", "bob-3"])
    #expect(try await bench.store.remove(.token(phones[2].address.token)) == ["alice-2"])
    #expect(try await names(in: bench) == ["bob-3"])
    #expect(try await bench.store.devices(of: ["alice", "bob"]).map(\.count) == [0, 1])
  }

  @Test("may be gone already", arguments: Engine.all)
  func again(engine: Engine) async throws {
    let bench = try await engine.start()
    let phone = try await phones(in: bench)[0]
    try await bench.store.remove(.registration("alice-0"))
    #expect(try await bench.store.remove(.registration("alice-0")).isEmpty)
    #expect(try await bench.store.remove(.registration("ALICE-1")).isEmpty)
    #expect(try await bench.store.remove(.registration("alice")).isEmpty)
    #expect(try await bench.store.remove(.identity(phone.keys.identity.records[0].id)).isEmpty)
    #expect(try await bench.store.remove(.token(phone.address.token)).isEmpty)
    #expect(try await names(in: bench) == ["alice-1", "alice-2", "bob-3"])
  }

  @Test("takes all registrations of one phone with it", arguments: Engine.all)
  func sameToken(engine: Engine) async throws {
    let bench = try await engine.start()
    // Both have proven their keys only, so that both are at the token.
    for name in ["new", "old"] {
      var phone = Phone(name, token: 1)
      let outcome = try await bench.store.accept(
        phone.enrolment(), as: name, person: "alice", mayBeNew: true, proving: .keyAlone
      ).get()
      let answer = try phone.answer(try #require(outcome.pending))
      _ = try await bench.store.accept(answer, as: name, mayBeNew: false, proving: .keyAlone).get()
    }
    try #require(try await names(in: bench) == ["new", "old"])
    #expect(try await bench.store.remove(.token(Phone.address(1).token)) == ["new", "old"])
    #expect(try await names(in: bench).isEmpty)
  }

  @Test("frees its token, its identity and its keys", arguments: Engine.all)
  func freed(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = try await phones(in: bench)[0]
    try await bench.store.remove(.registration("alice-0"))
    #expect(try await phone.register(at: bench.store, of: "carol") == .registered)
  }

  @Test("loses the enrolments that nobody has answered, and no others", arguments: Engine.all)
  func enrolments(engine: Engine) async throws {
    let bench = try await engine.start()
    _ = try await phones(in: bench)
    for name in ["alice-0", "alice-0", "alice-1", "unknown"] {
      _ = try await bench.insert([.registration: name, .body: "{}"])
    }
    let answered = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))[0]
    try await bench.store.answer(answered.lease, with: .refused(reason: "test"))
    try await bench.store.remove(.registration("alice-0"))
    // A first enrolment has no device yet.
    try await bench.store.remove(.registration("unknown"))
    let left = try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(try left.map { try $0.request.get().name } == ["alice-1"])
    #expect(try await bench.store.removeAnswered(olderThan: .zero, atMost: 9) == 1)
  }

  @Test("does not come back by an enrolment that a worker has leased", arguments: Engine.all)
  func leased(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = try await phones(in: bench)[0]
    let body = String(decoding: try phone.enrolment().encoded(), as: UTF8.self)
    _ = try await bench.insert([.registration: "alice-0", .person: "alice", .body: body, .isNew: "1"])
    let leased = try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(60))[0]
    try await bench.store.remove(.identity(phone.keys.identity.records[0].id))
    let accepted = try await bench.store.accept(
      leased.request.get(), under: leased.lease, audience: Phone.audience)
    guard accepted == nil else { Issue.record("\(accepted!)"); return }
    #expect(try await names(in: bench) == ["alice-1", "alice-2", "bob-3"])
  }

  @Test("leaves by a row that an application inserts, in the application's transaction")
  func rowInSQLite() async throws {
    let bench = try await SQLiteBench()
    var phone = try await phones(in: bench)[0]
    let application = try bench.application()
    for name in ["alice-0", "alice-1", "bob-3"] {
      _ = try bench.insert([.registration: name, .body: "{}"])
    }
    for statement in ["BEGIN", "INSERT INTO sealpush.removal (registration) VALUES ('alice-0')", "ROLLBACK"] {
      _ = try application.run(statement)
    }
    #expect(try await names(in: bench).count == 4)
    // The application's connection need not enforce foreign keys.
    _ = try application.run("INSERT INTO sealpush.removal (registration) VALUES ('alice-0')")
    let token = Phone.address(2).token.text.uppercased()
    _ = try application.run("INSERT INTO sealpush.removal (token) VALUES ('\(token)')")
    _ = try application.run("INSERT INTO sealpush.removal (identity) VALUES ('x'), (NULL)")
    #expect(try await names(in: bench) == ["alice-2", "bob-3"])
    #expect(try application.run("SELECT * FROM sealpush.removal").isEmpty)
    let left = try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60))
    #expect(try left.map { try $0.request.get().name } == ["bob-3"])
    #expect(try await phone.register(at: bench.store, of: "carol") == .registered)
  }

  @Test("leaves by a row that a role inserts which may do nothing else")
  func rowInPostgres() async throws {
    let bench = try await PostgresBench()
    _ = try await phones(in: bench)
    let identity = try await bench.store.devices(of: ["bob"])[0][0].identity.text
    _ = try bench.insert([.registration: "alice-0", .body: "{}"])
    let role = "shop\(MessageID.random().text.prefix(8))"
    let application = try bench.application()
    try application.run(
      """
      CREATE ROLE \(role); GRANT USAGE ON SCHEMA sealpush TO \(role);
      GRANT INSERT (registration, identity, token) ON sealpush.removal TO \(role); SET ROLE \(role);
      INSERT INTO sealpush.removal (registration) VALUES ('alice-0');
      INSERT INTO sealpush.removal (token) VALUES ('\(Phone.address(2).token.text.uppercased())');
      INSERT INTO sealpush.removal (identity) VALUES ('\(identity)'), (NULL); RESET ROLE
      """)
    // Its owner's rights are not to be had by a trigger of the role's own.
    #expect(throws: PostgresApplication.Refusal(state: "42501")) {
      try application.run(
        """
        SET ROLE \(role);
        CREATE TEMPORARY TABLE mine (id bigint, registration text, identity text, token text);
        CREATE TRIGGER mine AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION sealpush.removal_made()
        """)
    }
    try application.run("RESET ROLE")
    #expect(try await names(in: bench) == ["alice-2"])
    #expect(try await bench.store.leaseEnrolments(atMost: 9, for: .seconds(60)).isEmpty)
    #expect(try application.run("SELECT id FROM sealpush.removal").isEmpty)
    try application.run("DROP OWNED BY \(role); DROP ROLE \(role)")
  }

  // MARK: What is kept of it

  /// Hands an enrolment in, as if at a time, and lets the store accept it.
  private func accept(
    _ enrolment: Enrolment, as name: String, challenge: Challenge? = nil, handedInAt time: UnixTime,
    in bench: any StoreBench
  ) async throws -> Result<EnrolmentOutcome, SignedSetError>? {
    let request = EnrolmentRequest(
      name: name, person: "alice", body: enrolment.encoded(), mayBeNew: true, challenge: challenge,
      handedInAt: time)
    _ = try await bench.store.handIn(request)
    let leased = try #require(try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(9)).first)
    let result = try await bench.store.accept(request, under: leased.lease, audience: Phone.audience)
    try await bench.store.answer(leased.lease, with: .refused(reason: "done"))
    return result
  }

  @Test("does not come back by an older enrolment, under whatever name", arguments: Engine.all)
  func olderEnrolment(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("alice-0", token: 1)
    let first = try phone.enrolment()
    try await phone.register(at: bench.store, of: "alice")
    try await bench.store.remove(.registration("alice-0"))
    let departed = try #require(try await bench.store.departed(phone.keys.identity.records[0].id))
    #expect(departed.serial >= first.serial && departed.leftAt == start)
    for name in ["alice-0", "alice-9"] {
      let result = try await bench.store.accept(first, as: name, mayBeNew: true)
      #expect(throws: SignedSetError.olderSerial(last: departed.serial)) { try result.get() }
    }
    #expect(
      try await bench.store.accept(phone.enrolment(), as: "alice-0", mayBeNew: true).get().change == .pending)
  }

  @Test("does not come back by what was handed in before it left", arguments: Engine.all)
  func crossing(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("alice-0", token: 1)
    try await phone.register(at: bench.store, of: "alice")
    try await bench.store.remove(.identity(phone.keys.identity.records[0].id))
    let newest = try phone.enrolment()
    let late = try await accept(newest, as: "alice-1", handedInAt: start, in: bench)
    #expect(throws: SignedSetError.notRegistered) { try late?.get() }
    let next = try await accept(newest, as: "alice-1", handedInAt: start.advanced(by: .seconds(1)), in: bench)
    #expect(try next?.get().change == .pending)
  }

  @Test("comes back with a login that began after it left, and with no earlier one", arguments: Engine.all)
  func laterLogin(engine: Engine) async throws {
    let bench = try await engine.start()
    var phone = Phone("alice-0", token: 1)
    try await phone.register(at: bench.store, of: "alice")
    try await bench.store.remove(.token(phone.address.token))
    for (seconds, change) in [(0, nil), (1, Registrations.Change.pending)] {
      let login = try Login(
        person: "alice", id: "\(seconds)", beganAt: start.advanced(by: .seconds(Int64(seconds))))
      let purpose = try ChallengePurpose(
        login: login, topic: Phone.topic, registration: "alice-0", mode: .replace)
      let challenge = try await bench.store.issueChallenge(for: purpose).get()
      let enrolment = try phone.keys.enrol(
        address: phone.address, for: Phone.audience, challenge: challenge, at: start)
      let result = try await accept(
        enrolment, as: "alice-0", challenge: challenge, handedInAt: start.advanced(by: .seconds(9)), in: bench
      )
      let outcome = try? result?.get()
      #expect(outcome?.change == change)
    }
  }

  @Test("is forgotten after 30 days, as is a registration that has proven nothing", arguments: Engine.all)
  func idle(engine: Engine) async throws {
    let bench = try await engine.start()
    var (phone, pending, other) = (
      Phone("alice-0", token: 1), Phone("junk", token: 2), Phone("bob", token: 3)
    )
    try await phone.register(at: bench.store, of: "alice")
    try await bench.store.remove(.registration("alice-0"))
    _ = try await bench.store.accept(pending.enrolment(), as: "junk", mayBeNew: true).get()
    try await other.register(at: bench.store, of: "bob")
    try await bench.advance(by: DepartedDevice.keptTime - .seconds(1))
    #expect(try await bench.store.removeIdle(olderThan: DepartedDevice.keptTime, atMost: 9) == 0)
    try await bench.advance(by: .seconds(1))
    #expect(try await bench.store.removeIdle(olderThan: DepartedDevice.keptTime, atMost: 1) == 1)
    #expect(try await bench.store.removeIdle(olderThan: DepartedDevice.keptTime, atMost: 9) == 1)
    #expect(try await bench.store.departed(phone.keys.identity.records[0].id) == nil)
    #expect(try await names(in: bench) == ["bob"])
  }

  @Test("is known for 30 days, however soon registrations that have proven nothing go", arguments: Engine.all)
  func unprovenSooner(engine: Engine) async throws {
    let bench = try await engine.start()
    var (phone, pending) = (Phone("alice-0", token: 1), Phone("junk", token: 2))
    try await phone.register(at: bench.store, of: "alice")
    try await bench.store.remove(.registration("alice-0"))
    _ = try await bench.store.accept(pending.enrolment(), as: "junk", mayBeNew: true).get()
    try await bench.advance(by: .seconds(3600))
    #expect(try await bench.store.removeIdle(olderThan: .seconds(3601), atMost: 9) == 0)
    #expect(try await bench.store.removeIdle(olderThan: .seconds(3600), atMost: 9) == 1)
    #expect(try await names(in: bench).isEmpty)
    #expect(try await bench.store.departed(phone.keys.identity.records[0].id) != nil)
  }
}
