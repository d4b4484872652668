public import PushCore
public import PushEnrolment
internal import PushKeys

extension DeviceDirectory {
  /// Accepts an enrolment for the registration with this name, as `Registrations.accept(_:as:proving:proof:)` does; if it
  /// refuses the enrolment, it says why, and changes nothing.
  ///
  /// It refuses what FCM would carry: `SignedSetError.unsupportedService`.
  ///
  /// `person` is whose device it is; nil leaves the person as it is. `login` is which login stands behind the enrolment.
  /// If the result has something pending, a worker with an audience pushes its request, which is in the store's
  /// ``RequestOutbox``; without such a worker, send it.
  ///
  /// - Throws: ``StoreError``; ``StoreError/busy(place:)`` if others keep changing the same registrations.
  public func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, login: EnrolmentLogin,
    proving possession: Possession = .keyAndToken
  ) async throws(StoreError) -> Result<EnrolmentOutcome, SignedSetError> {
    let accepted = try await accepting(
      enrolment, as: name, person: person, login: login, proving: possession
    ) { (changes) async throws(StoreError) in try await apply(changes) }
    guard let accepted else { preconditionFailure("no lease was asked for") }
    return accepted
  }

  /// Applies what the enrolment changes, and starts over while others change the same; nil if `apply` returns nil.
  ///
  /// `rivals` is how many registrations are read and written together that have enrolled with the same token or key.
  package func accepting(
    _ enrolment: Enrolment, as name: String, person: String?, login: EnrolmentLogin,
    proving possession: Possession, rivals: Int = 1000,
    apply: ([RegistrationChange]) async throws(StoreError) -> Bool?
  ) async throws(StoreError) -> Result<EnrolmentOutcome, SignedSetError>? {
    // A worker delivers through APNs alone.
    guard enrolment.address.service == .apns else { return .failure(.unsupportedService) }
    guard try await alternation(of: enrolment.identity.thumbprint)?.suspendedAt == nil else {
      return .failure(.suspended)
    }
    var departed = try await departed(enrolment.identity.thumbprint)
    attempts: for _ in 0..<100 {
      let attempt = Attempt(
        enrolment: enrolment, name: name, person: person, login: login, possession: possession)
      var result = attempt.result(among: try await neighbours(of: enrolment, named: name, pending: 0))
      // Only a registration that proves something new takes it from those that are pending, and there may be any number
      // of them. Those whose messages go to the token come first, and are not read again once they have given it up. The
      // others can no longer prove it anyway.
      if case .success(let success) = result, success.provesMore, let winner = success.registration {
        var known = try await neighbours(of: enrolment, named: name, pending: rivals)
        while known.count >= rivals {
          // What others have proven, they lose together with this registration's own change.
          let losers = known.filter { $0.registration.proven?.hasToken != true }
          let changes = RegistrationChange.yielding(losers, to: winner)
          if changes.isEmpty { break }
          guard let isDone = try await apply(changes) else { return nil }
          guard isDone else { continue attempts }
          known = try await neighbours(of: enrolment, named: name, pending: rivals)
        }
        result = attempt.result(among: known)
      }
      if let departed, enrolment.serial <= departed.serial, case .success(let success) = result,
        success.isNew
      {
        return .failure(.olderSerial(last: departed.serial))
      }
      switch result {
      case .failure(let error): return .failure(error)
      case .success(let success):
        if success.changes.isEmpty { return .success(success.acceptance) }
        if let known = try await clone(in: success.changes) {
          if try await suspend(known) { return .failure(.suspended) }
          continue attempts
        }
        guard let isDone = try await apply(success.changes) else { return nil }
        if isDone { return .success(success.acceptance) }
      }
      departed = try await self.departed(enrolment.identity.thumbprint)
    }
    throw .busy(place: "the registration")
  }

  /// The registration whose token would change for the third time, to and fro: FORMAT.md, [11.30].
  private func clone(
    in changes: [RegistrationChange]
  ) async throws(StoreError) -> VersionedRegistration? {
    for case .replace(let known, let new) in changes {
      guard let change = TokenSwitch(.replace(known, new)),
        try await alternation(of: new.identity)?.isThird(change) == true
      else { continue }
      return known
    }
    return nil
  }

  /// What other registrations give up because this one has proven it: FORMAT.md, [11.18].
  package func yields(
    to winner: Registration
  ) async throws(StoreError) -> [RegistrationChange] {
    guard let enrolment = winner.proven?.enrolment else { return [] }
    let known = try await neighbours(of: enrolment, named: winner.name, pending: 1000)
    return RegistrationChange.yielding(known, to: winner)
  }

  /// Takes from a device's registration what it has proven, because APNs no longer accepts its token (status 410), and
  /// returns the names of the registrations that this changed.
  ///
  /// Pass the device as it was looked up before the push: if it has answered a proof request since, nothing changes. Its
  /// registration stays, and nothing is sealed to it until the device has proven a token again. Other registrations
  /// whose messages go to the same token, which they have not proven, lose it too.
  ///
  /// - Throws: ``StoreError``; ``StoreError/busy(place:)`` if others keep changing the same registrations.
  @discardableResult
  public func unregister(_ device: StoredDevice) async throws(StoreError) -> [String] {
    guard let name = device.device.registration, try await unregister(name, if: { $0.proof == device.proof })
    else { return [] }
    var (names, last) = ([name], String?.none)
    // One phone may have enrolled under any number of names.
    while true {
      let page = try await registrations(address: device.address, after: last, atMost: 100)
      guard let next = page.last?.registration.name else { return names }
      last = next
      for known in page {
        let name = known.registration.name
        if try await unregister(name, if: { $0.registration.proven?.hasToken == false }) {
          names.append(name)
        }
      }
    }
  }

  /// Takes from a registration what it has proven, if the condition holds, and returns whether it had proven anything.
  private func unregister(
    _ name: String, if condition: (VersionedRegistration) -> Bool
  ) async throws(StoreError) -> Bool {
    for _ in 0..<100 {
      guard let known = try await registration(named: name), condition(known) else { return false }
      var changed = known.registration
      guard changed.unregister() else { return false }
      if try await apply([.replace(known, changed)]) { return true }
    }
    throw .busy(place: "the registration")
  }
}

extension Store {
  /// Accepts an enrolment that an application has handed in for the backend named `audience`, or says why it is refused;
  /// nil, and no change, if the lease is no longer valid.
  ///
  /// - Throws: ``StoreError``.
  public func accept(
    _ request: EnrolmentRequest, under lease: EnrolmentLease, for topic: Topic? = nil, audience: Audience
  ) async throws(StoreError) -> Result<EnrolmentOutcome, SignedSetError>? {
    let enrolment: Enrolment
    do throws(SignedSetError) {
      enrolment = try Enrolment(
        parsing: request.body.span, for: topic, audience: audience, challenge: request.challenge)
    } catch {
      return .failure(error)
    }
    if try await hasLeft(enrolment, of: request) {
      return try await apply([], under: lease, spending: nil) == nil ? nil : .failure(.notRegistered)
    }
    let challenge = request.mayBeNew ? request.challenge : nil
    let accepted = try await accepting(
      enrolment, as: request.name, person: request.person, login: request.login,
      proving: request.possession
    ) { (changes) async throws(StoreError) in
      let isDone = try await apply(changes, under: lease, spending: challenge)
      // Another enrolment has used it between.
      if isDone == false, let challenge, try await isSpent(challenge) { return nil }
      return isDone
    }
    if accepted == nil, let challenge, try await isSpent(challenge) { return .failure(.wrongChallenge) }
    return accepted
  }

  /// Whether an enrolment of a device that has left was handed in before it left, or by a login that had begun before.
  private func hasLeft(_ enrolment: Enrolment, of request: EnrolmentRequest) async throws(StoreError) -> Bool
  {
    guard let departed = try await departed(enrolment.identity.thumbprint),
      try await registration(named: request.name) == nil
    else { return false }
    if let time = request.handedInAt, time <= departed.leftAt { return true }
    guard let challenge = request.challenge, let issued = try await issued(challenge) else { return false }
    return issued.purpose.login.beganAt <= departed.leftAt
  }
}

extension RegistrationChange {
  /// What registrations give up that the winner has proven.
  fileprivate static func yielding(
    _ known: [VersionedRegistration], to winner: Registration
  ) -> [RegistrationChange] {
    known.compactMap { known in
      var changed = known.registration
      return changed.yield(to: winner) ? .replace(known, changed) : nil
    }
  }
}

/// What `Registrations` makes of an enrolment.
private struct Attempt {
  let enrolment: Enrolment
  let name: String
  let person: String?
  let login: EnrolmentLogin
  let possession: Possession

  struct Success {
    let acceptance: EnrolmentOutcome
    let changes: [RegistrationChange]
    /// The registration, as it is then.
    let registration: Registration?
    /// Whether the registration has proven a token or keys that it had not proven before.
    let provesMore: Bool

    /// Whether no registration of that name had this identity.
    var isNew: Bool {
      changes.contains { change in
        switch change {
        case .add: true
        case .replace(let old, let new): old.registration.identity != new.identity
        case .remove: false
        }
      }
    }
  }

  func result(among known: [VersionedRegistration]) -> Result<Success, SignedSetError> {
    do throws(SignedSetError) {
      var all = try Registrations(known.map(\.registration))
      let before = all[name]?.proven.map(Proven.init)
      let acceptance = try all.accept(
        enrolment, as: name, person: person, login: login, proving: possession)
      return .success(
        Success(
          acceptance: acceptance, changes: changes(from: known, to: all), registration: all[name],
          provesMore: all[name]?.proven.map(Proven.init) != before))
    } catch {
      return .failure(error)
    }
  }

  /// What changes: first what others lose, so that it is free for this registration.
  private func changes(from known: [VersionedRegistration], to all: Registrations) -> [RegistrationChange] {
    var (lost, won): ([RegistrationChange], [RegistrationChange]) = ([], [])
    for known in known {
      guard let new = all[known.registration.name] else {
        lost.append(.remove(known))
        continue
      }
      guard new != known.registration else { continue }
      if new.isNamed(name) { won.append(.replace(known, new)) } else { lost.append(.replace(known, new)) }
    }
    if let new = all[name], !known.contains(where: { $0.registration.isNamed(name) }) {
      won.append(.add(new))
    }
    return lost + won
  }

  /// What only this registration has, because it has proven it; the identity never changes.
  private struct Proven: Equatable {
    let keys: Set<KeyID>
    let token: PushToken?

    init(_ proven: ProvenEnrolment) {
      keys = Set(proven.keys.records.map(\.id.keyID))
      token = proven.hasToken ? proven.enrolment.address.token : nil
    }
  }
}
