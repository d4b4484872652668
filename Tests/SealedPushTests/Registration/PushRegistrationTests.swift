import PushEnrolment
import PushTesting
import SealedPush
import TestSupport
import Testing

/// What happens to a phone, from its first launch to its last sign-out.
@Suite("A phone's life", .hangGuard)
struct PushRegistrationTests {
  @Test("the first launch asks for nothing, and a login registers the phone")
  func firstLogin() async throws {
    var app = try AppOnPhone()
    #expect(await app.start().standing == .nobody)
    #expect(try await app.registration.needsRegistration(of: ["ada"]) == .new)
    #expect(app.backend.requests.isEmpty)
    #expect(try await app.logIn("ada").standing == .registered)
    #expect(try await app.registration.needsRegistration(of: ["ada"]) == nil)
    #expect(try app.shown(for: "ada") == ["Lunch?"])
  }

  @Test("until the phone has answered the proof request, it is pending, and nothing is sealed to it")
  func pending() async throws {
    var app = try AppOnPhone()
    await app.start()
    app.backend.logIn("ada")
    #expect(await app.registration.register(login: "ada").standing == .pending)
    #expect(try app.shown(for: "ada") == [])
  }

  @Test("a later launch enrols without a challenge, and takes the senders' set")
  func laterLaunch() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    let before = app.backend.requests.count
    #expect(await app.start(as: "ada").standing == .registered)
    let paths = app.backend.requests[before...].map(\.path)
    #expect(paths == ["/v1/senders/com.example.app", "/v1/enrolments"])
    #expect(try app.shared.senders.load() != nil)
  }

  @Test("keys of a month are replaced, and the ones before stay until the new ones are proven")
  func rotation() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    let old = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    app.clock.advance(by: PushRegistration.keyAge)
    #expect(await app.start(as: "ada").standing == .pending)
    #expect(try app.deliver(old) == ["Lunch?"])
    #expect(try app.shown("Dinner?", for: "ada") == ["Dinner?"])
    try await app.prove()
    #expect(await app.registration.state.standing == .registered)
    #expect(try app.shown("Dinner?", for: "ada") == ["Dinner?"])
  }

  @Test("keys in hardware are registered, opened with and replaced like others")
  func hardware() async throws {
    let vault = FakeVault()
    var app = try AppOnPhone(keychain: InMemoryKeyStore(in: vault))
    await app.start()
    #expect(try await app.logIn("ada").standing == .registered)
    #expect(try app.shown(for: "ada") == ["Lunch?"])
    app.clock.advance(by: PushRegistration.keyAge)
    #expect(await app.start(as: "ada").standing == .pending)
    try await app.prove()
    #expect(await app.registration.state.standing == .registered)
    #expect(try app.shown("Dinner?", for: "ada") == ["Dinner?"])
    #expect(vault.count == 2)
    await app.registration.signOut()
    #expect(try app.shared.keys.thumbprints(at: app.clock.now).isEmpty)
  }

  @Test("a new token is enrolled at once, and proven")
  func newToken() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    app.token = AppOnPhone.newToken()
    await app.registration.know(token: app.token)
    try await app.prove()
    #expect(await app.registration.state.standing == .registered)
    #expect(app.backend.registrations.map(\.token) == [app.token])
    #expect(app.backend.registrations.count == 1)
  }

  @Test("what a restore brings to another phone is not continued there, and both phones are reached")
  func restored() async throws {
    var old = try AppOnPhone()
    await old.start()
    try await old.logIn("ada")
    var new = try old.restored()
    #expect(try await new.registration.needsRegistration(of: ["ada"]) == .restored)
    #expect(await new.start(as: "ada").standing == .pending)
    try await new.prove()
    #expect(await new.registration.state.standing == .registered)
    #expect(try new.shown(for: "ada") == ["Lunch?"])
    #expect(try old.shown(for: "ada") == ["Lunch?"])
    #expect(await old.start(as: "ada").standing == .registered)
  }

  @Test("after a reinstall without a session, the keys that are left are destroyed, and the backend is told")
  func reinstalledWithoutSession() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    let sent = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    var again = try app.reinstalled()
    again.token = app.token
    #expect(try await again.registration.needsRegistration(of: ["ada"]) == .reinstalled)
    #expect(try again.deliver(sent) == ["(Encrypted)"], "no set of senders is there yet")
    #expect(await again.start().standing == .nobody)
    #expect(try again.keychain.identity() == nil)
    #expect(again.backend.registrations.isEmpty)
    #expect(try await again.logIn("ada").standing == .registered)
  }

  @Test("another person's login destroys the keys before it enrols, and nothing of the person before opens")
  func accountSwitch() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    let sent = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    let keys = try app.keychain.identity()
    app.backend.logIn("bob")
    #expect(try await app.registration.needsRegistration(of: ["bob"]) == .otherPersons)
    await app.registration.register(login: "bob")
    #expect(try app.deliver(sent) == ["(Encrypted)"])
    #expect(try app.keychain.identity() != keys)
    #expect(app.backend.registrations.map(\.persons) == [["bob"]])
    try await app.prove()
    #expect(try app.shown(for: "bob") == ["Lunch?"])
  }

  @Test("the keys are destroyed also if the new person's enrolment fails")
  func accountSwitchOffline() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    app.backend.isReachable = false
    let state = await app.registration.register(login: "bob")
    #expect(state.standing == .failed(.unreachable("unreachable")))
    #expect(try app.keychain.identity() == nil)
    #expect(state.untoldSignOuts == 1)
    app.backend.isReachable = true
    app.backend.logIn("bob")
    #expect(await app.start(as: "bob").standing == .pending)
    #expect(app.backend.registrations.map(\.persons) == [["bob"]])
  }

  @Test("a second account joins, and both persons' messages show")
  func joint() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    try await app.logIn("bob", joining: true)
    #expect(app.backend.registrations.map(\.persons) == [["ada", "bob"]])
    #expect(try app.shown(for: "ada") == ["Lunch?"])
    #expect(try app.shown(for: "bob") == ["Lunch?"])
    #expect(try await app.registration.needsRegistration(of: ["bob", "ada"]) == nil)
    #expect(await app.start(as: "ada", "bob").standing == .registered)
  }

  @Test(
    "of two accounts one signs out, also without a connection: nothing of theirs shows, and the other stays")
  func oneOfTwoSignsOut() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    try await app.logIn("bob", joining: true)
    let sent = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    app.backend.isReachable = false
    #expect(await app.registration.signOut("ada").untoldSignOuts == 1)
    #expect(try app.deliver(sent) == ["(Encrypted)"])
    #expect(try app.shown(for: "bob") == ["Lunch?"])
    app.backend.isReachable = true
    app.backend.endSession(of: "ada")
    // Her session is over, so the backend hears it from his.
    #expect(await app.start(as: "bob").standing != .failed(.loginNeeded))
    #expect(app.backend.registrations.map(\.persons) == [["bob"]])
    #expect(await app.registration.state.untoldSignOuts == 0)
    #expect(try app.shown(for: "bob") == ["Lunch?"])
  }

  @Test("signing out removes keys, tags and delivered notifications, and the backend seals nothing more")
  func signOut() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    let sent = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: "ada")
    app.screen.add()
    let state = await app.registration.signOut()
    #expect(state.standing == .nobody && state.untoldSignOuts == 0)
    #expect(try app.keychain.identity() == nil)
    #expect(try app.shared.accounts.tags() == [])
    #expect(app.screen.count == 0)
    #expect(app.backend.registrations.isEmpty)
    #expect(try app.deliver(sent) == ["(Encrypted)"])
    #expect(try await app.registration.needsRegistration(of: ["ada"]) == .new)
  }

  @Test(
    "without a connection signing out is the same on the phone, and the backend hears of it at the next launch"
  )
  func signOutOffline() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    app.backend.isReachable = false
    let state = await app.registration.signOut("ada")
    #expect(state.standing == .nobody && state.untoldSignOuts == 1)
    #expect(try app.keychain.identity() == nil)
    #expect(app.backend.registrations.count == 1)
    app.backend.isReachable = true
    app.backend.endSession(of: "ada")
    #expect(await app.start().untoldSignOuts == 0)
    #expect(app.backend.registrations.isEmpty)
  }

  @Test("a backend that has lost its registrations gets the phone again, with the session that is there")
  func lostStore() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    app.backend.loseRegistrations()
    #expect(await app.start(as: "ada").standing == .pending)
    try await app.prove()
    #expect(try app.shown(for: "ada") == ["Lunch?"])
  }

  @Test("a phone that was removed as lost does not come back with its old session, and does with a new login")
  func removed() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    app.backend.removeDevices(of: "ada")
    #expect(await app.start(as: "ada").standing == .failed(.loginNeeded))
    #expect(app.backend.registrations.isEmpty)
    #expect(try await app.logIn("ada").standing == .registered)
  }

  @Test("an ended session is said to be one")
  func endedSession() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    app.backend.endSession(of: "ada")
    #expect(await app.start(as: "ada").standing == .failed(.loginNeeded))
    #expect(try await app.registration.needsRegistration(of: ["ada"]) == nil)
  }

  @Test("an enrolment that was begun and not answered is begun anew")
  func unfinished() async throws {
    var app = try AppOnPhone()
    await app.start()
    app.backend.logIn("ada")
    app.backend.failsEnrolments = true
    #expect(await app.registration.register(login: "ada").standing == .failed(.status(503)))
    #expect(try await app.registration.needsRegistration(of: ["ada"]) == .unfinished)
    app.backend.failsEnrolments = false
    #expect(await app.start(as: "ada").standing == .pending)
    try await app.prove()
    #expect(app.backend.registrations.count == 1)
  }

  @Test("a reason for which iOS gives no token is shown, and the token that comes later is enrolled")
  func noToken() async throws {
    let app = try AppOnPhone()
    app.backend.logIn("ada")
    await app.registration.know(failure: EnrolmentStandIn.Failure.unreachable)
    let state = await app.registration.launch(as: ["ada"])
    guard case .failed(.noToken) = state.standing else {
      Issue.record("\(state)")
      return
    }
    #expect(await app.registration.know(token: app.token).standing == .pending)
    try await app.prove()
    #expect(await app.registration.state.standing == .registered)
  }

  @Test("without an answer from iOS a launch ends after half a minute")
  func silentSystem() async throws {
    let app = try AppOnPhone()
    app.backend.logIn("ada")
    let registration = app.registration
    async let state = registration.launch(as: ["ada"])
    await app.clock.waitForSleepers()
    app.clock.advance(by: PushRegistration.tokenPatience)
    #expect(await state.standing == .failed(.noToken("it did not answer")))
  }

  @Test("a sign-out while a registration waits wins")
  func signOutDuringRegistration() async throws {
    let app = try AppOnPhone()
    app.backend.logIn("ada")
    let registration = app.registration
    async let registered = registration.register(login: "ada")
    await app.clock.waitForSleepers()
    #expect(await app.registration.signOut().standing == .nobody)
    await app.registration.know(token: app.token)
    #expect(await registered.standing == .failed(.superseded))
    #expect(await app.registration.state.standing == .nobody)
    #expect(app.backend.registrations.isEmpty)
    #expect(try app.keychain.identity() == nil)
  }

  @Test("a message in a background push is the app's, once")
  func message() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    var notification = RemoteNotification()
    notification.contentAvailable = true
    notification.custom["request"] = "sync"
    let push = try #require(try app.backend.seal(notification, for: "ada", as: .background).first?.push)
    let envelope = EnvelopeField(data: try JSONObject(parsing: push.payload.span))
    guard case .message(let message) = await app.registration.receive(envelope) else {
      Issue.record("it is no message")
      return
    }
    #expect(message.payload["request"] == "sync")
    guard case .repeated = await app.registration.receive(envelope) else {
      Issue.record("it came twice")
      return
    }
  }

  @Test("a background push that does not open is in the state")
  func fault() async throws {
    let app = try AppOnPhone()
    guard case .degraded(.noEnvelope) = await app.registration.receive(.absent) else {
      Issue.record("it opened")
      return
    }
    #expect(await app.registration.state.backgroundFault == .noEnvelope)
  }

  @Test("a damaged file counts as none: the keys that are left are replaced")
  func damagedFile() async throws {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    try app.folder.write(Array("{".utf8), to: "registration.json")
    #expect(try await app.registration.needsRegistration(of: ["ada"]) == .reinstalled)
    #expect(await app.start(as: "ada").standing == .pending)
    try await app.prove()
    #expect(app.backend.registrations.count == 1)
  }

  @Test("what a later version wrote is left alone")
  func laterVersion() async throws {
    var app = try AppOnPhone()
    let text = Array(#"{"v":2}"#.utf8)
    try app.folder.write(text, to: "registration.json")
    #expect(await app.start(as: "ada").standing == .failed(.file(.laterVersion)))
    #expect(app.folder.bytes(of: "registration.json") == text)
  }
}
