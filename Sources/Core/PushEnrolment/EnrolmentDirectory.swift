/// A backend's registrations, which accept the enrolments of devices: the stores, and ``RegistrationFile``.
public protocol EnrolmentDirectory: Sendable {
  /// Why a directory cannot be read or changed.
  associatedtype EnrolmentFailure: Error

  /// Accepts an enrolment for the registration with this name, or says why it is refused, and changes nothing then.
  ///
  /// `person` is whose device it is; nil leaves the person as it is. `mayBeNew` is whether a new registration may be made:
  /// pass true if the user has just logged in. If the result has something pending, send its request.
  func accept(
    _ enrolment: Enrolment, as name: String, person: String?, mayBeNew: Bool, proving possession: Possession
  ) async throws(EnrolmentFailure) -> Result<EnrolmentOutcome, SignedSetError>
}

/// What became of an enrolment that a directory has accepted.
public struct EnrolmentOutcome: Sendable {
  /// The change.
  public let change: Registrations.Change

  /// What the device must prove; nil if nothing is pending.
  public let pending: PendingProof?
}

extension Registrations {
  /// Accepts an enrolment for the registration with this name, and records whose device it is.
  ///
  /// `person` nil leaves the person as it is. `mayBeNew` is whether a new registration may be made: pass true if the user
  /// has just logged in. If the result has something pending, send its request.
  ///
  /// - Throws: As ``accept(_:as:proving:proof:)`` and ``assign(_:to:)``, and nothing is changed;
  ///   ``SignedSetError/notRegistered``.
  @discardableResult
  public mutating func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, mayBeNew: Bool,
    proving possession: Possession = .keyAndToken
  ) throws(SignedSetError) -> EnrolmentOutcome {
    var changed = self
    let change =
      if mayBeNew {
        try changed.accept(enrolment, as: name, proving: possession)
      } else {
        try changed.update(enrolment, as: name, proving: possession)
      }
    if let person { try changed.assign(name, to: person) }
    self = changed
    return EnrolmentOutcome(change: change, pending: self[name]?.pending)
  }
}

extension RegistrationFile: EnrolmentDirectory {
  /// Accepts an enrolment for the registration with this name, or says why it is refused, and changes nothing then.
  ///
  /// `person` is whose device it is; nil leaves the person as it is. `mayBeNew` is whether a new registration may be made:
  /// pass true if the user has just logged in. If the result has something pending, send its request.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, mayBeNew: Bool,
    proving possession: Possession = .keyAndToken
  ) throws(RegistrationFileError) -> Result<EnrolmentOutcome, SignedSetError> {
    do throws(RegistrationFileError) {
      return .success(
        try update { (all) throws(SignedSetError) in
          try all.accept(enrolment, as: name, person: person, mayBeNew: mayBeNew, proving: possession)
        })
    } catch .refused(let error, _) {
      return .failure(error)
    }
  }
}
