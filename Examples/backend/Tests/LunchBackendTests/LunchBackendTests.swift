import Foundation
import LunchBackend
import PushDelivery
import PushStandIn
import PushStore
import PushTesting
import Testing

/// The backend against a stand-in for APNs, with phones that run the real extension.
@Suite(.timeLimit(.minutes(10))) struct LunchBackendTests {
  private let topic: Topic
  private let audience: Audience
  private let senders = KeySet(generating: .sender, at: .now)
  private let clock = ManualClock(.now)
  private let store: MemoryStore
  private let published: SenderKeySet
  private let apns: APNsStandIn
  private let backend: LunchBackend
  private let ada: App

  init() async throws {
    (topic, audience) = (try Topic("com.example.app"), try Audience("https://push.example.com"))
    store = MemoryStore(clock: clock)
    let team = ProviderKey.generate()
    var settings = APNsSettings()
    settings.providerKeys = [team.key]
    apns = try await APNsStandIn.start(settings: settings)
    var configuration = APNsConfiguration()
    configuration.servers[.sandbox] = .init(host: "localhost", port: apns.port, address: "127.0.0.1")
    configuration.additionalRoot = apns.root
    configuration.retries.firstDelay = .milliseconds(1)
    configuration.retries.maximumAttempts = 3
    let client = try APNsClient(
      token: ProviderToken(p8: team.p8, keyID: team.key.keyID, teamID: team.key.teamID),
      configuration: configuration)
    let root = KeySet(generating: .root, at: .now)
    var office = KeySetEditor(root)
    published = try office.signSenders(senders.publicKeys, for: topic, at: .now)
    let folder = FileManager.default.temporaryDirectory.appending(path: "lunch-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = SenderKeyFile(
      path: "\(folder.path)/senders.jws", roots: try root.publicKeys, topic: topic, shipped: published)
    backend = try LunchBackend(
      topic: topic, audience: audience, store: store, senders: senders, published: file, apns: client)
    ada = try Self.app("ada", on: apns, senders: senders, backend: backend, audience: audience)
  }

  /// The app on a new phone, where a person is logged in.
  private static func app(
    _ person: String, on apns: APNsStandIn, senders: KeySet, backend: LunchBackend, audience: Audience
  ) throws -> App {
    let (topic, keys) = (try Topic("com.example.app"), InMemoryKeyStore())
    let address = DeviceAddress(topic: topic, environment: .sandbox, token: .random())
    let trusted = try senders.publicKeys
    return App(
      phone: apns.phone(name: "\(person)'s", address: address, keys: keys, senders: trusted), keys: keys,
      receiver: Receiver(topic: topic, keys: keys, senders: trusted, replay: InMemoryReplayStore()),
      backend: backend, audience: audience, login: try Login(person: person, id: person, beganAt: .now))
  }

  private func app(_ person: String, isInstalled: Bool = true) throws -> App {
    var app = try Self.app(person, on: apns, senders: senders, backend: backend, audience: audience)
    // A token that APNs has never given.
    if !isInstalled { app.token = .random() }
    return app
  }

  private func whileItRuns(_ work: () async throws -> Void) async throws {
    try await backend.whileItRuns(work)
  }

  private func wait(for condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test("the phone shows what the backend tells its person, until she signs out")
  func story() async throws {
    try await whileItRuns {
      #expect(try await !backend.tell("ada", "At noon?"))
      let name = try await ada.register()
      #expect(try await backend.tell("ada", "At noon?"))
      let shown = try await ada.phone.shown
      #expect(shown.title == "Lunch" && shown.body == "At noon?" && shown.degraded == nil)
      #expect(!apns.pushes.contains { String(decoding: $0.payload, as: UTF8.self).contains("noon") })
      #expect(try await ada.launch(as: name)["answer"] == "updated")

      #expect(try await ada.signOut(of: name)["removed"] == name)
      #expect(try await !backend.tell("ada", "At one?"))
      #expect(try await ada.signOut(of: name).status == 404)
      #expect(try await ada.launch(as: name).status == 404)
    }
  }

  @Test("a phone that was removed enrols again after a later login, and not with an earlier one")
  func again() async throws {
    try await whileItRuns {
      _ = try await ada.signOut(of: ada.register())
      #expect(try await ada.start().answer["answer"] == "refused")
      // A person is asked for a token once an hour.
      clock.advance(by: .seconds(3601))
      let later = try ada.signedIn(as: "ada", login: "2", at: clock.now)
      let (name, answer) = try await later.start()
      try #require(answer["answer"] == "pending")
      #expect(try await later.prove(as: name)["answer"] == "registered")
    }
  }

  @Test("nothing is sent to a device that has not proven its key")
  func pending() async throws {
    try await whileItRuns {
      let (_, answer) = try await ada.start()
      #expect(answer["answer"] == "pending")
      #expect(try await !backend.tell("ada", "At noon?"))
    }
  }

  @Test("an app has its answer while APNs says nothing")
  func silence() async throws {
    apns.inject(.transport(.stall), to: .next(1))
    try await whileItRuns {
      let (_, answer) = try await ada.start()
      #expect(answer["answer"] == "pending")
      apns.clearFaults()
      await apns.closeConnections()
    }
  }

  @Test("an answer that takes long can be asked for, by its person alone")
  func later() async throws {
    let (_, waiting) = try await ada.start()
    let id = try #require(waiting["id"])
    #expect(waiting.status == 202 && waiting["answer"] == nil)
    try await whileItRuns {
      let answer = try await ada.get("/v1/enrolments/\(id)")
      #expect(answer["answer"] == "pending")
      #expect(try await app("eve").get("/v1/enrolments/\(id)").status == 404)
    }
  }

  @Test("somebody else's registration looks as if it were not there")
  func others() async throws {
    try await whileItRuns {
      let (name, eve) = (try await ada.register(), try app("eve"))
      let none: JSONObject = ["registration": "none"]
      let hers: JSONObject = ["registration": .string(name)]
      for answers in try await [
        [eve.signOut(of: name), eve.signOut(of: "none")], [eve.launch(as: name), eve.launch(as: "none")],
        [eve.challenge(hers), eve.challenge(none)],
      ] {
        #expect(answers.allSatisfy { $0.status == 404 && $0.object == ["error": "not-found"] })
      }
      #expect(try await backend.tell("ada", "At noon?"))
    }
  }

  @Test("a challenge is for one login and one registration")
  func challenges() async throws {
    let issued = try await ada.challenge()
    let (name, challenge) = (try #require(issued["registration"]), try #require(issued["challenge"]))
    let enrolment = try ada.keys.enrol(
      address: ada.phone.address, for: audience, challenge: Challenge(challenge))
    let other = try #require(try await ada.challenge()["registration"])
    #expect(try await ada.enrol(enrolment, as: other).status == 404)
    #expect(try await ada.signedIn(as: "ada", login: "2").enrol(enrolment, as: name).status == 404)
    #expect(try await ada.signedIn(as: "eve").enrol(enrolment, as: name).status == 404)
    for _ in 0..<8 { #expect(try await ada.challenge().status == 200) }
    #expect(try await ada.challenge().status == 429)
  }

  @Test("another person who signs in on the phone gets what it gets from now on")
  func anotherPerson() async throws {
    try await whileItRuns {
      _ = try await ada.register()
      let bob = try ada.signedIn(as: "bob")
      #expect(try await bob.start().answer["answer"] == "registered")
      #expect(try await !backend.tell("ada", "At noon?"))
      #expect(try await backend.tell("bob", "At one?"))
      #expect(try await ada.phone.shown.body == "At one?")
    }
  }

  @Test("junk enrolments, whose tokens APNs refuses, stop no message")
  func junk() async throws {
    try await whileItRuns {
      _ = try await ada.register()
      let before = apns.requestCount
      for person in 0..<12 {
        for _ in 0..<10 {
          let junk = try app("junk \(person)", isInstalled: false)
          #expect(try await junk.start().answer["answer"] == "pending")
        }
      }
      // APNs refuses each request: BadDeviceToken.
      try await wait { apns.requestCount >= before + 120 }
      #expect(try await backend.tell("ada", "At noon?"))
      #expect(try await ada.phone.shown.body == "At noon?")
    }
  }

  @Test("what is no enrolment is refused, and does not get into the store")
  func malformed() async throws {
    let name = try #require(try await ada.challenge()["registration"])
    let refused = try await ada.post(
      "/v1/enrolments", ["registration": .string(name), "enrolment": ["v": 2]])
    #expect(refused["answer"] == "refused" && refused["reason"] == "unsupported-version")
    let other = try ada.keys.enrol(address: ada.phone.address, for: Audience("https://push.example.org"))
    #expect(try await ada.enrol(other, as: name)["reason"] == "other-audience")
    #expect(await store.waitingEnrolments().count == 0)
  }

  @Test("a web page and a stranger change nothing")
  func pages() async throws {
    let body = JSONObject(dictionaryLiteral: ("topic", "com.example.app"), ("mode", "replace"))
    func status(_ headers: [String: String]) async throws -> Int {
      try await ada.post("/v1/challenges", body, headers: headers).status
    }
    #expect(try await status(App.own) == 200)
    #expect(try await status(App.own.merging(["origin": "null"]) { $1 }) == 403)
    #expect(try await status(["content-type": "application/json"]) == 403)
    #expect(try await status(["sealedpush-request": "1", "content-type": "text/plain"]) == 415)
    let request = Request("POST", path: "/v1/challenges", headers: App.own, body: body.encoded())
    #expect(await backend.routes.answer(request, of: nil).status == 401)
    #expect(try await ada.post("/v1/challenges", ["mode": "replace"]).status == 400)
    #expect(try await ada.get("/v1/other").status == 404)
  }

  @Test("apps get the signed set of senders, once")
  func senderSet() async throws {
    var request = Request("GET", path: "/v1/senders/com.example.app")
    let first = await backend.routes.answer(request, of: ada.login)
    #expect(first.status == 200 && first.body == Array(published.text.utf8))
    request.headers["if-none-match"] = first.headers["etag"]
    let again = await backend.routes.answer(request, of: ada.login)
    #expect(again.status == 304 && again.body.isEmpty)
  }

  @Test("nothing is sent to a device whose app was deleted")
  func deleted() async throws {
    try await whileItRuns {
      _ = try await ada.register()
      ada.phone.deleteApp()
      #expect(try await backend.tell("ada", "At noon?"))
      try await wait { try await !backend.tell("ada", "At one?") }
    }
  }

  @Test("a push that APNs has no time for is sent again, and shown once")
  func busy() async throws {
    try await whileItRuns {
      _ = try await ada.register()
      apns.inject(.refusal(.tooManyRequests), to: .next(2))
      #expect(try await backend.tell("ada", "At noon?"))
      #expect(try await ada.phone.shown.body == "At noon?")
    }
  }
}
