internal import PushEnvelope

/// The rules that every set keeps, and every change of a private set.
///
/// Of a set:
/// 1. It has a key, and 16,384 at most.
/// 2. All its keys are of one role.
/// 3. No key is there twice, and no two keys have one name in envelopes.
/// 4. No algorithm has two active keys, but in the public sets of senders, roots and identities; in a private set each
///    has one.
/// 5. One key at most is next, and only in a sender's private set.
/// 6. A root's or an identity's private set has one key, which is active and does not end.
///
/// Of a change at a moment, from one private set to the next:
///
/// 7. A key is gone only if it was revoked, or was accepted and its last second has passed.
/// 8. A key that was active stays as it was, or is accepted: for 30 days or more, until an end that it had, or without one.
/// 9. A key that was accepted stays as it was, or, if it had no end, gets one in 30 days or more.
/// 10. A key that was next stays as it was, or is active from that moment.
/// 11. The keys that were there keep their order, and what is new comes after them, and is active or next.
enum KeySetRules {
  /// The most keys that a set may have.
  static let maximumCount = 16_384

  /// The shortest time for which a replaced key is accepted, in seconds: as long as APNs may hold a push.
  static let minimumGrace: Int64 = 2_592_000

  /// The last number of a signed set: what JSON numbers carry exactly.
  static let maximumSerial: Int64 = (1 << 53) - 1

  /// How many active keys an algorithm has that is in a set.
  enum ActiveKeys {
    /// Exactly one, as in a private set.
    case one
    /// One or none, as in a device's public set.
    case oneAtMost
    /// Any number, as in the public set of several senders.
    case any
  }

  /// The directory of keys that may form a set, of a role that they do not tell if there is one: rules 1 to 6.
  ///
  /// - Throws: ``KeySetError``: empty, too many, mixed roles, a key twice, two keys under one name; two active keys
  ///   or none; a next key where none may be.
  static func directory(
    of records: [KeyRecord], _ role: KeyRole?, active: (KeyRole) -> ActiveKeys
  ) throws(KeySetError) -> KeyDirectory {
    guard let role = role ?? records.first?.algorithm.role, !records.isEmpty else { throw .empty }
    guard records.count <= maximumCount else { throw .tooManyKeys }
    guard records.allSatisfy({ role.has($0.algorithm) }) else { throw .mixedRoles }
    let directory = try KeyDirectory(records, role: role)
    try check(active(role), in: records)
    guard records.count(where: { $0.life.status == .next }) <= (role == .sender ? 1 : 0) else {
      throw .misplacedNextKey
    }
    if case .one = active(role), role.name != nil, records.count > 1 || records[0].life.expiresAt != nil {
      throw .invalidSetMember("keys")
    }
    return directory
  }

  private static func check(_ active: ActiveKeys, in records: [KeyRecord]) throws(KeySetError) {
    if case .any = active { return }
    for algorithm in KeyAlgorithm.allCases {
      let keys = records.lazy.filter { $0.algorithm == algorithm }
      let count = keys.count { $0.life.status == .active }
      guard count <= 1 else { throw .twoActiveKeys }
      if case .oneAtMost = active { continue }
      guard count == 1 || keys.isEmpty else { throw .noActiveKey }
    }
  }

  /// Whether a set may follow on another at `now`, with one key revoked or none: rules 7 to 11.
  static func permit(
    _ new: [KeyRecord], after old: [KeyRecord], revoking revoked: Thumbprint?, at now: UnixTime
  ) -> Bool {
    var rest = new[...]
    for record in old {
      if let kept = rest.first, kept.id == record.id {
        guard permit(kept.life, after: record.life, at: now) else { return false }
        rest.removeFirst()
      } else {
        let isOver = record.life.status == .accepted && record.life.hasExpired(at: now)
        guard isOver || record.id == revoked else { return false }
      }
    }
    return rest.allSatisfy { $0.life.status != .accepted }
  }

  private static func permit(_ new: KeyLife, after old: KeyLife, at now: UnixTime) -> Bool {
    if new == old { return true }
    switch old.status {
    case .active:
      return new == old.accepted(until: new.expiresAt)
        && (isLate(new.expiresAt, at: now) || new.expiresAt == old.expiresAt)
    case .accepted:
      return old.expiresAt == nil && new == old.accepted(until: new.expiresAt)
        && isLate(new.expiresAt, at: now)
    case .next: return new == old.active(from: now)
    }
  }

  /// Whether an end is 30 days away or more, or does not come.
  private static func isLate(_ end: UnixTime?, at now: UnixTime) -> Bool {
    end.map { $0 >= now.advanced(by: minimumGrace) } ?? true
  }
}

/// Where each key of a set stands, by the name that envelopes use; made only of keys that may form a set.
struct KeyDirectory: Sendable {
  /// Whose keys they are.
  let role: KeyRole

  private var positions: [KeyID: Int] = [:]

  /// Lists keys of one role.
  ///
  /// - Throws: ``KeySetError/duplicateKey``, ``KeySetError/collidingKeyIDs``.
  init(_ records: [KeyRecord], role: KeyRole) throws(KeySetError) {
    self.role = role
    positions.reserveCapacity(records.count)
    for (position, record) in records.enumerated() {
      if let other = positions.updateValue(position, forKey: record.id.keyID) {
        throw records[other].id == record.id ? .duplicateKey : .collidingKeyIDs
      }
    }
  }

  /// The position of a key.
  func position(of id: KeyID) -> Int? { positions[id] }
}
