internal import PushCommands
internal import PushCore
internal import PushEnrolment
internal import PushNetwork
internal import PushStore

/// What a service does for apps, whose proxy says who is logged in.
struct EnrolmentService: Sendable {
  /// The most bytes of a request's body: 32 KiB.
  static let maximumBody = 32 << 10

  /// The header that only a program sets, never a web page.
  private static let ownHeader = "sealedpush-request"

  /// How long a request waits for a worker's answer.
  private static let patience = Duration.seconds(3)

  private let store: any Store
  private let apps: ServiceApps
  private let audience: Audience?
  private let secrets: ServiceSecrets
  private let identity: ServiceIdentity
  private let answers: AnswerWatch
  private let log: WorkLog

  init(
    store: any Store, apps: ServiceApps, audience: Audience?, secrets: ServiceSecrets,
    identity: ServiceIdentity, log: WorkLog
  ) {
    self.store = store
    self.apps = apps
    self.audience = audience
    self.secrets = secrets
    self.identity = identity
    self.log = log
    answers = AnswerWatch(store: store)
  }

  /// A path, and what it takes.
  private enum Route {
    case health, challenges, enrolments, signOut, leave, receipts, tokens
    case enrolment(Int64)
    case senders(Topic)

    init?(path: String) {
      switch path {
      case "/v1/health": self = .health
      case "/v1/challenges": self = .challenges
      case "/v1/enrolments": self = .enrolments
      case "/v1/sign-out": self = .signOut
      case "/v1/leave": self = .leave
      case "/v1/tokens": self = .tokens
      case "/v1/receipts": self = .receipts
      default:
        if let id = path.rest(after: "/v1/enrolments/")?.rowNumber {
          self = .enrolment(id)
        } else if let topic = path.rest(after: "/v1/senders/").flatMap({ try? Topic($0) }) {
          self = .senders(topic)
        } else {
          return nil
        }
      }
    }

    var method: String {
      switch self {
      case .challenges, .enrolments, .signOut, .leave, .receipts, .tokens: "POST"
      case .health, .enrolment, .senders: "GET"
      }
    }
  }

  /// Answers a request.
  func answer(to request: PlainRequest) async -> PlainAnswer {
    do {
      return try await checkedAnswer(to: request)
    } catch let refusal as ServiceRefusal {
      return PlainAnswer(refusal)
    } catch let error as SignedSetError {
      return PlainAnswer(refusedFor: error.code)
    } catch {
      if let error = error as? StoreError { log.note("store-failed", reason: error.description) }
      return PlainAnswer(ServiceRefusal.unavailable)
    }
  }

  private func checkedAnswer(to request: PlainRequest) async throws -> PlainAnswer {
    guard secrets.accept(request) else {
      log.note("unauthorized", reason: "the secret is missing or wrong")
      throw ServiceRefusal.unauthorized
    }
    // A page in an app's web view, or in a browser: no app sends this header.
    guard request.headers["origin"] == nil else { throw ServiceRefusal.forbidden }
    guard let route = Route(path: request.path) else { throw ServiceRefusal.notFound }
    guard request.method == route.method else {
      throw ServiceRefusal.wrongMethod(allowed: route.method)
    }
    switch route {
    case .health: return try await health()
    case .senders(let topic): return try set(of: topic, unless: request.headers["if-none-match"])
    case .enrolment(let id): return try await enrolment(id, for: login(of: request))
    case .challenges: return try await challenge(Body(of: request), for: login(of: request))
    case .enrolments: return try await enrol(Body(of: request), for: login(of: request))
    case .signOut: return try await signOut(Body(of: request), for: login(of: request))
    case .leave: return try await leave(Body(of: request))
    case .receipts: return try await take(receipt: Body(of: request))
    case .tokens:
      _ = try login(of: request)
      return try await take(tokens: Body(of: request))
    }
  }

  private func login(of request: PlainRequest) throws(ServiceRefusal) -> Login {
    guard let login = identity.login(of: request, at: .now) else {
      log.note("unauthorized", reason: "a header of the login is missing, empty, repeated, joined or wrong")
      throw .unauthorized
    }
    return login
  }

  // MARK: Requests

  private func health() async throws -> PlainAnswer {
    let waiting = try await store.waitingEnrolments()
    var object: JSONObject = ["status": "ok", "waiting": .number(JSONNumber(waiting.count))]
    object["oldest"] = waiting.oldest.map { .number(JSONNumber($0.components.seconds)) }
    return PlainAnswer(object)
  }

  private func set(of topic: Topic, unless tags: String?) throws(ServiceRefusal) -> PlainAnswer {
    guard let set = apps.served(for: topic) else { throw .notFound }
    let known = (tags ?? "").split(separator: ",").map { $0.filter { $0 != " " }.withoutWeakness }
    let isKnown = known.contains(set.tag) || known.contains("*")
    return PlainAnswer(
      status: isKnown ? "304 Not Modified" : "200 OK", type: "application/jose",
      headers: [("ETag", set.tag)], body: isKnown ? .none : .bytes(set.text), cache: "no-cache")
  }

  private func challenge(_ body: Body, for login: Login) async throws -> PlainAnswer {
    let mode = try body.mode()
    let topic = try body.topic()
    let known = try body.registration(isRequired: false)
    guard apps.contains(topic) else { throw ServiceRefusal.notFound }
    if let known {
      // Who joins names somebody else's device; only that device can sign the enrolment.
      let registration =
        mode == .join
        ? try await store.registration(named: known)?.registration : try await own(known, of: login)
      guard registration?.enrolment.address.topic == topic else { throw ServiceRefusal.notFound }
    }
    // A name that nobody can guess, so that it is nobody's yet.
    let name = known ?? Challenge.random().text
    guard let purpose = try? ChallengePurpose(login: login, topic: topic, registration: name, mode: mode)
    else {
      throw ServiceRefusal.badRequest("registration")
    }
    switch try await store.issueChallenge(for: purpose) {
    case .failure(let error): throw ServiceRefusal.tooMany(retryAfter: error.retryAfter)
    case .success(let challenge):
      return PlainAnswer([
        "challenge": .string(challenge.text), "registration": .string(name),
        "seconds": .number(JSONNumber(IssuedChallenge.lifetime.components.seconds)),
      ])
    }
  }

  private func enrol(_ body: Body, for login: Login) async throws -> PlainAnswer {
    guard let name = try body.registration(isRequired: true) else {
      throw ServiceRefusal.badRequest("registration")
    }
    let bytes = try body.enrolment()
    // What no worker would accept does not get into the store.
    let enrolment = try Enrolment(verifying: bytes.span)
    try check(enrolment.address.topic)
    let isOwn = try await own(name, of: login) != nil
    let mode = try await mode(of: enrolment, for: name, of: login)
    let challenge = mode == nil ? nil : enrolment.challenge
    guard isOwn || challenge != nil else { throw ServiceRefusal.notFound }
    // The challenge stays in the book: whoever accepts the enrolment spends it.
    let id = try await store.handIn(
      EnrolmentRequest(
        name: name, person: login.person, body: bytes, mayBeNew: challenge != nil, challenge: challenge,
        mode: mode ?? .replace))
    return PlainAnswer(to: id, await answers.answered(id, within: Self.patience))
  }

  private func enrolment(_ id: Int64, for login: Login) async throws -> PlainAnswer {
    guard let enrolment = try await store.handedIn([id]).first,
      enrolment.person?.utf8.elementsEqual(login.person.utf8) == true
    else { throw ServiceRefusal.notFound }
    if enrolment.answer != nil { return PlainAnswer(to: id, enrolment) }
    return PlainAnswer(to: id, await answers.answered(id, within: Self.patience))
  }

  private func signOut(_ body: Body, for login: Login) async throws -> PlainAnswer {
    guard let name = try body.registration(isRequired: true) else {
      throw ServiceRefusal.badRequest("registration")
    }
    guard try await own(name, of: login) != nil else { throw ServiceRefusal.notFound }
    try await store.remove(.person(login.person, registration: name))
    return PlainAnswer(["removed": .string(name)])
  }

  /// Removes a device that has signed that it leaves.
  ///
  /// The device has no login any more. Whoever hands the leave in does not learn whether anything was removed, and nothing is
  /// kept of a device that the store does not know.
  private func leave(_ body: Body) async throws -> PlainAnswer {
    guard let audience else { throw ServiceRefusal.notFound }
    let bytes = body.whole
    let leave = try Leave(parsing: bytes.span, audience: audience)
    try check(leave.topic)
    _ = try await store.leave(leave)
    return PlainAnswer(["answer": .string(EnrolmentAnswer.removed.columns.answer)])
  }

  /// Takes a device's other tokens; the registration has the identity that signed them, whoever is logged in.
  private func take(tokens body: Body) async throws -> PlainAnswer {
    guard let audience else { throw ServiceRefusal.notFound }
    let bytes = body.whole
    let tokens = try DeviceTokens(parsing: bytes.span, audience: audience)
    try check(tokens.topic)
    try await store.accept(tokens).get()
    return PlainAnswer(["answer": .string(EnrolmentAnswer.taken(.updated).columns.answer)])
  }

  /// Takes a device's signed receipt of what it has shown.
  ///
  /// Whoever hands it in does not learn which messages the store knows.
  private func take(receipt body: Body) async throws -> PlainAnswer {
    guard let audience else { throw ServiceRefusal.notFound }
    let bytes = body.whole
    let receipt = try Receipt(parsing: bytes.span, audience: audience)
    try check(receipt.topic)
    try await store.take(receipt)
    return PlainAnswer(["answer": "taken"])
  }

  private func check(_ topic: Topic) throws(SignedSetError) {
    guard apps.contains(topic) else { throw .otherTopic }
  }

  // MARK: What is whose

  /// The registration of this name if it is the person's; nil if it is somebody else's, and if there is none.
  private func own(_ name: String, of login: Login) async throws -> Registration? {
    guard let registration = try await store.registration(named: name)?.registration,
      registration.isOf(login.person)
    else { return nil }
    return registration
  }

  /// The mode of an enrolment's challenge; nil unless it was issued to this login for this registration.
  private func mode(
    of enrolment: Enrolment, for name: String, of login: Login
  ) async throws -> ChallengePurpose.Mode? {
    guard let challenge = enrolment.challenge, let purpose = try await store.issued(challenge)?.purpose,
      purpose.login == login, purpose.topic == enrolment.address.topic,
      purpose.registration.utf8.elementsEqual(name.utf8)
    else { return nil }
    return purpose.mode
  }

  /// A request's body: a JSON object.
  private struct Body {
    private let object: JSONObject

    init(of request: PlainRequest) throws(ServiceRefusal) {
      guard request.headers[ownHeader] == "1" else { throw .forbidden }
      let type = request.headers["content-type"]?.split(separator: ";").first?.lowercased()
      guard type?.filter({ $0 != " " }) == "application/json", !request.repeated.contains("content-type")
      else {
        throw .notJSON
      }
      guard let object = try? JSONObject(parsing: request.body.span) else {
        throw .badRequest("the body is no strict JSON object")
      }
      self.object = object
    }

    func topic() throws(ServiceRefusal) -> Topic {
      guard let topic = object["topic"]?.string.flatMap({ try? Topic($0) }) else {
        throw .badRequest("topic")
      }
      return topic
    }

    func mode() throws(ServiceRefusal) -> ChallengePurpose.Mode {
      guard let mode = object["mode"]?.string.flatMap(ChallengePurpose.Mode.init) else {
        throw .badRequest("mode")
      }
      return mode
    }

    func registration(isRequired: Bool) throws(ServiceRefusal) -> String? {
      guard let value = object["registration"] else {
        guard !isRequired else { throw .badRequest("registration") }
        return nil
      }
      guard let name = value.string, !name.isEmpty else { throw .badRequest("registration") }
      // There is none of a name that no registration can have.
      guard Registration.isName(name) else { throw .notFound }
      return name
    }

    /// The body itself.
    var whole: [UInt8] { object.encoded() }

    func enrolment() throws(ServiceRefusal) -> [UInt8] {
      guard let enrolment = object["enrolment"]?.object else { throw .badRequest("enrolment") }
      return enrolment.encoded()
    }
  }
}

extension PlainAnswer {
  /// The answer to what a device has signed, and is refused in itself.
  fileprivate init(refusedFor reason: String) { self.init(["answer": "refused", "reason": .string(reason)]) }
}

extension String {
  /// What follows a beginning; nil if it begins otherwise.
  fileprivate func rest(after beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }

  /// The number that it is in decimal digits; nil if it is none.
  fileprivate var rowNumber: Int64? {
    utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(self) : nil
  }
}

extension Substring {
  /// An entity tag without the mark of weak ones, which are compared alike.
  fileprivate var withoutWeakness: String { String(hasPrefix("W/") ? dropFirst(2) : self) }
}
