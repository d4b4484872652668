import Foundation
import PushCore
import PushEnrolment
import PushHost
import PushReceiver
import PushSealer
import PushTesting
import SealedPush
import TestSupport
import Testing

/// An app that wants receipts, or not: from the push to the backend.
@Suite("A phone's receipts", .hangGuard)
struct ReceiptTests {
  private let first = MessageID.random()
  private let second = MessageID.random()

  /// A registered phone.
  private func app(wantsReceipts: Bool = true) async throws -> AppOnPhone {
    var app = try AppOnPhone()
    app.wantsReceipts = wantsReceipts
    try FileManager.default.createDirectory(
      atPath: app.folder.path(of: "notes"), withIntermediateDirectories: false)
    await app.start()
    try await app.logIn("ada")
    return app
  }

  /// The phone's extension gets a message.
  private func deliver(_ id: MessageID, to app: AppOnPhone, person: String = "ada") async throws {
    let shared = app.shared
    let host = ExtensionHost(clock: app.clock) {
      TestService { _ in
        var receiver = shared.receiver
        receiver.observers = shared.observers
        return receiver
      }
    }
    let pushes = try app.backend.seal(RemoteNotification(body: "Lunch?"), for: person, messageID: id)
    for (token, push) in pushes where token == app.token {
      #expect(try await host.deliver(push.payload).body == "Lunch?")
    }
  }

  private func notes(of app: AppOnPhone) throws -> [MessageID] {
    try app.shared.receiptNotes.messages(at: app.clock.now)
  }

  @Test("say what its extension has opened, once the app reports it")
  func reported() async throws {
    let app = try await app()
    try await deliver(first, to: app)
    try await deliver(second, to: app)
    #expect(app.backend.shown(on: app.token).isEmpty)
    #expect(try await app.registration.sendReceipt() == 2)
    #expect(app.backend.shown(on: app.token) == [first, second])
    #expect(app.backend.requests.last?.path == "/v1/receipts")
  }

  @Test("are sent again within five minutes, when the backend may not have known the message, and not later")
  func again() async throws {
    let app = try await app()
    try await deliver(first, to: app)
    #expect(try await app.registration.sendReceipt() == 1)
    app.clock.advance(by: ReceiptNotes.settlingTime)
    #expect(try await app.registration.sendReceipt() == 1)
    let before = app.backend.requests.count
    #expect(try await app.registration.sendReceipt() == 0)
    #expect(app.backend.requests.count == before)
  }

  @Test("are not there unless the app wants them: nothing is noted, and nothing is sent")
  func off() async throws {
    let app = try await app(wantsReceipts: false)
    try await deliver(first, to: app)
    #expect(app.folder.bytes(of: "notes/opened.json") == nil)
    let before = app.backend.requests.count
    #expect(try await app.registration.sendReceipt() == 0)
    #expect(app.backend.requests.count == before)
  }

  @Test("are forgotten when a new version of the app wants them no more", arguments: [true, false])
  func switchedOff(byLaunch: Bool) async throws {
    var app = try await app()
    try await deliver(first, to: app)
    try #require(try notes(of: app) == [first])
    app.wantsReceipts = false
    if byLaunch {
      await app.start(as: "ada")
    } else {
      #expect(try app.shared.receipt(signedBy: app.keychain) == nil)
    }
    #expect(try notes(of: app).isEmpty)
    #expect(app.backend.shown(on: app.token).isEmpty)
  }

  @Test("are in no enrolment: it has no ID of a message")
  func enrolments() async throws {
    var app = try await app()
    try await deliver(first, to: app)
    try #require(try notes(of: app) == [first])
    let before = app.backend.requests.count
    await app.start(as: "ada")
    let bodies = app.backend.requests[before...].filter { $0.path == "/v1/enrolments" }.map(\.body)
    #expect(!bodies.isEmpty)
    for body in bodies {
      let enrolment = try #require(try JSONObject(parsing: body.span)["enrolment"]?.object)
      let keys = try #require(enrolment["keys"]?.string)
      let claims = try Base64URL.decode(String(keys.split(separator: ".")[1]))
      let text = String(decoding: body + claims, as: UTF8.self)
      // It says how many, and not which.
      #expect(text.contains(#""opened":1"#) && !text.contains(first.text))
      #expect(!text.contains(Base64URL.encode(first.bytes.span)))
      let members = Set(try JSONObject(parsing: claims.span).map(\.key))
      #expect(
        members == [
          "v", "topic", "serial", "iat", "environment", "token", "audience", "senders", "counts", "keys",
        ])
    }
  }

  @Test("stay on the phone while the backend cannot be reached, refuses them, or takes none")
  func unreachable() async throws {
    let app = try await app()
    try await deliver(first, to: app)
    app.clock.advance(by: ReceiptNotes.settlingTime)
    app.backend.isReachable = false
    await #expect(throws: RegistrationFailure.self) { try await app.registration.sendReceipt() }
    app.backend.isReachable = true
    app.backend.takesReceipts = false
    await #expect(throws: RegistrationFailure.notFound) { try await app.registration.sendReceipt() }
    #expect(try notes(of: app) == [first])
    #expect(await app.registration.state.standing == .registered)
    app.backend.takesReceipts = true
    #expect(try await app.registration.sendReceipt() == 1)
    #expect(try notes(of: app).isEmpty)
  }

  @Test("of a person who signs out are forgotten, and so are those of one of several")
  func signedOut() async throws {
    let app = try await app()
    try await app.logIn("bob", joining: true)
    try await deliver(first, to: app, person: "bob")
    try #require(try notes(of: app) == [first])
    await app.registration.signOut("bob")
    #expect(try notes(of: app).isEmpty)
    try await deliver(second, to: app)
    try #require(try notes(of: app) == [second])
    await app.registration.signOut()
    #expect(try notes(of: app).isEmpty)
    #expect(try await app.registration.sendReceipt() == 0)
    #expect(app.backend.requests.allSatisfy { $0.path != "/v1/receipts" })
  }

  @Test("are not sent by a phone that is not registered")
  func unregistered() async throws {
    let app = try await app()
    try await deliver(first, to: app)
    try FileManager.default.removeItem(atPath: app.folder.path(of: "registration.json"))
    #expect(try await app.registration.sendReceipt() == 0)
    #expect(app.backend.requests.allSatisfy { $0.path != "/v1/receipts" })
  }
}
