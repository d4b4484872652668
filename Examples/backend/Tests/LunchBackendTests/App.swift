import LunchBackend
import PushStandIn
import PushStore
import PushTesting
import Testing

/// An app on a phone, and its session with the backend.
struct App {
  let phone: StandInPhone
  let keys: InMemoryKeyStore
  let receiver: Receiver
  let backend: LunchBackend
  let audience: Audience
  var login: Login

  /// The token that it enrols; nil for the phone's.
  var token: DeviceToken?

  private var address: DeviceAddress {
    let real = phone.address
    return DeviceAddress(topic: real.topic, environment: real.environment, token: token ?? real.token)
  }

  /// The status of an answer, and its members.
  struct Answer {
    let status: Int
    let object: JSONObject

    subscript(_ name: String) -> String? { object[name]?.string }
  }

  static let own = ["sealedpush-request": "1", "content-type": "application/json; charset=utf-8"]

  /// The same app with another session.
  func signedIn(as person: String, login: String = "1", at time: UnixTime = .now) throws -> App {
    var app = self
    app.login = try Login(person: person, id: "\(person)'s \(login)", beganAt: time)
    return app
  }

  func post(
    _ path: String, _ body: JSONObject, headers: [String: String] = own
  ) async throws -> Answer {
    try await ask(Request("POST", path: path, headers: headers, body: body.encoded()))
  }

  func get(_ path: String) async throws -> Answer { try await ask(Request("GET", path: path)) }

  private func ask(_ request: Request) async throws -> Answer {
    let response = await backend.routes.answer(request, of: login)
    return Answer(status: response.status, object: try JSONObject(parsing: response.body.span))
  }

  func challenge(_ more: JSONObject = [:]) async throws -> Answer {
    var body: JSONObject = ["topic": .string(phone.address.topic.text), "mode": "replace"]
    for (name, value) in more { body[name] = value }
    return try await post("/v1/challenges", body)
  }

  func enrol(_ enrolment: Enrolment, as name: String) async throws -> Answer {
    let json = try JSONObject(parsing: enrolment.encoded().span)
    return try await post("/v1/enrolments", ["registration": .string(name), "enrolment": .object(json)])
  }

  /// Enrols without a challenge, as at each launch.
  func launch(as name: String) async throws -> Answer {
    try await enrol(try keys.enrol(address: address, for: audience), as: name)
  }

  func signOut(of name: String) async throws -> Answer {
    try await post("/v1/sign-out", ["registration": .string(name)])
  }

  /// Enrols with a challenge for a new registration, and returns its name and the answer.
  func start() async throws -> (name: String, answer: Answer) {
    let issued = try await challenge()
    let (name, text) = (try #require(issued["registration"]), try #require(issued["challenge"]))
    let enrolment = try keys.enrol(address: address, for: audience, challenge: Challenge(text))
    return (name, try await enrol(enrolment, as: name))
  }

  /// Answers the next proof request.
  func prove(as name: String) async throws -> Answer {
    let push = try await phone.backgroundPush
    let asked = try receiver.openProofRequest(EnvelopeField(data: JSONObject(parsing: push.span)))
    let answer = try keys.answer(
      asked.request, openedBy: asked.opened.recipient, address: address, for: audience)
    return try await enrol(try #require(answer).get(), as: name)
  }

  /// Does all that an app does when its user signs in, and returns the registration's name.
  func register() async throws -> String {
    let (name, first) = try await start()
    // Without it no request comes, for which the phone would wait.
    try #require(first.status == 200 && first["answer"] == "pending")
    #expect(try await prove(as: name)["answer"] == "registered")
    return name
  }
}

extension LunchBackend {
  /// Does something while the backend runs.
  func whileItRuns(_ work: () async throws -> Void) async throws {
    async let running: Void = run()
    do {
      try await work()
    } catch {
      stop()
      throw error
    }
    stop()
    try await running
  }
}
