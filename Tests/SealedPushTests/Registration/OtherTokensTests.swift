import PushCore
import PushEnrolment
import PushTesting
import SealedPush
import TestSupport
import Testing

/// The tokens that an app hands in besides the device token.
@Suite("A phone's other tokens", .hangGuard)
struct OtherTokensTests {
  private let call = DeviceToken([1, 2])!
  private let order = DeviceToken([3, 4])!

  private func app() async throws -> AppOnPhone {
    var app = try AppOnPhone()
    await app.start()
    try await app.logIn("ada")
    return app
  }

  @Test("are those that it has handed in last, and no others")
  func handedIn() async throws {
    let app = try await app()
    try await app.registration.handIn(tokens: [.voip: call, .activity(named: "order 7"): order])
    #expect(app.backend.otherTokens(of: app.token) == [.voip: call, .activity(named: "order 7"): order])
    #expect(app.backend.requests.last?.path == "/v1/tokens")
    try await app.registration.handIn(tokens: [.voip: call])
    #expect(app.backend.otherTokens(of: app.token) == [.voip: call])
  }

  @Test("are handed in by a registered phone alone")
  func unregistered() async throws {
    var app = try AppOnPhone()
    await app.start()
    let before = app.backend.requests.count
    await #expect(throws: RegistrationFailure.loginNeeded) {
      try await app.registration.handIn(tokens: [.voip: call])
    }
    #expect(app.backend.requests.count == before)
  }

  @Test("are told again when the backend could not be reached, and nothing else changes")
  func unreachable() async throws {
    let app = try await app()
    let state = await app.registration.state
    app.backend.isReachable = false
    await #expect(throws: RegistrationFailure.self) {
      try await app.registration.handIn(tokens: [.voip: call])
    }
    app.backend.isReachable = true
    #expect(await app.registration.state == state)
    try await app.registration.handIn(tokens: [.voip: call])
    #expect(app.backend.otherTokens(of: app.token) == [.voip: call])
  }

  @Test("need a session of a person who has the phone")
  func session() async throws {
    let app = try await app()
    app.backend.endSession(of: "ada")
    await #expect(throws: RegistrationFailure.loginNeeded) {
      try await app.registration.handIn(tokens: [.voip: call])
    }
  }

  @Test("are refused with the backend's reason when it has forgotten the phone")
  func refused() async throws {
    let app = try await app()
    app.backend.loseRegistrations()
    await #expect(throws: RegistrationFailure.refused(reason: "not-registered")) {
      try await app.registration.handIn(tokens: [.voip: call])
    }
  }
}
