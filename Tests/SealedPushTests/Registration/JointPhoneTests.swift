import PushEnrolment
import PushTesting
import SealedPush
import TestSupport
import Testing

/// A phone that several persons have.
@Suite("A phone of several accounts", .hangGuard)
struct JointPhoneTests {
  /// A phone that these persons have.
  private func app(_ persons: String...) async throws -> AppOnPhone {
    var app = try AppOnPhone()
    await app.start()
    for person in persons { try await app.logIn(person, joining: true) }
    try #require(app.backend.registrations.map(\.persons) == [persons])
    return app
  }

  private func challenges(_ app: AppOnPhone) -> Int {
    app.backend.requests.count { $0.path == "/v1/challenges" }
  }

  @Test("a backend that has lost its registrations gets all of them again, in one")
  func lostStore() async throws {
    var app = try await app("ada", "bob")
    app.backend.loseRegistrations()
    await app.start(as: "ada", "bob")
    try await app.prove()
    #expect(app.backend.registrations.map(\.persons) == [["ada", "bob"]])
    let asked = challenges(app)
    #expect(await app.start(as: "bob", "ada").standing == .registered)
    #expect(challenges(app) == asked)
  }

  @Test("a person who could not join is joined at the next launch")
  func failedJoin() async throws {
    var app = try await app("ada")
    app.backend.logIn("bob")
    app.backend.failsEnrolments = true
    #expect(await app.registration.register(login: "bob", joining: true).standing == .failed(.status(503)))
    app.backend.failsEnrolments = false
    await app.start(as: "ada", "bob")
    try await app.prove()
    #expect(app.backend.registrations.map(\.persons) == [["ada", "bob"]])
    #expect(try app.shown(for: "ada") == ["Lunch?"] && app.shown(for: "bob") == ["Lunch?"])
  }

  @Test("of three one leaves offline, and her session ends: the two who stay have the phone")
  func oneOfThreeLeaves() async throws {
    var app = try await app("ada", "bob", "carl")
    app.backend.isReachable = false
    await app.registration.signOut("ada")
    app.backend.isReachable = true
    app.backend.endSession(of: "ada")
    await app.start(as: "bob", "carl")
    try await app.prove()
    #expect(app.backend.registrations.map(\.persons) == [["bob", "carl"]])
    #expect(await app.registration.state.untoldSignOuts == 0)
    #expect(try app.shown(for: "bob") == ["Lunch?"] && app.shown(for: "carl") == ["Lunch?"])
  }

  @Test("who is not among the sessions of a launch is out before anything is asked")
  func launchWithoutOne() async throws {
    var app = try await app("ada", "bob")
    let sent = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    app.backend.isReachable = false
    await app.start(as: "bob")
    #expect(try app.deliver(sent) == ["(Encrypted)"])
    #expect(try app.shown(for: "bob") == ["Lunch?"])
  }

  @Test("who logs in alone has the phone alone, at once")
  func loginAlone() async throws {
    let app = try await app("ada", "bob")
    let sent = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    app.backend.isReachable = false
    await app.registration.register(login: "bob")
    #expect(try app.deliver(sent) == ["(Encrypted)"])
    app.backend.isReachable = true
    try await app.logIn("bob")
    #expect(app.backend.registrations.map(\.persons) == [["bob"]])
  }

  @Test(
    "a session that has ended does not keep the others from enrolling a new token", arguments: ["ada", "bob"])
  func endedSession(of person: String) async throws {
    var app = try await app("ada", "bob")
    app.backend.endSession(of: person)
    app.token = AppOnPhone.newToken()
    await app.start(as: "ada", "bob")
    try await app.prove()
    #expect(app.backend.registrations.map(\.token) == [app.token])
  }

  @Test("who stays after a join that failed gets in with the session that is there")
  func staysAfterAFailedJoin() async throws {
    var app = try await app("ada")
    app.backend.logIn("bob")
    app.backend.failsEnrolments = true
    await app.registration.register(login: "bob", joining: true)
    app.backend.failsEnrolments = false
    await app.registration.signOut("ada")
    await app.start(as: "bob")
    try await app.prove()
    #expect(app.backend.registrations.map(\.persons) == [["bob"]])
    #expect(await app.registration.state.standing == .registered)
  }

  @Test("a session that has ended does not keep those who stay from telling who has left")
  func endedSessionAfterALeave() async throws {
    var app = try await app("ada", "bob", "carl")
    app.backend.isReachable = false
    await app.registration.signOut("ada")
    app.backend.isReachable = true
    for person in ["ada", "bob"] { app.backend.endSession(of: person) }
    app.token = AppOnPhone.newToken()
    await app.start(as: "bob", "carl")
    try await app.prove()
    #expect(app.backend.registrations.map(\.persons) == [["carl"]])
    #expect(app.backend.registrations.map(\.token) == [app.token])
    try await app.logIn("bob", joining: true)
    #expect(app.backend.registrations.map(\.persons) == [["bob", "carl"]])
  }

  @Test("a join that a worker answers late has its person's tag")
  func lateJoin() async throws {
    var app = try await app("ada")
    app.backend.logIn("bob")
    app.backend.unanswered = ["bob"]
    let registration = app.registration
    async let state = registration.register(login: "bob", joining: true)
    for _ in 0..<5 {
      await app.clock.waitForSleepers()
      app.clock.advance(by: .seconds(1))
    }
    #expect(await state.standing == .failed(.noAnswer))
    app.backend.unanswered = []
    await app.start(as: "ada", "bob")
    try await app.prove()
    #expect(try app.shown(for: "ada") == ["Lunch?"] && app.shown(for: "bob") == ["Lunch?"])
  }

  @Test("enrolments that fail use one challenge, whoever they are for")
  func oneChallenge() async throws {
    var app = try await app("ada", "bob")
    app.backend.loseRegistrations()
    app.backend.failsEnrolments = true
    let before = challenges(app)
    for _ in 0..<3 { await app.start(as: "ada", "bob") }
    #expect(challenges(app) <= before + 1)
  }

  @Test("a damaged file of the accounts hinders neither a sign-out nor the next launch")
  func damagedAccounts() async throws {
    var app = try await app("ada", "bob")
    try app.folder.write(Array("{".utf8), to: "accounts.json")
    await app.registration.signOut("ada")
    #expect(try app.shown(for: "bob") == ["Lunch?"])
    try app.folder.write(Array("{".utf8), to: "accounts.json")
    #expect(await app.registration.signOut().standing == .nobody)
    #expect(try app.keychain.identity() == nil)
    #expect(await app.start().standing == .nobody)
  }
}

/// What must not happen to a phone.
@Suite("A phone's troubles", .hangGuard)
struct RegistrationTroubleTests {
  private func app() async throws -> AppOnPhone {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    return app
  }

  private func challenges(_ app: AppOnPhone) -> Int {
    app.backend.requests.count { $0.path == "/v1/challenges" }
  }

  @Test("another person's login takes delivered notifications from the screen")
  func notificationsOfAnother() async throws {
    let app = try await app()
    app.screen.add()
    app.backend.isReachable = false
    await app.registration.register(login: "bob")
    #expect(app.screen.count == 0)
  }

  @Test("a launch that changes nobody leaves delivered notifications")
  func notificationsStay() async throws {
    var app = try await app()
    app.screen.add()
    await app.start(as: "ada")
    #expect(app.screen.count == 1)
  }

  @Test("a removed phone asks for no challenge until somebody logs in")
  func removedPhone() async throws {
    var app = try await app()
    app.backend.removeDevices(of: "ada")
    await app.start(as: "ada")
    let asked = challenges(app)
    for _ in 0..<5 { #expect(await app.start(as: "ada").standing == .failed(.loginNeeded)) }
    #expect(challenges(app) == asked)
    #expect(try await app.logIn("ada").standing == .registered)
  }

  @Test("launches without an answer use one challenge")
  func oneChallenge() async throws {
    var app = try AppOnPhone()
    await app.start()
    app.backend.logIn("ada")
    app.backend.failsEnrolments = true
    for _ in 0..<5 { await app.start(as: "ada") }
    #expect(challenges(app) == 1)
    app.clock.advance(by: .seconds(600))
    await app.start(as: "ada")
    #expect(challenges(app) == 2)
  }

  @Test("an enrolment that no worker has answered is asked for at the next launch")
  func lateWorker() async throws {
    var app = try AppOnPhone()
    await app.start()
    app.backend.logIn("ada")
    app.backend.unanswered = ["ada"]
    let registration = app.registration
    async let state = registration.register(login: "ada")
    for _ in 0..<5 {
      await app.clock.waitForSleepers()
      app.clock.advance(by: .seconds(1))
    }
    #expect(await state.standing == .failed(.noAnswer))
    app.backend.unanswered = []
    #expect(await app.start(as: "ada").standing == .pending)
    try await app.prove()
    #expect(app.backend.registrations.count == 1 && challenges(app) == 1)
  }

  @Test("a login uses no challenge of the login before")
  func challengeOfAnEarlierLogin() async throws {
    var app = try AppOnPhone()
    await app.start()
    app.backend.logIn("ada")
    app.backend.failsEnrolments = true
    await app.registration.register(login: "ada")
    app.backend.failsEnrolments = false
    #expect(try await app.logIn("ada").standing == .registered)
  }

  @Test("what the app has shown by itself is known under each ID that its push may have")
  func markSeen() async throws {
    let app = try await app()
    let id = MessageID.random()
    try await app.registration.markSeen([id])
    let identity = try #require(try app.keychain.identity())
    for sent in [id, id.derived(for: identity)] {
      let push = try #require(
        try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada", messageID: sent).first?.push)
      let opened = try app.shared.receiver.open(IncomingPush(payload: JSONObject(parsing: push.payload.span)))
      #expect(opened.opened.repetition == .seen)
    }
  }

  @Test("a suspended identity gets new keys with a login, and not before")
  func suspended() async throws {
    var app = try await app()
    app.backend.suspendDevices(of: "ada")
    #expect(await app.start(as: "ada").standing == .failed(.refused(reason: "suspended")))
    let before = try app.keychain.identity()
    #expect(try await app.logIn("ada").standing == .registered)
    #expect(try app.keychain.identity() != before)
  }

  @Test("a service that takes no leaves gets the sign-out of the session")
  func noLeaves() async throws {
    let app = try await app()
    app.backend.takesLeaves = false
    #expect(await app.registration.signOut().untoldSignOuts == 0)
    #expect(app.backend.registrations.isEmpty)
  }

  @Test("sessions that cannot be read change nothing")
  func unreadableSessions() async throws {
    let app = try await app()
    await app.registration.launch(as: nil)
    #expect(try app.shown(for: "ada") == ["Lunch?"])
  }

  @Test("a file that cannot be read does not keep a sign-out from destroying the keys")
  func unreadableFile() async throws {
    let app = try await app()
    try app.folder.write(Array(#"{"v":2}"#.utf8), to: "registration.json")
    #expect(await app.registration.signOut().standing == .failed(.file(.laterVersion)))
    #expect(try app.keychain.identity() == nil)
  }

  @Test("keys that cannot be read are not taken for keys that are gone")
  func lockedKeys() async throws {
    let app = try await app()
    let registration = PushRegistration(
      of: app.shared, in: .sandbox, keys: LockedKeys(), service: app.backend,
      path: app.folder.path(of: "registration.json"), removeNotifications: {})
    await registration.know(token: app.token)
    guard case .failed(.keys) = await registration.launch(as: ["ada"]).standing else {
      Issue.record("the keys were read")
      return
    }
    #expect(try app.shown(for: "ada") == ["Lunch?"])
    #expect(app.backend.registrations.count == 1)
  }

  @Test("a new token during a login is the login's, and supersedes nothing")
  func tokenDuringLogin() async throws {
    var app = try await app()
    app.backend.logIn("bob")
    app.token = AppOnPhone.newToken()
    let (registration, token) = (app.registration, app.token)
    async let one = registration.register(login: "bob", joining: true)
    async let other = registration.know(token: token)
    _ = await (one, other)
    await app.registration.launch(as: ["ada", "bob"])
    try await app.prove()
    #expect(app.backend.registrations.map(\.persons) == [["ada", "bob"]])
    #expect(app.backend.registrations.map(\.token) == [app.token])
  }
}

/// A Keychain before the first unlock.
private struct LockedKeys: EnrolmentStore {
  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? { throw .locked }

  func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeyStoreError) -> Result? { throw .locked }

  func remove() throws(KeyStoreError) { throw .locked }
}
