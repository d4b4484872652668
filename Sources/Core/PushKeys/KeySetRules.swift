internal import PushCore

/// The rules for every set, and for every change of a private set.
///
/// A set:
/// 1. It has 1 to 16,384 keys.
/// 2. All its keys have one role.
/// 3. No key occurs twice, and no two keys have the same key ID.
/// 4. A private set has exactly one active key for each algorithm it uses. A device's public set has one at most.
///    Other public sets may have any number.
/// 5. At most one key is next, and only in a sender's private set.
/// 6. A root's or an identity's private set has one key, which is active and does not expire.
///
/// A change from one private set to the next, at `now`:
///
/// 7. A key is removed only if it was revoked, or was accepted and has expired.
/// 8. An active key stays as it was, or becomes accepted: for 30 days or more, until its own expiration, or without
///    one.
/// 9. An accepted key stays as it was. If it had no expiration, it may get one 30 days or more from `now`.
/// 10. A next key stays as it was, or becomes active at `now`.
/// 11. Existing keys keep their order. New keys follow them and are active or next.
package enum KeySetRules {
  /// The maximum number of keys in a set.
  static let maximumCount = 16_384

  /// The shortest grace period of a replaced key, in seconds: 30 days, as long as APNs may store a push.
  static let minimumGrace: Int64 = 2_592_000

  /// How old a sender's next key must be before it becomes active, in seconds: seven days.
  static let minimumNotice: Int64 = 604_800

  /// The highest serial: the largest integer that every JSON number type represents exactly.
  package static let maximumSerial: Int64 = (1 << 53) - 1

  /// How many active keys a set may have for each algorithm it uses.
  enum ActiveKeys {
    /// Exactly one, as in a private set.
    case one
    /// One or none, as in a device's public set.
    case oneAtMost
    /// Any number, as in the public set of several senders.
    case any
  }

  /// Checks rules 1 to 6, and returns a directory of the keys.
  ///
  /// `role` is nil if the keys' algorithms imply it.
  ///
  /// - Throws: ``KeySetError``, for the first rule that is broken.
  static func directory(
    of records: [KeyRecord], role: KeyRole?, active: (KeyRole) -> ActiveKeys
  ) throws(KeySetError) -> KeyDirectory {
    guard let role = role ?? records.first?.algorithm.role, !records.isEmpty else { throw .empty }
    guard records.count <= maximumCount else { throw .tooManyKeys }
    guard records.allSatisfy({ role.has($0.algorithm) }) else { throw .mixedRoles }
    let directory = try KeyDirectory(of: records, role: role)
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
      var (count, activeCount) = (0, 0)
      for record in records where record.algorithm == algorithm {
        count += 1
        if record.life.status == .active { activeCount += 1 }
      }
      guard activeCount <= 1 else { throw .twoActiveKeys }
      if case .oneAtMost = active { continue }
      guard activeCount == 1 || count == 0 else { throw .noActiveKey }
    }
  }

  /// Whether `new` may replace `old` at `now`, with at most one key revoked: rules 7 to 11.
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

  /// Whether an expiration is at least 30 days away, or absent.
  private static func isLate(_ end: UnixTime?, at now: UnixTime) -> Bool {
    end.map { $0 >= now.advanced(by: .seconds(minimumGrace)) } ?? true
  }
}

/// The position of each key in a set, by key ID.
struct KeyDirectory: Sendable {
  /// The role of the keys.
  let role: KeyRole

  private var ids: [KeyID] = []

  /// The positions of many keys; nil for a few keys, which are faster to search one by one.
  private var positions: [KeyID: Int]?

  private static var searchedCount: Int { 16 }

  /// Indexes keys of one role.
  ///
  /// - Throws: ``KeySetError/duplicateKey``, ``KeySetError/collidingKeyIDs``.
  init(of records: [KeyRecord], role: KeyRole) throws(KeySetError) {
    self.role = role
    ids.reserveCapacity(records.count)
    if records.count > Self.searchedCount { positions = Dictionary(minimumCapacity: records.count) }
    for record in records {
      let id = record.id.keyID
      if let other = position(of: id) {
        throw records[other].id == record.id ? .duplicateKey : .collidingKeyIDs
      }
      positions?[id] = ids.count
      ids.append(id)
    }
  }

  /// The position of a key.
  func position(of id: KeyID) -> Int? {
    guard let positions else { return ids.firstIndex(of: id) }
    return positions[id]
  }
}
