internal import PushCore
internal import PushEnrolment

/// The app's own backend, as the app asks it: the requests of the enrolment service, `enrolment-service.openapi.yaml`.
///
/// On Apple's systems, `URLSessionEnrolmentService` is one. A test has another, which answers by itself.
public protocol EnrolmentService: Sendable {
  /// Sends a request with the session of `person`, and returns the answer, whatever its status is.
  ///
  /// A leave and a receipt have no person: they need no session. Give up after some seconds: calls of a ``PushRegistration`` wait for the
  /// answer. So do not wait here for a call of it.
  ///
  /// - Throws: Any error if there is no answer, for example without a connection.
  func send(_ request: ServiceRequest, as person: String?) async throws -> ServiceResponse
}

/// A request to the enrolment service.
public struct ServiceRequest: Equatable, Sendable {
  /// `GET` or `POST`.
  public let method: String

  /// The path below the service's address, such as `/v1/challenges`.
  public let path: String

  /// The headers to set.
  public let headers: [String: String]

  /// The body; empty if there is none.
  public let body: [UInt8]

  init(get path: String) { (method, self.path, headers, body) = ("GET", path, [:], []) }

  init(post body: [UInt8], to path: String) {
    (method, self.path, self.body) = ("POST", path, body)
    // A web page of another site cannot send the second one.
    headers = ["Content-Type": "application/json", "SealedPush-Request": "1"]
  }
}

/// An answer of the enrolment service.
public struct ServiceResponse: Sendable {
  /// The status.
  public let status: Int

  /// The body, of which at most ``maximumBody`` bytes are read.
  public let body: [UInt8]

  /// The most bytes of a body: 128 KiB, more than a signed set of senders can have.
  public static let maximumBody = 128 << 10

  /// Takes the parts.
  public init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }
}

/// What became of an enrolment: members that are not known here are ignored.
struct EnrolmentReply {
  /// The answer's word, such as `registered`; nil while no worker has answered.
  let answer: String?
  /// Why the enrolment is refused.
  let reason: String?
  /// The enrolment, to ask again.
  let id: String?
  /// The tag of the person's account on this phone.
  let account: AccountTag?
}

/// Asks an enrolment service for what a phone needs.
struct ServiceClient: Sendable {
  let service: any EnrolmentService

  /// A challenge for one enrolment, and the backend's name for this phone.
  struct Issued {
    let challenge, registration: String
  }

  /// Asks for a challenge: for a new registration, or for one that the phone has.
  ///
  /// - Throws: ``RegistrationFailure``.
  func challenge(
    for topic: Topic, registration: String?, joining isJoining: Bool, as person: String
  ) async throws(RegistrationFailure) -> Issued {
    var body: JSONObject = ["topic": .string(topic.text), "mode": isJoining ? "join" : "replace"]
    body["registration"] = registration.map { .string($0) }
    let object = try await ask(ServiceRequest(post: body.encoded(), to: "/v1/challenges"), as: person)
    guard let challenge = object["challenge"]?.string, let name = object["registration"]?.string,
      Registration.isName(name)
    else { throw .malformedAnswer }
    return Issued(challenge: challenge, registration: name)
  }

  /// Hands an enrolment in.
  ///
  /// - Throws: ``RegistrationFailure``.
  func handIn(
    _ enrolment: [UInt8], as registration: String, of person: String
  ) async throws(RegistrationFailure) -> EnrolmentReply {
    guard let enrolment = try? JSONObject(parsing: enrolment.span) else { throw .malformedAnswer }
    let body: JSONObject = ["registration": .string(registration), "enrolment": .object(enrolment)]
    return reply(in: try await ask(ServiceRequest(post: body.encoded(), to: "/v1/enrolments"), as: person))
  }

  /// Asks again for the answer to an enrolment.
  ///
  /// - Throws: ``RegistrationFailure``.
  func answer(to id: String, for person: String) async throws(RegistrationFailure) -> EnrolmentReply {
    // It becomes a part of a path.
    guard !id.isEmpty, id.utf8.count <= 19, id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .malformedAnswer
    }
    return reply(in: try await ask(ServiceRequest(get: "/v1/enrolments/\(id)"), as: person))
  }

  /// Has the backend remove a person from this phone, or the phone with its last person.
  ///
  /// - Throws: ``RegistrationFailure``.
  func signOut(of registration: String, as person: String) async throws(RegistrationFailure) {
    let body: JSONObject = ["registration": .string(registration)]
    _ = try await ask(ServiceRequest(post: body.encoded(), to: "/v1/sign-out"), as: person)
  }

  /// Sends a signed leave, and returns whether the backend is done with it.
  ///
  /// - Throws: ``RegistrationFailure``.
  func send(leave: [UInt8]) async throws(RegistrationFailure) -> Bool {
    let object = try await ask(ServiceRequest(post: leave, to: "/v1/leave"), as: nil)
    // One that is refused is refused again.
    return ["removed", "refused"].contains(object["answer"]?.string)
  }

  /// Hands in the tokens that the phone has besides its device token.
  ///
  /// - Throws: ``RegistrationFailure``.
  func send(tokens: [UInt8], as person: String) async throws(RegistrationFailure) {
    let object = try await ask(ServiceRequest(post: tokens, to: "/v1/tokens"), as: person)
    switch object["answer"]?.string {
    case "updated": return
    case "refused": throw .refused(reason: object["reason"]?.string ?? "no reason")
    default: throw .malformedAnswer
    }
  }

  /// Sends a signed receipt.
  ///
  /// - Throws: ``RegistrationFailure``.
  func send(receipt: [UInt8]) async throws(RegistrationFailure) {
    let object = try await ask(ServiceRequest(post: receipt, to: "/v1/receipts"), as: nil)
    switch object["answer"]?.string {
    case "taken": return
    case "refused": throw .refused(reason: object["reason"]?.string ?? "no reason")
    default: throw .malformedAnswer
    }
  }

  /// The newest signed set of senders.
  ///
  /// - Throws: ``RegistrationFailure``.
  func senders(of topic: Topic, as person: String) async throws(RegistrationFailure) -> [UInt8] {
    try await send(ServiceRequest(get: "/v1/senders/\(topic.text)"), as: person)
  }

  private func reply(in object: JSONObject) -> EnrolmentReply {
    EnrolmentReply(
      answer: object["answer"]?.string, reason: object["reason"]?.string, id: object["id"]?.string,
      account: object["account"]?.string.flatMap { try? AccountTag($0) })
  }

  private func ask(
    _ request: ServiceRequest, as person: String?
  ) async throws(RegistrationFailure) -> JSONObject {
    let body = try await send(request, as: person)
    guard let object = try? JSONObject(parsing: body.span) else { throw .malformedAnswer }
    return object
  }

  private func send(
    _ request: ServiceRequest, as person: String?
  ) async throws(RegistrationFailure) -> [UInt8] {
    let response: ServiceResponse
    do {
      response = try await service.send(request, as: person)
    } catch {
      throw .unreachable("\(error)")
    }
    switch response.status {
    case 200, 202:
      guard response.body.count <= ServiceResponse.maximumBody else { throw .malformedAnswer }
      return response.body
    case 401: throw .loginNeeded
    case 404: throw .notFound
    case 429:
      let seconds = (try? JSONObject(parsing: response.body.span))?["seconds"]?.number?.integer
      throw .tooMany(retryAfter: .seconds(min(max(1, seconds ?? 3600), 3600)))
    case let status: throw .status(status)
    }
  }
}
