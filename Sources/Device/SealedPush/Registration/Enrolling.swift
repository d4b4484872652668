internal import PushCore
internal import PushEnrolment

/// Having the backend know the phone, with a challenge or without.
extension PushRegistration {
  /// How often, at intervals of a second, a call asks again for the answer to an enrolment.
  private static let answerAttempts = 5

  /// Has the backend know the phone as that of these persons: with the registration that is there, and with a challenge for each
  /// person who is not enrolled in it.
  ///
  /// A person whose session has ended does not hinder the others; what failed is thrown at the end.
  func enrol(
    _ persons: [String], _ turn: Int
  ) async throws(RegistrationFailure) -> RegistrationState.Standing {
    guard !persons.isEmpty else { return .nobody }
    var failure: RegistrationFailure?
    var standing: RegistrationState.Standing?
    // Somebody has left of whom the backend has not heard: the first who can has the phone alone, and the others join again.
    var isAlone = try !local.load().departed.isEmpty
    if !isAlone { standing = try await renew(persons, turn, noting: &failure) }
    for person in persons {
      let isEnrolled = try local.load().isEnrolled(person)
      guard isAlone || !isEnrolled else { continue }
      do throws(RegistrationFailure) {
        standing = try await begin(person, alone: isAlone, turn)
        isAlone = false
      } catch {
        try check(turn)
        if failure == nil || error.isOfIdentity { failure = error }
        // What is not the person's own is the same for the next one.
        guard error.isOfPerson else { break }
      }
    }
    if isAlone { standing = try await renew(persons, turn, noting: &failure) }
    if let failure { throw failure }
    return standing ?? .nobody
  }

  /// Enrols without a challenge, in the name of the first person whose session allows it; nil if nobody is enrolled any more.
  private func renew(
    _ persons: [String], _ turn: Int, noting failure: inout RegistrationFailure?
  ) async throws(RegistrationFailure) -> RegistrationState.Standing? {
    let memory = try local.load()
    guard let registration = memory.registration else { return nil }
    for person in persons where memory.isEnrolled(person) {
      let token = try await currentToken(turn)
      await takeSenders(as: person)
      try check(turn)
      do throws(RegistrationFailure) {
        return try await send(try local.enrol(token), as: registration, of: person, turn)
      } catch {
        try check(turn)
        switch error {
        case .loginNeeded: failure = failure ?? error
        case .notFound, .refused(reason: "not-registered"):
          try local.change { $0.note(isEnrolled: false, of: person) }
        case .refused(reason: "other-identity"): try local.change { $0.note(isEnrolled: false) }
        default: throw error
        }
      }
    }
    if try local.load().accounts.allSatisfy({ !$0.isEnrolled }) { try local.change { $0.isForgotten = true } }
    return nil
  }

  /// Enrols a person with a challenge: for a new registration, or in the one that is there.
  private func begin(
    _ person: String, alone isAlone: Bool, _ turn: Int
  ) async throws(RegistrationFailure) -> RegistrationState.Standing {
    let token = try await currentToken(turn)
    if let begun = try local.load().begun, begun.person == person,
      let standing = try await finish(begun, turn)
    {
      return standing
    }
    let memory = try local.load()
    let known = memory.accounts.contains(where: \.isEnrolled) ? memory.registration : nil
    let issued = try await challenge(for: person, in: known, joining: known != nil && !isAlone, turn)
    guard let challenge = try? Challenge(issued.challenge) else { throw .malformedAnswer }
    // The proof request is signed by one of them.
    await takeSenders(as: person)
    try check(turn)
    let enrolment = try local.enrol(token, challenge)
    try local.change { $0.identity = enrolment.identity.thumbprint }
    do throws(RegistrationFailure) {
      return try await send(enrolment, as: issued.registration, of: person, turn)
    } catch .notFound {
      try check(turn)
      // The backend does not know its challenge any more.
      try local.change { if $0.begun?.challenge == issued.challenge { $0.begun = nil } }
      throw .notFound
    }
  }

  /// A challenge for a person: the one that was asked for before, if it can still be used, or a new one.
  private func challenge(
    for person: String, in known: String?, joining isJoining: Bool, _ turn: Int
  ) async throws(RegistrationFailure) -> ServiceClient.Issued {
    let memory = try local.load()
    if let begun = memory.begun, let registration = memory.registration, begun.person == person,
      begun.isJoining == isJoining, local.now < begun.time.advanced(by: RegistrationMemory.challengeAge)
    {
      return ServiceClient.Issued(challenge: begun.challenge, registration: registration)
    }
    guard !memory.needsLogin else { throw .loginNeeded }
    // A time that lies further ahead was noted by a clock that has been set back since.
    if let next = memory.nextChallenges[person], (1...3600).contains(next.seconds - local.now.seconds) {
      throw .tooMany(retryAfter: .seconds(next.seconds - local.now.seconds))
    }
    let issued: ServiceClient.Issued
    do throws(RegistrationFailure) {
      issued = try await client.challenge(
        for: shared.topic, registration: known, joining: isJoining, as: person)
    } catch .notFound where known != nil {
      try check(turn)
      return try await challenge(for: person, in: nil, joining: false, turn)
    } catch .tooMany(let time) {
      try check(turn)
      try local.change { [now = local.now] in $0.nextChallenges[person] = now.advanced(by: time) }
      throw .tooMany(retryAfter: time)
    }
    try check(turn)
    // If it fails from here on, the next launch goes on with it.
    try local.begin(
      issued,
      as: .init(person: person, challenge: issued.challenge, isJoining: isJoining, time: local.now, id: nil))
    return issued
  }

  /// Asks for the answer to an enrolment that had none; nil if it has to begin anew.
  private func finish(
    _ begun: RegistrationMemory.Begun, _ turn: Int
  ) async throws(RegistrationFailure) -> RegistrationState.Standing? {
    guard let id = begun.id, let registration = try local.load().registration else { return nil }
    let reply: EnrolmentReply
    do throws(RegistrationFailure) {
      reply = try await client.answer(to: id, for: begun.person)
    } catch .notFound {
      try check(turn)
      try local.change { $0.begun = nil }
      return nil
    }
    try check(turn)
    guard let answer = reply.answer else { throw .noAnswer }
    guard ["pending", "registered", "updated", "unchanged"].contains(answer) else {
      // Its challenge is spent.
      try local.change { $0.begun = nil }
      return nil
    }
    try local.note(begun, account: reply.account)
    let token = try await currentToken(turn)
    return try await send(try local.enrol(token), as: registration, of: begun.person, turn)
  }

  /// Hands an enrolment in, and keeps what the answer says.
  func send(
    _ enrolment: Enrolment, as registration: String, of person: String, _ turn: Int
  ) async throws(RegistrationFailure) -> RegistrationState.Standing {
    var reply = try await client.handIn(enrolment.encoded(), as: registration, of: person)
    for _ in 0..<Self.answerAttempts where reply.answer == nil {
      guard let id = reply.id else { throw .malformedAnswer }
      try check(turn)
      try local.change { if $0.begun?.person == person { $0.begun?.id = id } }
      try? await shared.clock.sleep(for: .seconds(1))
      reply = try await client.answer(to: id, for: person)
    }
    let isUsed: Bool
    if reply.answer == "refused" { try check(turn) }
    switch reply.answer {
    case "registered", "updated", "unchanged": isUsed = true
    case "pending": isUsed = false
    case "refused":
      let isOld = reply.reason == "not-registered" && enrolment.challenge != nil
      try local.change { memory in
        // Its challenge is spent, or of no use.
        if memory.begun?.person == person { memory.begun = nil }
        // The login had begun before the device was removed.
        if isOld { memory.needsLogin = true }
      }
      throw isOld ? .loginNeeded : .refused(reason: reply.reason ?? "no reason")
    case nil: throw .noAnswer
    default: throw .malformedAnswer
    }
    try local.note(enrolment, as: registration, of: person, account: reply.account, isUsed: isUsed)
    return isUsed ? .registered : .pending
  }

  /// Fetches the senders' newest set; that it is not taken is no reason not to enrol.
  private func takeSenders(as person: String) async {
    do {
      _ = try shared.senders.accept(try await client.senders(of: shared.topic, as: person))
      state.sendersFault = nil
    } catch RegistrationFailure.notFound {
      // The backend publishes none.
      state.sendersFault = nil
    } catch {
      state.sendersFault = "\(error)"
    }
  }
}

extension RegistrationFailure {
  /// Whether it lasts until the phone has new keys, which it makes after a login.
  var isOfIdentity: Bool {
    if case .refused(let reason) = self {
      ["suspended", "older-serial", "identity-in-use"].contains(reason)
    } else {
      false
    }
  }

  /// Whether it is one person's, so that others may do better.
  fileprivate var isOfPerson: Bool {
    switch self {
    case .loginNeeded, .tooMany, .refused: true
    default: false
    }
  }
}
