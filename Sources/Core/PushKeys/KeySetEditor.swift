package import PushCrypto
public import PushCore

/// Changes a key set: every change of a set's keys goes through an editor.
///
/// Each change either keeps every rule of a set, or throws and changes nothing. ``prune(at:)`` destroys expired keys,
/// and ``revoke(_:at:)`` destroys a key at once. The memory of a destroyed key is wiped when the last set and the
/// last ``DeviceKey`` that hold it are gone. The key of an identity or a root is permanent: it signs, and its set
/// allows no other change.
public struct KeySetEditor: Sendable {
  /// The shortest grace period of a replaced key: 30 days, as long as APNs may store a push.
  public static let minimumGrace: Duration = .seconds(KeySetRules.minimumGrace)

  /// The default grace period once every sender has the new key: a day more than ``minimumGrace``, for jobs that are
  /// already running with the old key.
  public static let confirmedGrace: Duration = .seconds(KeySetRules.minimumGrace + 86_400)

  /// How old a sender's next key must be before it becomes the active one: seven days, in which every phone that is in
  /// use can get the set that has it.
  public static let minimumNotice: Duration = .seconds(KeySetRules.minimumNotice)

  /// The current set.
  public private(set) var keySet: KeySet

  /// Starts with a set.
  public init(_ keySet: KeySet) { self.keySet = keySet }

  /// Adds a key of another suite to a device's set, active beside the existing keys.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless both the set and the suite are for devices,
  ///   ``KeySetError/suitePresent``, ``KeySetError/unavailable(_:)``, ``KeySetError/tooManyKeys``.
  @discardableResult
  public mutating func add(_ suite: Suite, at now: UnixTime = .now) throws(KeySetError) -> KeyRecord {
    let algorithm = KeyAlgorithm(suite: suite)
    guard keySet.role == .device, algorithm.role == .device else { throw .wrongRole }
    guard !keySet.keys.contains(where: { $0.record.algorithm == algorithm }) else { throw .suitePresent }
    let key = try StoredKey(generating: algorithm, at: now, random: SystemRandom())
    try commit(keySet.keys + [key], at: now)
    return key.record
  }

  /// Replaces the active key of each suite with a new one from the system's random number generator.
  ///
  /// The old key stays accepted for the grace period, through the last second of `now` + `grace`, rounded up to whole
  /// seconds. A `grace` of `nil` sets no end until ``confirm(grace:at:)``: use it for a device, whose backends may
  /// not get the new key for days. A key that expires earlier keeps its own expiration.
  ///
  /// A sender's next key, which others have by now, becomes active, and a new next key is made. If there is no next
  /// key, one is made, and the active key stays as long as it can sign, because nobody else has the new key yet.
  ///
  /// A next key that is younger than ``minimumNotice`` does not become active, unless `again` is true or the active key
  /// can no longer sign: a phone without the set that has the key would show nothing but the placeholder. The time counts
  /// from the change that made the next key: the first of the set, an import, a rotation or a revocation. ``revoke(_:at:)``
  /// waits for nothing.
  ///
  /// If a key in the set is newer than `now`, because the clock went back, the grace period starts when that key was
  /// made. A key whose suite this system's libraries lack stays as it is.
  ///
  /// - Throws: ``KeySetError/graceTooShort`` below ``minimumGrace``, ``KeySetError/tooManyKeys``,
  ///   ``KeySetError/wrongRole`` for an identity or a root, and for a sender if `grace` is `nil`,
  ///   ``KeySetError/nextKeyTooYoung(until:)``,
  ///   ``KeySetError/unavailable(_:)`` if this system's libraries lack the suites of all active keys.
  @discardableResult
  public mutating func rotate(
    grace: Duration? = minimumGrace, again: Bool = false, at now: UnixTime = .now
  ) throws(KeySetError) -> Rotation {
    try rotate(grace: grace, again: again, at: now, random: SystemRandom())
  }

  /// Replaces the active keys that were made, or became active, at least `age` ago, as ``rotate(grace:again:at:)`` does.
  ///
  /// Younger keys stay. A sender's active key also stays while the next key is younger than `age`, because others may
  /// not have the next key yet. A key that was made more than a day after `now` counts as old: a clock was wrong, so
  /// the key's age is unknown.
  ///
  /// - Throws: ``KeySetError/graceTooShort``, ``KeySetError/tooManyKeys``, ``KeySetError/wrongRole``,
  ///   ``KeySetError/nextKeyTooYoung(until:)`` if keys are old enough, ``KeySetError/unavailable(_:)``.
  @discardableResult
  public mutating func rotate(
    ifOlderThan age: Duration, grace: Duration? = minimumGrace, again: Bool = false, at now: UnixTime = .now
  ) throws(KeySetError) -> Rotation {
    try rotate(grace: grace, again: again, at: now, random: SystemRandom()) { life in
      life.age(at: now) >= age.wholeSeconds || life.age(at: now) < -86_400
    }
  }

  /// Replaces the active keys for which `isOld` returns true, as ``rotate(grace:again:at:)`` does.
  @discardableResult
  package mutating func rotate(
    grace: Duration? = minimumGrace, again: Bool = false, at now: UnixTime, random: some RandomSource,
    if isOld: (KeyLife) -> Bool = { _ in true }
  ) throws(KeySetError) -> Rotation {
    guard keySet.role.name == nil, keySet.role != .sender || grace != nil else { throw .wrongRole }
    let active = keySet.records.filter { $0.life.status == .active }
    let next = keySet.records.first { $0.life.status == .next }
    let canSign = active.allSatisfy { !$0.life.hasExpired(at: now) && $0.life.hasBegun(at: now) }
    if keySet.role == .sender, next == nil, canSign {
      let new = StoredKey(signingFrom: now, as: .next, random: random)
      try commit(try accepting([], grace: grace, at: now) + [new], at: now)
      return Rotation(kept: active, next: new.record)
    }
    let due = next.map { isOld($0.life) } ?? true ? active.filter { isOld($0.life) } : []
    let old = due.filter(\.algorithm.isAvailable)
    if !active.contains(where: \.algorithm.isAvailable), let suite = due.first?.algorithm.suite {
      throw .unavailable(suite)
    }
    if !old.isEmpty, !again, canSign, let begin = next?.life.noticeEnds(at: now) {
      throw .nextKeyTooYoung(until: begin)
    }
    var keys = try accepting(old, grace: grace, at: now)
    var added: [KeyRecord] = []
    for record in old {
      added.append(try succession(of: record, in: &keys, at: now, random: random))
    }
    try commit(keys, at: now)
    return Rotation(
      replaced: records(of: old), added: added, kept: active.filter { !old.contains($0) },
      next: added.isEmpty ? nil : keySet.records.first { $0.life.status == .next })
  }

  /// Sets an expiration for the accepted keys that have none, as ``rotate(grace:again:at:)`` does, and returns their
  /// records.
  ///
  /// Call it once every sender has the active keys.
  ///
  /// - Throws: ``KeySetError/graceTooShort`` below ``minimumGrace``.
  @discardableResult
  public mutating func confirm(
    grace: Duration = confirmedGrace, at now: UnixTime = .now
  ) throws(KeySetError) -> [KeyRecord] {
    let endless = keySet.records.filter { $0.life.status == .accepted && $0.life.expiresAt == nil }
    try commit(try accepting(endless, grace: grace, at: now), at: now)
    return records(of: endless)
  }

  /// Imports a key as the new active key of its suite, issued at `now`.
  ///
  /// The old key stays accepted for the grace period, as after ``rotate(grace:again:at:)``.
  ///
  /// - Throws: ``KeySetError/mixedRoles``, ``KeySetError/wrongRole``, ``KeySetError/duplicateKey``,
  ///   ``KeySetError/collidingKeyIDs``, ``KeySetError/graceTooShort``, ``KeySetError/tooManyKeys``.
  @discardableResult
  package mutating func importKey(
    _ key: PrivateKey, grace: Duration? = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    guard keySet.role.name == nil else { throw .wrongRole }
    let new = StoredKey(importing: key, at: now)
    let active = keySet.records.filter { $0.life.status == .active }
    let old = active.filter { $0.algorithm == key.algorithm }
    try commit(try accepting(old, grace: grace, at: now) + [new], at: now)
    return Rotation(
      replaced: records(of: old), added: [new.record], kept: active.filter { $0.algorithm != key.algorithm })
  }

  /// Destroys a key at once, even if it is still needed, and reports until when pushes are lost.
  ///
  /// If the key was active, another takes its place in the same change: a sender's next key, or a new one. A next key
  /// is replaced with a new next key.
  ///
  /// - Throws: ``KeySetError/noSuchKey``, ``KeySetError/wrongRole`` for an identity or a root,
  ///   ``KeySetError/unavailable(_:)`` if no other key can take its place.
  @discardableResult
  public mutating func revoke(_ id: Thumbprint, at now: UnixTime = .now) throws(KeySetError) -> Revocation {
    guard keySet.role.name == nil else { throw .wrongRole }
    guard let record = keySet.records.first(where: { $0.id == id }) else { throw .noSuchKey }
    var keys = keySet.keys.filter { $0.record.id != id }
    var replacement: KeyRecord?
    switch record.life.status {
    case .active:
      replacement = try succession(of: record, in: &keys, at: now, random: SystemRandom())
    case .next:
      let next = StoredKey(signingFrom: now, as: .next, random: SystemRandom())
      replacement = next.record
      keys.append(next)
    case .accepted: break
    }
    try commit(keys, at: now, revoking: id)
    let longest = now.advanced(by: .seconds(KeySetRules.minimumGrace))
    let end = record.life.expiresAt.map { min($0, longest) } ?? longest
    let isInUse = record.life.status != .next && !record.life.hasExpired(at: now)
    return Revocation(record: record, replacement: replacement, lossEnds: isInUse ? end : nil)
  }

  /// Destroys every key of the set at once, as ``revoke(_:at:)`` does with one, for a file that somebody else may have.
  ///
  /// What takes their places is all new: no active key is replaced by a next one that was in the file. Others neither seal
  /// to the new keys nor trust them before they have the new public set.
  ///
  /// - Throws: what ``revoke(_:at:)`` throws; the set is then as it was.
  @discardableResult
  public mutating func revokeAll(at now: UnixTime = .now) throws(KeySetError) -> [Revocation] {
    var (editor, revocations) = (self, [Revocation]())
    for status in [KeyStatus.next, .active, .accepted] {
      for record in keySet.records where record.life.status == status {
        revocations.append(try editor.revoke(record.id, at: now))
      }
    }
    self = editor
    return revocations
  }

  /// Destroys the accepted keys that have expired, and returns their thumbprints.
  ///
  /// An active key stays even if it has expired.
  @discardableResult
  public mutating func prune(at now: UnixTime = .now) -> [Thumbprint] {
    let isOver = { (key: StoredKey) in
      key.record.life.status == .accepted && key.record.life.hasExpired(at: now)
    }
    let destroyed = keySet.keys.filter(isOver).map(\.record.id)
    guard !destroyed.isEmpty else { return [] }
    do throws(KeySetError) {
      try commit(keySet.keys.filter { !isOver($0) }, at: now)
    } catch {
      preconditionFailure("the active keys alone are a set")
    }
    return destroyed
  }

  /// Returns the key of an identity or a root, with the serial for its next signature: `serial`, or by default the
  /// greater of the last serial plus 1 and the Unix time.
  ///
  /// The Unix time keeps serials increasing after a set is restored from an old copy. The serial is used up even if
  /// nothing is signed.
  ///
  /// - Throws: ``KeySetError/wrongRole`` for another role, ``KeySetError/serialNotGreater``.
  package mutating func spendSerial(
    _ serial: Int64?, as role: KeyRole, at now: UnixTime
  ) throws(KeySetError) -> (serial: Int64, key: SigningKey) {
    guard keySet.role == role, let last = keySet.serial,
      let key = keySet.keys.first(where: { $0.record.life.status == .active })
    else { throw .wrongRole }
    let serial = serial ?? max(last + 1, now.seconds)
    guard serial > last, serial <= KeySetRules.maximumSerial else { throw .serialNotGreater }
    let signingKey = try key.signingKey
    keySet = try keySet.with(serial: serial)
    return (serial, signingKey)
  }

  /// The set's keys, with `old` changed to accepted.
  private func accepting(
    _ old: [KeyRecord], grace: Duration?, at now: UnixTime
  ) throws(KeySetError) -> [StoredKey] {
    guard (grace ?? Self.minimumGrace) >= Self.minimumGrace else { throw .graceTooShort }
    // A slow clock must not shorten the grace period, so count from the newest key if that is later.
    let latest = keySet.records.reduce(now) { max($0, $1.life.issuedAt) }
    let end = grace.map { latest.advanced(by: .seconds($0.wholeSeconds)) }
    let ids = Set(old.map(\.id))
    return keySet.keys.map { key in
      guard ids.contains(key.record.id) else { return key }
      let life = key.record.life
      return key.with(life: life.accepted(until: [life.expiresAt, end].compactMap(\.self).min()))
    }
  }

  /// The current records of these keys.
  private func records(of old: [KeyRecord]) -> [KeyRecord] {
    let ids = Set(old.map(\.id))
    return keySet.records.filter { ids.contains($0.id) }
  }

  /// Makes the successor active in `keys`: the next key, or a new one, which is in hardware if the old one is.
  ///
  /// A sender also gets a new next key.
  private func succession(
    of record: KeyRecord, in keys: inout [StoredKey], at now: UnixTime, random: some RandomSource
  ) throws(KeySetError) -> KeyRecord {
    let successor: KeyRecord
    if let waiting = keys.firstIndex(where: { $0.record.life.status == .next }) {
      keys[waiting] = keys[waiting].with(life: keys[waiting].record.life.active(from: now))
      successor = keys[waiting].record
    } else {
      let vault = keySet.keys.first { $0.record.id == record.id }?.material.vault
      let new =
        if let vault {
          try StoredKey(in: vault, at: now)
        } else {
          try StoredKey(generating: record.algorithm, at: now, random: random)
        }
      keys.append(new)
      successor = new.record
    }
    if keySet.role == .sender {
      keys.append(StoredKey(signingFrom: now, as: .next, random: random))
    }
    return successor
  }

  /// Commits a change; no other function changes the keys.
  private mutating func commit(
    _ keys: [StoredKey], at now: UnixTime, revoking revoked: Thumbprint? = nil
  ) throws(KeySetError) {
    let changed = try keySet.with(keys: keys)
    precondition(
      KeySetRules.permit(changed.records, after: keySet.records, revoking: revoked, at: now),
      "a change must not drop a key that may still be needed")
    keySet = changed
  }
}

extension KeyLife {
  /// When a next key may become active; nil if it may at `now`.
  ///
  /// A key that was made after `now`, because a clock was wrong, counts as made at `now`.
  fileprivate func noticeEnds(at now: UnixTime) -> UnixTime? {
    let end = min(issuedAt, now).advanced(by: KeySetEditor.minimumNotice)
    return end > now ? end : nil
  }
}

extension Duration {
  /// The duration in seconds, rounded up.
  fileprivate var wholeSeconds: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
