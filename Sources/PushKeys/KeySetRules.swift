internal import PushEnvelope

/// The rules that every set keeps, and every change of a private set.
///
/// Of a set:
/// 1. It has a key, and 16,384 at most.
/// 2. All its keys are of one role.
/// 3. No key is there twice, and no two keys have one name in envelopes.
/// 4. No algorithm has two active keys, but in the public set of senders; in a private set each has one.
///
/// Of a change at a moment, from one private set to the next:
///
/// 5. A key is gone only if it was revoked, or was accepted and its last second has passed.
/// 6. A key that was active stays as it was, or is accepted for 30 days or more.
/// 7. A key that was accepted stays as it was.
/// 8. The keys that were there keep their order, and what is new comes after them, and is active.
enum KeySetRules {
  /// The most keys that a set may have.
  static let maximumCount = 16_384

  /// The shortest time for which a replaced key is accepted, in seconds: as long as APNs may hold a push.
  static let minimumGrace: Int64 = 2_592_000

  /// How many active keys an algorithm has that is in a set.
  enum ActiveKeys {
    /// Exactly one, as in a private set.
    case one
    /// One or none, as in a device's public set.
    case oneAtMost
    /// Any number, as in the public set of several senders.
    case any
  }

  /// The directory of keys that may form a set: rules 1 to 4.
  ///
  /// - Throws: ``KeySetError``: empty, too many, mixed roles, a key twice, two keys under one name; two active keys
  ///   or none.
  static func directory(
    of records: [KeyRecord], active: (KeyRole) -> ActiveKeys
  ) throws(KeySetError) -> KeyDirectory {
    guard let role = records.first?.algorithm.role else { throw .empty }
    guard records.count <= maximumCount else { throw .tooManyKeys }
    guard records.allSatisfy({ $0.algorithm.role == role }) else { throw .mixedRoles }
    let directory = try KeyDirectory(records, role: role)
    try check(active(role), in: records)
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

  /// Whether a set may follow on another at `now`, with one key revoked or none: rules 5 to 8.
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
    return rest.allSatisfy { $0.life.status == .active }
  }

  private static func permit(_ new: KeyLife, after old: KeyLife, at now: UnixTime) -> Bool {
    guard new != old else { return true }
    guard old.status == .active, new.status == .accepted, let end = new.expiresAt else { return false }
    return end >= now.advanced(by: minimumGrace)
  }
}
