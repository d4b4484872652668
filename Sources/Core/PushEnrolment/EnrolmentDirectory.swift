public import PushCore

/// A backend's registrations, which accept the enrolments of devices: the stores, and ``RegistrationFile``.
public protocol EnrolmentDirectory: Sendable {
  /// Why a directory cannot be read or changed.
  associatedtype EnrolmentFailure: Error

  /// Accepts an enrolment for the registration with this name, or says why it is refused, and changes nothing then.
  ///
  /// `person` is whose device it is; nil leaves the person as it is. `login` is which login stands behind the enrolment.
  /// If the result has something pending, send its request.
  func accept(
    _ enrolment: Enrolment, as name: String, person: String?, login: EnrolmentLogin,
    proving possession: Possession
  ) async throws(EnrolmentFailure) -> Result<EnrolmentOutcome, SignedSetError>
}

extension EnrolmentDirectory {
  /// Accepts an enrolment for the registration with this name, or says why it is refused, and changes nothing then.
  ///
  /// `person` is whose device it is; nil leaves the person as it is. `mayBeNew` is whether a new registration may be made:
  /// pass true if the user has just logged in. If the result has something pending, send its request.
  public func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, mayBeNew: Bool,
    proving possession: Possession = .keyAndToken
  ) async throws(EnrolmentFailure) -> Result<EnrolmentOutcome, SignedSetError> {
    try await accept(
      enrolment, as: name, person: person, login: mayBeNew ? .fresh : .none, proving: possession)
  }
}

/// Which login stands behind an enrolment.
public enum EnrolmentLogin: Hashable, Sendable {
  /// None: an app that is known enrols again.
  case none

  /// The user has just logged in, so the registration may be new.
  case fresh

  /// The user has just logged in, and the enrolment has the challenge that the backend gave to that login for this person
  /// and this name, and that nobody has used yet: it may also claim what other registrations have proven.
  ///
  /// The device then belongs to this person alone. See ``Registrations/claim(_:as:proving:proof:)``.
  case challenged

  /// As ``challenged``, with a challenge that was given to join: the device belongs to this person, too.
  ///
  /// See ``Registrations/join(_:as:person:proving:proof:)``.
  case joining
}

/// What became of an enrolment that a directory has accepted.
public struct EnrolmentOutcome: Sendable {
  /// The change.
  public let change: Registrations.Change

  /// What the device must prove; nil if nothing is pending.
  public let pending: PendingProof?

  /// The tag of the account of the person in whose name the enrolment was accepted, for the answer to the app; nil if it
  /// was accepted in nobody's name.
  ///
  /// The app keeps it as long as the person is signed in: see FORMAT.md, "The account".
  public let account: AccountTag?
}

extension Registrations {
  /// Accepts an enrolment for the registration with this name, and records whose device it is.
  ///
  /// `person` nil leaves the person as it is; only a login changes it. If the result has something pending, send its
  /// request.
  ///
  /// - Throws: As ``accept(_:as:proving:proof:)``, ``claim(_:as:proving:proof:)`` and ``assign(_:to:)``, and nothing is
  ///   changed; ``SignedSetError/notRegistered``;
  ///   ``SignedSetError/malformedEnrolment`` if nobody joins.
  @discardableResult
  public mutating func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, login: EnrolmentLogin,
    proving possession: Possession = .keyAndToken
  ) throws(SignedSetError) -> EnrolmentOutcome {
    var changed = self
    let change: Change
    switch login {
    case .none: change = try changed.update(enrolment, as: name, proving: possession)
    case .fresh: change = try changed.accept(enrolment, as: name, proving: possession)
    case .challenged: change = try changed.claim(enrolment, as: name, proving: possession)
    case .joining:
      guard let person else { throw .malformedEnrolment }
      change = try changed.join(enrolment, as: name, person: person, proving: possession)
    }
    let isLogin = login == .fresh || login == .challenged
    if let person, isLogin || self[name]?.persons.isEmpty ?? true, login != .joining {
      try changed.assign(name, to: person)
    }
    self = changed
    let registration = self[name]
    return EnrolmentOutcome(
      change: change, pending: registration?.pending, account: registration?.account(of: person))
  }

  /// Accepts an enrolment for the registration with this name, and records whose device it is.
  ///
  /// `mayBeNew` is whether a new registration may be made: pass true if the user has just logged in.
  ///
  /// - Throws: As ``accept(_:as:person:login:proving:)``.
  @discardableResult
  public mutating func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, mayBeNew: Bool,
    proving possession: Possession = .keyAndToken
  ) throws(SignedSetError) -> EnrolmentOutcome {
    try accept(enrolment, as: name, person: person, login: mayBeNew ? .fresh : .none, proving: possession)
  }
}

extension RegistrationFile: EnrolmentDirectory {
  /// Accepts an enrolment for the registration with this name, or says why it is refused, and changes nothing then.
  ///
  /// `mayBeNew` is whether a new registration may be made: pass true if the user has just logged in.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, mayBeNew: Bool,
    proving possession: Possession = .keyAndToken
  ) throws(RegistrationFileError) -> Result<EnrolmentOutcome, SignedSetError> {
    try accept(enrolment, as: name, person: person, login: mayBeNew ? .fresh : .none, proving: possession)
  }

  /// Accepts an enrolment for the registration with this name, or says why it is refused, and changes nothing then.
  ///
  /// `person` is whose device it is; nil leaves the person as it is. `login` is which login stands behind the enrolment.
  /// If the result has something pending, send its request.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func accept(
    _ enrolment: Enrolment, as name: String, person: String? = nil, login: EnrolmentLogin,
    proving possession: Possession = .keyAndToken
  ) throws(RegistrationFileError) -> Result<EnrolmentOutcome, SignedSetError> {
    do throws(RegistrationFileError) {
      return .success(
        try update { (all) throws(SignedSetError) in
          try all.accept(enrolment, as: name, person: person, login: login, proving: possession)
        })
    } catch .refused(let error, _) {
      return .failure(error)
    }
  }
}
