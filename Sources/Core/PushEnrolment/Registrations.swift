internal import PushKeys
internal import PushCore

/// The registrations of a backend's devices.
///
/// Each proven identity, token, and key belongs to only one registration. A pending one blocks no other registration.
///
/// A backend with a database makes the same checks there: it updates a registration with
/// ``Registration/update(with:proving:proof:)``, and has unique indices for the identities, tokens, and key IDs in
/// ``Registration/proven``.
public struct Registrations: Sendable {
  /// The result of accepting an enrolment.
  public enum Change: String, Sendable {
    /// The enrolment is stored, but the device must still prove a key or the token: ``Registration/pending``.
    case pending
    /// The enrolment is the registration's first proven one.
    case registered
    /// The enrolment replaced an older one.
    case updated
    /// The enrolment was already stored.
    case unchanged
  }

  /// The registrations, in the order in which they were made.
  public private(set) var all: [Registration] = []

  private var positions: [ExactString: Int] = [:]
  private var byIdentity: [Thumbprint: String] = [:]
  private var byToken: [PushToken: String] = [:]
  private var byKey: [KeyID: String] = [:]

  /// Makes an empty list.
  public init() {}

  /// Makes a list of stored registrations.
  ///
  /// - Throws: ``SignedSetError`` if two are in conflict; `malformedEnrolment` if two have the same name.
  package init(_ registrations: [Registration]) throws(SignedSetError) {
    for registration in registrations { try append(registration) }
  }

  /// The registration with this name.
  public subscript(name: String) -> Registration? { positions[ExactString(name)].map { all[$0] } }

  /// Accepts an enrolment for an existing registration, as ``accept(_:as:proving:proof:)`` does.
  ///
  /// Call this unless the user has just logged in. It does not register a removed device again.
  ///
  /// - Throws: ``SignedSetError``; ``SignedSetError/notRegistered``.
  @discardableResult
  public mutating func update(
    _ enrolment: Enrolment, as name: String, proving possession: Possession = .keyAndToken,
    proof: Proof = .random()
  ) throws(SignedSetError) -> Change {
    guard self[name] != nil else { throw .notRegistered }
    return try accept(enrolment, as: name, proving: possession, proof: proof)
  }

  /// Accepts an enrolment behind which a login stands: FORMAT.md, [11.21] to [11.23].
  ///
  /// Call this only for an enrolment that has a challenge which the backend gave to a login that has just begun, for this
  /// person and this name, and which nobody has used yet. It may claim the token, the identity and the keys that other
  /// registrations have proven. Nothing changes for these until the device has proven it; then they lose it, and the
  /// registration with the same identity is removed.
  ///
  /// - Throws: ``SignedSetError``, and nothing is changed; ``SignedSetError/wrongChallenge`` if the enrolment has no
  ///   challenge.
  @discardableResult
  public mutating func claim(
    _ enrolment: Enrolment, as name: String, proving possession: Possession = .keyAndToken,
    proof: Proof = .random()
  ) throws(SignedSetError) -> Change {
    guard enrolment.challenge != nil else { throw .wrongChallenge }
    return try accept(enrolment, as: name, isClaim: true, proving: possession, proof: proof)
  }

  /// Accepts an enrolment behind which a login stands of a person who joins those who have the device: FORMAT.md, [11.24].
  ///
  /// Call this as ``claim(_:as:proving:proof:)``, if the backend gave the challenge to join.
  ///
  /// - Throws: As ``claim(_:as:proving:proof:)``; ``SignedSetError/otherIdentity`` if the registration is of another device, and not
  ///   this person's alone; ``SignedSetError/identityInUse(registration:)`` if another registration has proven the identity;
  ///   ``SignedSetError/tooManyPersons``.
  @discardableResult
  public mutating func join(
    _ enrolment: Enrolment, as name: String, person: String, proving possession: Possession = .keyAndToken,
    proof: Proof = .random()
  ) throws(SignedSetError) -> Change {
    guard enrolment.challenge != nil else { throw .wrongChallenge }
    let identity = enrolment.identity.thumbprint
    let old = self[name]
    let isSameDevice = old?.identity == identity
    // Who joins names the registration, so nobody begins one anew that is not this person's alone.
    if let old, !isSameDevice, old.person.map(ExactString.init) != ExactString(person) {
      throw .otherIdentity
    }
    if let other = byIdentity[identity], !isSame(other, as: name) {
      throw .identityInUse(registration: other)
    }
    var changed = self
    let change = try changed.accept(
      enrolment, as: name, isClaim: true, proving: possession, proof: proof)
    guard var registration = changed[name] else { return change }
    try registration.join(person)
    changed.put(registration)
    let isUnchanged = change == .unchanged && registration.persons == old?.persons
    self = changed
    return change == .unchanged && !isUnchanged ? .updated : change
  }

  /// Takes a person from the registration with this name, and removes that if nobody else is left; returns whether the
  /// person had it.
  @discardableResult
  public mutating func remove(person: String, from name: String) -> Bool {
    guard var registration = self[name], registration.leave(person) else { return false }
    if registration.persons.isEmpty { remove(name) } else { put(registration) }
    return true
  }

  /// Accepts an enrolment for the registration with this name, or makes a new one: FORMAT.md, [11.14] to [11.18].
  ///
  /// If the change is ``Change/pending``, send the request in ``Registration/pending``.
  ///
  /// - Throws: ``SignedSetError``, and nothing is changed. An invalid name is ``SignedSetError/malformedEnrolment``.
  @discardableResult
  public mutating func accept(
    _ enrolment: Enrolment, as name: String, proving possession: Possession = .keyAndToken,
    proof: Proof = .random()
  ) throws(SignedSetError) -> Change {
    try accept(enrolment, as: name, isClaim: false, proving: possession, proof: proof)
  }

  private mutating func accept(
    _ enrolment: Enrolment, as name: String, isClaim: Bool, proving possession: Possession, proof: Proof
  ) throws(SignedSetError) -> Change {
    let old = self[name]
    var (registration, change) = try result(
      of: enrolment, as: name, isClaim: isClaim, proving: possession, proof: proof)
    if let old, registration.persons.isEmpty { try registration.takePersons(of: old) }
    if isClaim { registration.claim() }
    try checkUnique(registration, isClaim: isClaim || old?.isClaim == true, proving: possession, over: old)
    put(registration)
    if registration.proven != old?.proven { yield(to: registration) }
    return change
  }

  /// The registration with this name after an enrolment, as if there were no others, and what changes.
  private func result(
    of enrolment: Enrolment, as name: String, isClaim: Bool, proving possession: Possession, proof: Proof
  ) throws(SignedSetError) -> (Registration, Change) {
    if isClaim, let other = byIdentity[enrolment.identity.thumbprint], !isSame(other, as: name),
      let theirs = self[other]
    {
      if let own = self[name], own.identity == theirs.identity { try enrolment.check(follows: own.enrolment) }
      guard enrolment.serial > theirs.enrolment.serial else {
        throw .olderSerial(last: theirs.enrolment.serial)
      }
      // The same phone with another account.
      if let moved = try Registration(name: name, enrolment: enrolment, movedFrom: theirs) {
        return (moved, .registered)
      }
    }
    // A phone that was erased, and enrols again under its name, begins anew.
    guard var registration = self[name],
      !isClaim || registration.identity == enrolment.identity.thumbprint
    else {
      let new = try Registration(name: name, enrolment: enrolment, proving: possession, proof: proof)
      return (new, .pending)
    }
    let change = try registration.update(with: enrolment, proving: possession, proof: proof)
    return (registration, change)
  }

  /// Removes and returns the registration with this name, for example a lost phone's; nil if there is none.
  @discardableResult
  public mutating func remove(_ name: String) -> Registration? {
    guard let position = positions[ExactString(name)] else { return nil }
    let removed = all[position]
    var rest = all
    rest.remove(at: position)
    self = Registrations()
    for registration in rest { put(registration) }
    return removed
  }

  /// Records which person has a registration's device; nil if nobody knows.
  ///
  /// - Throws: ``SignedSetError/notRegistered``, and the errors of ``Registration/assign(to:)``; nothing is changed then.
  public mutating func assign(_ name: String, to person: String?) throws(SignedSetError) {
    guard var registration = self[name] else { throw .notRegistered }
    try registration.assign(to: person)
    put(registration)
  }

  /// Adds a stored registration.
  ///
  /// - Throws: ``SignedSetError`` if it conflicts with another registration; `malformedEnrolment` if the name is
  ///   taken.
  mutating func append(_ registration: Registration) throws(SignedSetError) {
    guard self[registration.name] == nil else { throw .malformedEnrolment }
    if let proven = registration.proven {
      if let conflict = conflict(
        identity: registration.identity, token: proven.hasToken ? proven.enrolment.address.token : nil,
        keys: proven.keys, besides: registration.name)
      {
        throw conflict
      }
    }
    put(registration)
  }

  private func isSame(_ left: String, as right: String) -> Bool { ExactString(left) == ExactString(right) }

  /// Checks that no other registration has proven the same identity, token or key, unless the registration may claim
  /// them: FORMAT.md, [11.16] and [11.21].
  ///
  /// A token must be proven before it moves, so it is not claimed where the keys alone are.
  private func checkUnique(
    _ registration: Registration, isClaim: Bool, proving possession: Possession, over old: Registration?
  ) throws(SignedSetError) {
    let enrolment = registration.enrolment
    guard
      let conflict = conflict(
        identity: registration.identity, token: enrolment.address.token, keys: enrolment.keys,
        besides: registration.name)
    else { return }
    guard possession == .keyAndToken else { throw conflict }
    if isClaim { return }
    guard case .tokenInUse = conflict, old != nil else { throw conflict }
    // A device that is known may claim a token: tokens change.
    if let other = self.conflict(
      identity: registration.identity, token: nil, keys: enrolment.keys, besides: registration.name)
    {
      throw other
    }
  }

  /// What other registrations have proven of these: an identity, then a token, then a key.
  private func conflict(
    identity: Thumbprint, token: PushToken?, keys: PublicKeySet, besides name: String
  ) -> SignedSetError? {
    if let other = byIdentity[identity], !isSame(other, as: name) {
      return .identityInUse(registration: other)
    }
    if let other = token.flatMap({ byToken[$0] }), !isSame(other, as: name) {
      return .tokenInUse(registration: other)
    }
    for record in keys.records {
      if let other = byKey[record.id.keyID], !isSame(other, as: name) {
        return .keyInUse(registration: other)
      }
    }
    return nil
  }

  /// Makes the other registrations give up what `winner` has proven, and removes the one with its identity.
  private mutating func yield(to winner: Registration) {
    for other in all where other.isSuperseded(by: winner) { remove(other.name) }
    for other in all {
      var changed = other
      if changed.yield(to: winner) { put(changed) }
    }
    // What others have lost is no longer theirs in the index, where it is the winner's.
    put(winner)
  }

  private mutating func put(_ registration: Registration) {
    if let position = positions[registration.key] {
      if let old = all[position].proven { index(old, as: nil) }
      all[position] = registration
    } else {
      positions[registration.key] = all.count
      all.append(registration)
    }
    if let proven = registration.proven { index(proven, as: registration.name) }
  }

  private mutating func index(_ proven: ProvenEnrolment, as name: String?) {
    byIdentity[proven.enrolment.identity.thumbprint] = name
    if proven.hasToken { byToken[proven.enrolment.address.token] = name }
    for record in proven.keys.records { byKey[record.id.keyID] = name }
  }
}

/// Keeps persons and names out of logs.
extension Registrations: CustomStringConvertible, CustomReflectable {
  /// How many there are.
  public var description: String { "\(all.count) registrations" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
