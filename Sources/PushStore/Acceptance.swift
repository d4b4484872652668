public import PushEnvelope
public import PushKeys

/// What became of an enrolment that a directory has accepted.
public struct Acceptance: Sendable {
  /// The change.
  public let change: Registrations.Change

  /// What the device must prove; nil if nothing is pending.
  public let pending: PendingProof?
}

extension DeviceDirectory {
  /// Accepts an enrolment for the registration with this name, as `Registrations.accept(_:as:proving:proof:)` does, or says
  /// why not; then nothing is changed.
  ///
  /// `person` is whose device it is; nil leaves that as it is. Unless `mayBeNew`, only an existing registration is updated:
  /// say true if the user has just logged in. If the result has something pending, send its request.
  ///
  /// - Throws: ``StoreError``; ``StoreError/busy(place:)`` if others change the same registrations all the time.
  public func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, mayBeNew: Bool,
    proving possession: Possession = .keyAndToken
  ) async throws(StoreError) -> Result<Acceptance, SignedSetError> {
    let accepted = try await accepting(
      enrolment, as: name, person: person, mayBeNew: mayBeNew, proving: possession
    ) { (changes) async throws(StoreError) in try await apply(changes) }
    guard let accepted else { preconditionFailure("no claim was asked for") }
    return accepted
  }

  /// Applies what the enrolment changes, again while others change the same; nil if `apply` returns nil.
  fileprivate func accepting(
    _ enrolment: Enrolment, as name: String, person: String?, mayBeNew: Bool, proving possession: Possession,
    apply: ([RegistrationChange]) async throws(StoreError) -> Bool?
  ) async throws(StoreError) -> Result<Acceptance, SignedSetError>? {
    for _ in 0..<100 {
      let known = try await neighbours(of: enrolment, named: name)
      let attempt = Attempt(known)
      switch attempt.accept(enrolment, as: name, person: person, mayBeNew: mayBeNew, proving: possession) {
      case .failure(let error): return .failure(error)
      case .success(let (acceptance, changes)):
        if changes.isEmpty { return .success(acceptance) }
        guard let isDone = try await apply(changes) else { return nil }
        if isDone { return .success(acceptance) }
      }
    }
    throw .busy(place: "the registration")
  }

  /// Removes the registrations with an address that APNs no longer accepts (status 410), and returns their names.
  ///
  /// `time` is APNs' `timestamp`: who has enrolled since stays. Without it, all go. A registration whose newest enrolment
  /// has another address stays in any case: that is still to be proven.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  public func remove(
    _ address: DeviceAddress, unregisteredAt time: UnixTime? = nil
  ) async throws(StoreError) -> [String] {
    var names: [String] = []
    for known in try await registrations(at: address) {
      guard known.registration.enrolment.address == address,
        time.map(known.registration.isUnregistered) ?? true
      else { continue }
      // Who changes it meanwhile has enrolled meanwhile.
      if try await apply([.remove(known)]) { names.append(known.registration.name) }
    }
    return names
  }
}

extension Store {
  /// Accepts what an application has handed in, for the backend of that name, or says why not; nil, and no change, if the
  /// claim is no longer valid.
  ///
  /// - Throws: ``StoreError``.
  public func accept(
    _ request: EnrolmentRequest, under claim: EnrolmentClaim, for topic: Topic? = nil, audience: Audience
  ) async throws(StoreError) -> Result<Acceptance, SignedSetError>? {
    let enrolment: Enrolment
    do throws(SignedSetError) {
      enrolment = try Enrolment(
        parsing: request.body.span, for: topic, audience: audience, challenge: request.challenge)
    } catch {
      return .failure(error)
    }
    return try await accepting(
      enrolment, as: request.name, person: request.person, mayBeNew: request.mayBeNew,
      proving: request.possession
    ) { (changes) async throws(StoreError) in try await apply(changes, under: claim) }
  }
}

/// What `Registrations` makes of an enrolment and its neighbours.
private struct Attempt {
  let known: [VersionedRegistration]

  init(_ known: [VersionedRegistration]) { self.known = known }

  func accept(
    _ enrolment: Enrolment, as name: String, person: String?, mayBeNew: Bool, proving possession: Possession
  ) -> Result<(Acceptance, [RegistrationChange]), SignedSetError> {
    do throws(SignedSetError) {
      var all = try Registrations(known.map(\.registration))
      let change =
        if mayBeNew {
          try all.accept(enrolment, as: name, proving: possession)
        } else {
          try all.update(enrolment, as: name, proving: possession)
        }
      if let person { try all.assign(name, to: person) }
      return .success((Acceptance(change: change, pending: all[name]?.pending), changes(to: all)))
    } catch {
      return .failure(error)
    }
  }

  /// Accepting keeps the order, and adds at the end.
  private func changes(to all: Registrations) -> [RegistrationChange] {
    let replaced = zip(known, all.all).filter { $0.registration != $1 }.map {
      RegistrationChange.replace($0, $1)
    }
    return replaced + all.all.dropFirst(known.count).map { .add($0) }
  }
}
