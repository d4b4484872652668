import PushCore
import PushEnrolment
import PushStore
import TestSupport
import Testing

@Suite("A book of challenges", .hangGuard)
struct ChallengeTests {
  private func purpose(
    of person: String = "alice", login: String = "session 1", mode: ChallengePurpose.Mode = .replace
  ) throws -> ChallengePurpose {
    try ChallengePurpose(
      login: Login(person: person, id: login, beganAt: start), topic: Topic("com.example.app"),
      registration: "phone", mode: mode)
  }

  @Test("says what a challenge was issued for, to any worker", arguments: Engine.all)
  func issued(engine: Engine) async throws {
    let bench = try await engine.start()
    for mode in ChallengePurpose.Mode.allCases {
      let purpose = try purpose(mode: mode)
      let challenge = try await bench.store.issueChallenge(for: purpose).get()
      let issued = try #require(try await bench.another().issued(challenge))
      #expect(issued.purpose == purpose)
      #expect(issued.expiresAt == start.advanced(by: IssuedChallenge.lifetime))
    }
    #expect(try await bench.store.issued(Challenge("another")) == nil)
  }

  @Test("knows a challenge for ten minutes", arguments: Engine.all)
  func lifetime(engine: Engine) async throws {
    let bench = try await engine.start()
    let challenge = try await bench.store.issueChallenge(for: purpose()).get()
    try await bench.advance(by: .seconds(599))
    #expect(try await bench.store.issued(challenge) != nil)
    try await bench.advance(by: .seconds(1))
    #expect(try await bench.store.issued(challenge) == nil)
  }

  @Test("knows no challenge that a clock far ahead has issued", arguments: Engine.all)
  func clockBack(engine: Engine) async throws {
    let bench = try await engine.start()
    let challenge = try await bench.store.issueChallenge(for: purpose()).get()
    try await bench.advance(by: .seconds(-600))
    #expect(try await bench.store.issued(challenge) != nil)
    try await bench.advance(by: .seconds(-1))
    #expect(try await bench.store.issued(challenge) == nil)
  }

  @Test("issues ten an hour to a person, whatever the login", arguments: Engine.all)
  func limit(engine: Engine) async throws {
    let bench = try await engine.start()
    for number in 0..<10 {
      _ = try await bench.store.issueChallenge(for: purpose(login: "session \(number)")).get()
      try await bench.advance(by: .seconds(60))
    }
    let tooMany = try await bench.store.issueChallenge(for: purpose(login: "session 10"))
    #expect(throws: TooManyChallenges.self) { try tooMany.get() }
    guard case .failure(let error) = tooMany else { return }
    #expect(error.retryAfter == .seconds(3000))
    _ = try await bench.store.issueChallenge(for: purpose(of: "Alice")).get()
    try await bench.advance(by: error.retryAfter)
    _ = try await bench.store.issueChallenge(for: purpose()).get()
    let next = try await bench.store.issueChallenge(for: purpose())
    #expect(throws: TooManyChallenges.self) { try next.get() }
  }

  @Test("does not count what a clock far ahead has issued", arguments: Engine.all)
  func limitAfterClockBack(engine: Engine) async throws {
    let bench = try await engine.start()
    for _ in 0..<10 { _ = try await bench.store.issueChallenge(for: purpose()).get() }
    try await bench.advance(by: .seconds(-86_400))
    _ = try await bench.store.issueChallenge(for: purpose()).get()
  }

  @Test("issues no more when ten are asked for at once", arguments: [Engine.sqlite, .postgres])
  func race(engine: Engine) async throws {
    let bench = try await engine.start()
    let purpose = try purpose()
    let issued = try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        let store = try await bench.another()
        group.addTask {
          var count = 0
          for _ in 0..<5 {
            if case .success = try await store.issueChallenge(for: purpose) { count += 1 }
          }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(issued == 10)
  }

  @Test("loses what no longer counts, in parts", arguments: Engine.all)
  func sweep(engine: Engine) async throws {
    let bench = try await engine.start()
    for _ in 0..<5 { _ = try await bench.store.issueChallenge(for: purpose()).get() }
    try await bench.advance(by: .seconds(3599))
    let last = try await bench.store.issueChallenge(for: purpose()).get()
    #expect(try await bench.store.removeOldChallenges(atMost: 9) == 0)
    try await bench.advance(by: .seconds(1))
    #expect(try await bench.store.removeOldChallenges(atMost: 0) == 0)
    #expect(try await bench.store.removeOldChallenges(atMost: 3) == 3)
    #expect(try await bench.store.removeOldChallenges(atMost: 3) == 2)
    #expect(try await bench.store.removeOldChallenges(atMost: 3) == 0)
    #expect(try await bench.store.issued(last) != nil)
    try await bench.advance(by: .seconds(-86_400))
    #expect(try await bench.store.removeOldChallenges(atMost: 3) == 1)
  }

  @Test("loses a person who is forgotten", arguments: Engine.all)
  func forgotten(engine: Engine) async throws {
    let bench = try await engine.start()
    let alices = try await bench.store.issueChallenge(for: purpose()).get()
    let bobs = try await bench.store.issueChallenge(for: purpose(of: "bob")).get()
    #expect(try await bench.store.forget(person: "alice") == 1)
    #expect(try await bench.store.issued(alices) == nil)
    #expect(try await bench.store.issued(bobs) != nil)
  }

  @Test("does not have the challenge itself")
  func hashed() async throws {
    let bench = try await SQLiteBench()
    let challenge = try await bench.store.issueChallenge(for: purpose()).get()
    let rows = try bench.application().run("SELECT * FROM sealpush.challenge")
    #expect(rows.count == 1)
    #expect(rows[0].contains { $0?.contains(challenge.text) == true } == false)
  }

  @Test("has what an application writes, unless it is wrong")
  func written() async throws {
    let bench = try await SQLiteBench()
    let application = try bench.application()
    // The digest of `abc` in FIPS 180-4.
    let hash = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
    func write(person: String = "'ada'", loginAt: String = "1700000000.5", mode: String = "'replace'") throws
    {
      try application.run(
        """
        REPLACE INTO sealpush.challenge (hash, person, login, login_at, topic, registration, mode, expires_at)
        VALUES ('\(hash)', \(person), 'x', \(loginAt), 'com.example.app', 'phone', \(mode), \(start.seconds + 60))
        """)
    }
    try write()
    let issued = try #require(try await bench.store.issued(Challenge("abc")))
    #expect(issued.purpose.login.person == "ada")
    #expect(issued.purpose.login.beganAt.seconds == 1_700_000_000)
    #expect(issued.purpose.mode == .replace)
    for (person, loginAt, mode) in [
      ("''", "0", "'replace'"), ("'ada'", "-1", "'replace'"), ("'ada'", "9e99", "'replace'"),
      ("'ada'", "0", "'ALSO'"),
    ] {
      try write(person: person, loginAt: loginAt, mode: mode)
      #expect(try await bench.store.issued(Challenge("abc")) == nil)
    }
  }

  @Test("has what an application writes in PostgreSQL, for a short time at most")
  func writtenInPostgres() async throws {
    let bench = try await PostgresBench()
    let application = try bench.application()
    for (end, isKnown) in [("DEFAULT", true), ("sealpush.now() + '1201 s'", false), ("'infinity'", false)] {
      try application.run(
        """
        DELETE FROM sealpush.challenge;
        INSERT INTO sealpush.challenge (hash, person, login, login_at, topic, registration, mode, expires_at)
        VALUES ('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0', 'ada', 'x', now(), 'com.example.app', 'phone', 'replace',
          \(end))
        """)
      let known = try await bench.store.issued(Challenge("abc"))
      #expect((known != nil) == isKnown)
    }
  }

  @Test(
    "takes no names that a registration could not have",
    arguments: ["", "a\nb", .init(repeating: "a", count: 256)])
  func names(name: String) throws {
    #expect(throws: ValueError.self) { try Login(person: name, id: "1", beganAt: start) }
    #expect(throws: ValueError.self) { try Login(person: "ada", id: name, beganAt: start) }
    let login = try Login(person: "ada", id: "1", beganAt: start)
    #expect(throws: ValueError.self) {
      try ChallengePurpose(login: login, topic: Topic("com.example.app"), registration: name, mode: .replace)
    }
    #expect(!"\(login)".contains("ada"))
  }

  @Test("has a challenge used once, by whichever enrolment is accepted first", arguments: Engine.all)
  func spent(engine: Engine) async throws {
    let bench = try await engine.start()
    let challenge = try await bench.store.issueChallenge(for: purpose()).get()
    for (token, reason) in [(UInt8(1), nil), (2, SignedSetError.wrongChallenge)] {
      var phone = Phone("phone \(token)", token: token)
      let enrolment = try phone.keys.enrol(
        address: phone.address, for: Phone.audience, challenge: challenge, at: start)
      let request = EnrolmentRequest(
        name: phone.name, person: "alice", body: enrolment.encoded(), mayBeNew: true, challenge: challenge)
      _ = try await bench.store.handIn(request)
      let lease = try #require(try await bench.store.leaseEnrolments(atMost: 1, for: .seconds(9)).first).lease
      let result = try #require(
        try await bench.store.accept(request, under: lease, audience: Phone.audience))
      if case .failure(let error) = result { #expect(error == reason) } else { #expect(reason == nil) }
      try await bench.store.answer(lease, with: .refused(reason: "done"))
    }
    #expect(try await bench.store.isSpent(challenge))
    #expect(try await bench.store.issued(challenge) == nil)
    #expect(try await bench.store.devices(after: nil, atMost: 9).map(\.device.registration) == ["phone 1"])
  }
}
