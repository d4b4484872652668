private import Locks
public import PushCore
public import PushEnrolment
public import PushKeys
internal import PushSealer
public import SealedPush

/// A stand-in for an app's backend: the enrolment service, and the sealer of its messages, in memory.
///
/// A test gives it to a `PushRegistration`, logs persons in and out, and delivers the pushes that it makes:
///
///     let backend = EnrolmentStandIn(topic: topic, audience: audience, clock: clock)
///     backend.logIn("ada")
///     await registration.register(login: "ada")
///     await registration.receive(try backend.nextProofRequest(with: receiver))
///
/// It answers at once, and keeps the rules of `enrolment-service.openapi.yaml`.
public final class EnrolmentStandIn: EnrolmentService {
  /// Why a request gets no answer.
  public enum Failure: Error, Equatable, Sendable {
    /// A test has cut the connection.
    case unreachable
  }

  private struct Login: Equatable {
    let person: String
    let number: Int
  }

  private struct Issued {
    let login: Login
    let registration: String
    let isJoining: Bool
  }

  private struct State {
    var all = Registrations()
    var logins: [String: Login] = [:]
    var challenges: [String: Issued] = [:]
    /// The identities that have left, with the number of the first login that began afterwards.
    var departed: [Thumbprint: Int] = [:]
    var nextLogin = 0
    var isReachable = true
    var failsEnrolments = false
    var takesLeaves = true
    var takesReceipts = true
    var shown: [Thumbprint: Set<MessageID>] = [:]
    var tokens: [Thumbprint: DeviceTokens] = [:]
    var unanswered: Set<String> = []
    var suspended: Set<Thumbprint> = []
    var requests: [ServiceRequest] = []
    /// Answers for which nobody has asked again, by person.
    var unasked: [String: JSONObject] = [:]

    mutating func leave(_ identity: Thumbprint) { departed[identity] = nextLogin + 1 }
  }

  private let topic: Topic
  private let audience: Audience
  private let clock: any PushClock
  private let sealer: Sealer
  private let signingKey: SigningKey
  private let set: SenderKeySet
  private let state = Mutex(State())

  /// The root's public keys, for the app to pin.
  public let roots: PublicKeySet

  /// Makes a backend with keys of its own.
  public init(topic: Topic, audience: Audience, clock: any PushClock) {
    self.topic = topic
    self.audience = audience
    self.clock = clock
    let (root, sender) = (
      KeySet(generating: .root, at: clock.now), KeySet(generating: .sender, at: clock.now)
    )
    var office = KeySetEditor(root)
    guard let roots = try? root.publicKeys, let key = try? sender.signingKey(at: clock.now),
      let set = try? office.signSenders(sender.publicKeys, for: topic, at: clock.now)
    else { preconditionFailure("new keys sign") }
    (self.roots, self.set) = (roots, set)
    (signingKey, sealer) = (key, Sealer(topic: topic, signingKey: key))
  }

  /// Whether the phone reaches the service.
  public var isReachable: Bool {
    get { state.withLock(\.isReachable) }
    set { state.withLock { $0.isReachable = newValue } }
  }

  /// Whether it answers enrolments with the status 503.
  public var failsEnrolments: Bool {
    get { state.withLock(\.failsEnrolments) }
    set { state.withLock { $0.failsEnrolments = newValue } }
  }

  /// Whether it takes leaves; a service without its own name does not.
  public var takesLeaves: Bool {
    get { state.withLock(\.takesLeaves) }
    set { state.withLock { $0.takesLeaves = newValue } }
  }

  /// Whether it takes receipts; a service without its own name does not.
  public var takesReceipts: Bool {
    get { state.withLock(\.takesReceipts) }
    set { state.withLock { $0.takesReceipts = newValue } }
  }

  /// The messages that the phone with this token says to have shown, by their IDs on the phone.
  public func shown(on token: DeviceToken) -> Set<MessageID> {
    state.withLock { state in
      let known = state.all.all.first { $0.enrolment.address.token == .apns(token) }
      return known.flatMap { state.shown[$0.identity] } ?? []
    }
  }

  /// The tokens that the phone with this device token has handed in for calls, complications, push-to-talk and Live Activities.
  public func otherTokens(of token: DeviceToken) -> [TokenUse: DeviceToken] {
    state.withLock { state in
      let known = state.all.all.first { $0.enrolment.address.token == .apns(token) }
      return known.flatMap { state.tokens[$0.identity]?.all } ?? [:]
    }
  }

  /// The persons whose enrolments no worker answers: they get the status 202, and an answer later.
  public var unanswered: Set<String> {
    get { state.withLock(\.unanswered) }
    set { state.withLock { $0.unanswered = newValue } }
  }

  /// Suspends the identities of a person's devices, as a store does with a cloned one.
  public func suspendDevices(of person: String) {
    state.withLock { state in
      for registration in state.all.all where registration.isOf(person) {
        state.suspended.insert(registration.identity)
      }
    }
  }

  /// Logs a person in, with a new session.
  public func logIn(_ person: String) {
    state.withLock { state in
      state.nextLogin += 1
      state.logins[person] = Login(person: person, number: state.nextLogin)
    }
  }

  /// Ends a person's session.
  public func endSession(of person: String) { state.withLock { $0.logins[person] = nil } }

  /// Removes all devices of a person, such as lost ones: only a login that begins afterwards enrols them again.
  public func removeDevices(of person: String) {
    state.withLock { state in
      for registration in state.all.all where registration.isOf(person) {
        state.leave(registration.identity)
        state.all.remove(registration.name)
      }
    }
  }

  /// Loses all registrations, as a backend does whose store is gone.
  public func loseRegistrations() {
    state.withLock { state in
      state.all = Registrations()
      state.departed = [:]
    }
  }

  /// The requests so far.
  public var requests: [ServiceRequest] { state.withLock(\.requests) }

  /// The persons to whom it can seal, for each registration.
  public var registrations: [(name: String, persons: [String], token: DeviceToken?)] {
    state.withLock { state in
      state.all.all.map { ($0.name, $0.persons, $0.proven?.enrolment.address.apns?.token) }
    }
  }

  /// Seals the proof requests that are pending, to be delivered as background pushes; their tokens are those they go to.
  public func proofRequests() throws -> [(token: DeviceToken, envelope: EnvelopeField)] {
    try state.withLock { $0.all.all.compactMap(\.pending) }.compactMap { pending in
      guard let token = pending.address.apns?.token else { return nil }
      let push = try sealer.seal(pending.request, to: pending.recipient, at: clock.now)
      return (token, EnvelopeField(data: try JSONObject(parsing: push.payload.span)))
    }
  }

  /// Seals a notification to all devices of a person, and returns the payloads with the tokens that they go to.
  public func seal(
    _ notification: RemoteNotification, for person: String, messageID: MessageID = .random(),
    as type: PushType = .alert
  ) throws -> [(token: DeviceToken, push: SealedNotification)] {
    var policy = SealingPolicy()
    policy.pushType = type
    let sealer = Sealer(topic: topic, signingKey: signingKey, policy: policy)
    return try state.withLock { $0.all.all }.compactMap { registration in
      guard registration.isOf(person), let proven = registration.proven,
        let token = proven.enrolment.address.apns?.token
      else { return nil }
      let push = try sealer.seal(
        notification, to: proven.keys.recipient(at: clock.now),
        account: AccountTag(person: person, identity: registration.identity), messageID: messageID,
        at: clock.now)
      return (token, push)
    }
  }

  // MARK: The service

  /// Answers a request of the app's.
  ///
  /// - Throws: ``Failure/unreachable``.
  public func send(_ request: ServiceRequest, as person: String?) async throws -> ServiceResponse {
    try state.withLock { state in
      guard state.isReachable else { throw Failure.unreachable }
      state.requests.append(request)
      let login = person.flatMap { state.logins[$0] }
      let body = (try? JSONObject(parsing: request.body.span)) ?? [:]
      switch (request.path, login) {
      case ("/v1/leave", _) where !state.takesLeaves: return .notFound
      case ("/v1/leave", _): return leave(request.body, &state)
      case ("/v1/receipts", _) where !state.takesReceipts: return .notFound
      case ("/v1/receipts", _): return take(receipt: request.body, &state)
      case (_, nil): return ServiceResponse(status: 401, body: [])
      case ("/v1/challenges", let login?): return challenge(body, for: login, &state)
      case ("/v1/enrolments", _) where state.failsEnrolments: return ServiceResponse(status: 503, body: [])
      case ("/v1/enrolments", let login?): return enrol(body, for: login, &state)
      case (let path, let login?) where path.hasPrefix("/v1/enrolments/"): return answered(login, &state)
      case ("/v1/tokens", _): return take(tokens: request.body, &state)
      case ("/v1/sign-out", let login?): return signOut(body, for: login, &state)
      case ("/v1/senders/\(topic.text)", _): return ServiceResponse(status: 200, body: Array(set.text.utf8))
      default: return .notFound
      }
    }
  }

  private func challenge(_ body: JSONObject, for login: Login, _ state: inout State) -> ServiceResponse {
    let isJoining = body["mode"]?.string == "join"
    let name = body["registration"]?.string
    if let name {
      guard let known = state.all[name], isJoining || known.isOf(login.person) else { return .notFound }
    }
    let challenge = Challenge.random().text
    let registration = name ?? Challenge.random().text
    state.challenges[challenge] = Issued(login: login, registration: registration, isJoining: isJoining)
    return ServiceResponse(["challenge": .string(challenge), "registration": .string(registration)])
  }

  private func enrol(_ body: JSONObject, for login: Login, _ state: inout State) -> ServiceResponse {
    guard let name = body["registration"]?.string, let json = body["enrolment"]?.object else {
      return ServiceResponse(status: 400, body: [])
    }
    do throws(SignedSetError) {
      let enrolment = try Enrolment(parsing: json.encoded().span, for: topic, audience: audience)
      let issued = enrolment.challenge.flatMap { state.challenges[$0.text] }
      let isIssued = issued?.login == login && issued?.registration == name
      guard isIssued || state.all[name]?.isOf(login.person) == true else { return .notFound }
      if state.all[name] == nil, let first = state.departed[enrolment.identity.thumbprint],
        login.number < first
      {
        throw .notRegistered
      }
      if isIssued, let challenge = enrolment.challenge { state.challenges[challenge.text] = nil }
      guard !state.suspended.contains(enrolment.identity.thumbprint) else { throw .suspended }
      let kind: EnrolmentLogin = !isIssued ? .none : issued?.isJoining == true ? .joining : .challenged
      let outcome = try state.all.accept(enrolment, as: name, person: login.person, login: kind)
      var answer: JSONObject = ["id": "1", "answer": .string(outcome.change.rawValue)]
      answer["account"] = outcome.account.map { .string($0.text) }
      if state.unanswered.contains(login.person) {
        state.unasked[login.person] = answer
        return ServiceResponse(["id": "1"], status: 202)
      }
      return ServiceResponse(answer)
    } catch {
      return ServiceResponse(["answer": "refused", "reason": .string(error.code)])
    }
  }

  /// The answer that was not given at once.
  private func answered(_ login: Login, _ state: inout State) -> ServiceResponse {
    if state.unanswered.contains(login.person) { return ServiceResponse(["id": "1"], status: 202) }
    return state.unasked.removeValue(forKey: login.person).map { ServiceResponse($0) } ?? .notFound
  }

  private func signOut(_ body: JSONObject, for login: Login, _ state: inout State) -> ServiceResponse {
    guard let name = body["registration"]?.string, let known = state.all[name], known.isOf(login.person)
    else { return .notFound }
    state.all.remove(person: login.person, from: name)
    if state.all[name] == nil { state.leave(known.identity) }
    return ServiceResponse(["removed": .string(name)])
  }

  private func leave(_ body: [UInt8], _ state: inout State) -> ServiceResponse {
    do throws(SignedSetError) {
      let leave = try Leave(parsing: body.span, for: topic, audience: audience)
      try state.all.leave(leave)
      state.leave(leave.identity.thumbprint)
      return ServiceResponse(["answer": "removed"])
    } catch {
      return ServiceResponse(["answer": "refused", "reason": .string(error.code)])
    }
  }

  private func take(tokens body: [UInt8], _ state: inout State) -> ServiceResponse {
    do throws(SignedSetError) {
      let tokens = try DeviceTokens(parsing: body.span, for: topic, audience: audience)
      let identity = tokens.identity.thumbprint
      guard state.all.all.contains(where: { $0.identity == identity && $0.proven != nil }) else {
        throw .notRegistered
      }
      if let last = state.tokens[identity]?.serial, tokens.serial < last { throw .olderSerial(last: last) }
      state.tokens[identity] = tokens
      return ServiceResponse(["answer": "updated"])
    } catch {
      return ServiceResponse(["answer": "refused", "reason": .string(error.code)])
    }
  }

  private func take(receipt body: [UInt8], _ state: inout State) -> ServiceResponse {
    do throws(SignedSetError) {
      let receipt = try Receipt(parsing: body.span, for: topic, audience: audience)
      state.shown[receipt.identity.thumbprint, default: []].formUnion(receipt.messages)
      return ServiceResponse(["answer": "taken"])
    } catch {
      return ServiceResponse(["answer": "refused", "reason": .string(error.code)])
    }
  }
}

extension ServiceResponse {
  fileprivate static let notFound = ServiceResponse(status: 404, body: [])

  fileprivate init(_ object: JSONObject, status: Int = 200) {
    self.init(status: status, body: object.encoded())
  }
}
