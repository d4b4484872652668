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
  private var byToken: [DeviceToken: String] = [:]
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
    let (old, change): (Registration?, Change)
    var registration: Registration
    if let found = self[name] {
      registration = found
      (old, change) = (found, try registration.update(with: enrolment, proving: possession, proof: proof))
    } else {
      registration = try Registration(name: name, enrolment: enrolment, proving: possession, proof: proof)
      (old, change) = (nil, .pending)
    }
    try checkUnique(
      identity: registration.identity, token: enrolment.address.token, keys: enrolment.keys,
      besides: name)
    put(registration)
    if registration.proven != old?.proven { yield(to: registration) }
    return change
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
      try checkUnique(
        identity: registration.identity, token: proven.hasToken ? proven.enrolment.address.token : nil,
        keys: proven.keys, besides: registration.name)
    }
    put(registration)
  }

  private func isSame(_ left: String, as right: String) -> Bool { ExactString(left) == ExactString(right) }

  /// Checks that no other registration has proven the same identity, token or key: FORMAT.md, [11.16].
  private func checkUnique(
    identity: Thumbprint, token: DeviceToken?, keys: PublicKeySet, besides name: String
  ) throws(SignedSetError) {
    if let other = byIdentity[identity], !isSame(other, as: name) {
      throw .identityInUse(registration: other)
    }
    if let other = token.flatMap({ byToken[$0] }), !isSame(other, as: name) {
      throw .tokenInUse(registration: other)
    }
    for record in keys.records {
      if let other = byKey[record.id.keyID], !isSame(other, as: name) { throw .keyInUse(registration: other) }
    }
  }

  /// Makes the other registrations give up what `winner` has proven.
  private mutating func yield(to winner: Registration) {
    for other in all {
      var changed = other
      if changed.yield(to: winner) { put(changed) }
    }
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
