public import PushStore

/// What apps ask of a backend: the requests of `Documentation/enrolment-service.openapi.yaml`.
///
/// Have your framework pass what is below a path of yours, such as `/push`, and who is logged in:
///
/// ```swift
/// let response = await backend.routes.answer(request, of: session.login)
/// ```
public struct EnrolmentRoutes: Sendable {
  private let topic: Topic
  private let audience: Audience
  private let store: any Store
  private let senders: SenderKeyFile

  /// How long a request waits for a worker's answer.
  private static let patience = Duration.seconds(3)

  init(topic: Topic, audience: Audience, store: any Store, senders: SenderKeyFile) {
    (self.topic, self.audience, self.store, self.senders) = (topic, audience, store, senders)
  }

  /// Answers a request.
  ///
  /// `login` is the session's, as your own login made it; nil if nobody is logged in.
  public func answer(_ request: Request, of login: Login?) async -> Response {
    do {
      guard let login else { throw Refusal.unauthorized }
      // A page in a browser or in an app's web view has an origin, and cannot set a header of ours.
      guard request.headers["origin"] == nil else { throw Refusal.forbidden }
      switch (request.method, request.path) {
      case ("POST", "/v1/challenges"): return try await challenge(body(of: request), for: login)
      case ("POST", "/v1/enrolments"): return try await enrol(body(of: request), for: login)
      case ("POST", "/v1/sign-out"): return try await signOut(body(of: request), for: login)
      case ("GET", "/v1/senders/\(topic.text)"):
        return try published(unless: request.headers["if-none-match"])
      case ("GET", let path) where path.hasPrefix("/v1/enrolments/"):
        return try await answer(to: Int64(path.dropFirst(15)), for: login)
      default: throw Refusal.notFound
      }
    } catch let refusal as Refusal {
      return refusal.response
    } catch {
      // For the log: the store cannot be used for now, or the file of the senders.
      return Refusal.unavailable.response
    }
  }

  // MARK: Requests

  private func challenge(_ body: JSONObject, for login: Login) async throws -> Response {
    guard let mode = body["mode"]?.string.flatMap(ChallengePurpose.Mode.init) else {
      throw Refusal.badRequest("mode")
    }
    guard let topic = body["topic"]?.string else { throw Refusal.badRequest("topic") }
    guard topic == self.topic.text else { throw Refusal.notFound }
    let name: String
    if body["registration"] != nil {
      name = try registration(in: body)
      // Who joins names a device that others have; only that device can sign the enrolment.
      let isKnown =
        mode == .join ? try await store.registration(named: name) != nil : try await isOwn(name, of: login)
      guard isKnown else { throw Refusal.notFound }
    } else {
      // Nobody can guess it, so it is nobody else's.
      name = Challenge.random().text
    }
    let purpose = try ChallengePurpose(login: login, topic: self.topic, registration: name, mode: mode)
    switch try await store.issueChallenge(for: purpose) {
    case .failure(let error): throw Refusal.tooMany(seconds: Int(error.retryAfter.components.seconds))
    case .success(let challenge):
      return Response([
        "challenge": .string(challenge.text), "registration": .string(name),
        "seconds": JSONValue(IssuedChallenge.lifetime.components.seconds),
      ])
    }
  }

  private func enrol(_ body: JSONObject, for login: Login) async throws -> Response {
    let name = try registration(in: body)
    guard let json = body["enrolment"]?.object?.encoded() else { throw Refusal.badRequest("enrolment") }
    let enrolment: Enrolment
    // What the worker would refuse does not get into the store.
    do throws(SignedSetError) {
      enrolment = try Enrolment(parsing: json.span, for: topic, audience: audience)
    } catch {
      return Response(["answer": "refused", "reason": .string(error.code)])
    }
    let mode = try await mode(of: enrolment, for: name, login)
    let challenge = mode == nil ? nil : enrolment.challenge
    let isOwn = try await isOwn(name, of: login)
    guard isOwn || challenge != nil else { throw Refusal.notFound }
    // The worker spends the challenge when it accepts the enrolment.
    let id = try await store.handIn(
      EnrolmentRequest(
        name: name, person: login.person, body: json, mayBeNew: challenge != nil, challenge: challenge,
        mode: mode ?? .replace))
    return try await answer(to: id, for: login)
  }

  /// The answer to an enrolment, or 202 if there is none in time.
  private func answer(to id: Int64?, for login: Login) async throws -> Response {
    guard let id else { throw Refusal.notFound }
    let end = ContinuousClock.now + Self.patience
    var body: JSONObject = ["id": .string("\(id)")]
    repeat {
      guard let found = try await store.handedIn([id]).first, isSame(found.person, login.person)
      else { throw Refusal.notFound }
      body["account"] = found.account.map { .string($0.text) }
      switch found.answer {
      case .taken(let change): body["answer"] = .string(change.rawValue)
      case .pending: body["answer"] = "pending"
      case .refused(let reason): (body["answer"], body["reason"]) = ("refused", .string(reason))
      case .removed: body["answer"] = "removed"
      case nil:
        try await Task.sleep(for: .milliseconds(20))
        continue
      }
      return Response(body)
    } while ContinuousClock.now < end
    return Response(body, status: 202, headers: ["retry-after": "1"])
  }

  private func signOut(_ body: JSONObject, for login: Login) async throws -> Response {
    let name = try registration(in: body)
    guard try await isOwn(name, of: login) else { throw Refusal.notFound }
    try await store.remove(.person(login.person, registration: name))
    return Response(["removed": .string(name)])
  }

  private func published(unless tags: String?) throws -> Response {
    guard let set = try senders.load() else { throw Refusal.notFound }
    let tag = "\"\(set.version.digest)\""
    let headers = ["content-type": "application/jose", "cache-control": "no-cache", "etag": tag]
    let isKnown = tags?.contains(tag) ?? false
    return Response(status: isKnown ? 304 : 200, headers: headers, body: isKnown ? [] : Array(set.text.utf8))
  }

  // MARK: What is whose

  /// Whether there is a registration of this name, and it is the person's.
  private func isOwn(_ name: String, of login: Login) async throws -> Bool {
    try await store.registration(named: name)?.registration.isOf(login.person) ?? false
  }

  /// Names are compared byte by byte.
  private func isSame(_ one: String?, _ other: String) -> Bool {
    one?.utf8.elementsEqual(other.utf8) ?? false
  }

  /// What the enrolment's challenge is for, if it was issued to this login for this registration.
  private func mode(
    of enrolment: Enrolment, for name: String, _ login: Login
  ) async throws -> ChallengePurpose.Mode? {
    guard let challenge = enrolment.challenge, let purpose = try await store.issued(challenge)?.purpose,
      purpose.login == login, purpose.topic == topic, purpose.registration == name
    else { return nil }
    return purpose.mode
  }

  // MARK: Bodies

  private func body(of request: Request) throws -> JSONObject {
    guard request.headers["sealedpush-request"] == "1" else { throw Refusal.forbidden }
    guard request.headers["content-type"]?.hasPrefix("application/json") == true else {
      throw Refusal.notJSON
    }
    guard let object = try? JSONObject(parsing: request.body.span) else {
      throw Refusal.badRequest("the body is no strict JSON object")
    }
    return object
  }

  private func registration(in body: JSONObject) throws -> String {
    guard let name = body["registration"]?.string, !name.isEmpty else {
      throw Refusal.badRequest("registration")
    }
    return name
  }
}
