package import PushCrypto
public import PushEnvelope

/// Makes changed key sets: the only way from one set to another.
///
/// Each change either keeps every rule of a set and of its changes, or throws and changes nothing. A key is destroyed
/// by ``prune(at:)`` after its end, or at once by ``revoke(_:at:)``. A destroyed key's memory is wiped when the last
/// set and the last ``DeviceKey`` that have it are gone. The key of an identity or a root is for ever: it signs, and
/// nothing else can be done with its set.
public struct KeySetEditor: Sendable {
  /// The shortest time for which a replaced key is accepted: 30 days, as long as APNs may hold a push.
  public static let minimumGrace: Duration = .seconds(KeySetRules.minimumGrace)

  /// How long a replaced key is accepted after those who seal have the new one: a day longer, for jobs that have the old
  /// one in hand.
  public static let confirmedGrace: Duration = .seconds(KeySetRules.minimumGrace + 86_400)

  /// The set as it is now.
  public private(set) var keySet: KeySet

  /// Starts from a set.
  public init(_ keySet: KeySet) { self.keySet = keySet }

  /// Gives a device a key of another suite, active beside those that it has.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set and the suite are a device's, ``KeySetError/suitePresent``,
  ///   ``KeySetError/tooManyKeys``.
  @discardableResult
  public mutating func add(_ suite: Suite, at now: UnixTime) throws(KeySetError) -> KeyRecord {
    let algorithm = KeyAlgorithm(suite: suite)
    guard keySet.role == .device, algorithm.role == .device else { throw .wrongRole }
    guard !keySet.keys.contains(where: { $0.record.algorithm == algorithm }) else { throw .suitePresent }
    let key = StoredKey(generating: algorithm, at: now, random: SystemRandom())
    try commit(keySet.keys + [key], at: now)
    return key.record
  }

  /// Replaces the active key of each suite by a new one, with the system's random numbers.
  ///
  /// The old one is accepted until the last second of `now` + `grace`, which is rounded up to whole seconds, or, without
  /// a grace, until ``confirm(grace:at:)`` gives it an end: for a device, whose backends may not have the new one for
  /// days. One that has an earlier end of its own keeps that. A sender's next key, which others have by now, becomes the
  /// active one, and a new one is the next; if there is no next key, one is made, and the active one stays, while it can
  /// sign, because nobody would know another.
  /// If a key in the set is newer than `now`, because the clock went back, the grace begins when that was made.
  ///
  /// - Throws: ``KeySetError/graceTooShort`` below ``minimumGrace``, ``KeySetError/tooManyKeys``,
  ///   ``KeySetError/wrongRole`` for an identity or a root, and for a sender without a grace.
  @discardableResult
  public mutating func rotate(
    grace: Duration? = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    try rotate(grace: grace, at: now, random: SystemRandom())
  }

  /// Replaces the active keys that were made, or became active, `age` ago or earlier, as ``rotate(grace:at:)``, and
  /// keeps the younger.
  ///
  /// A sender's key is kept, too, while the next one is younger, because others may not have that.
  ///
  /// One that was made more than a day after `now` counts as old: a clock was wrong, and its age cannot be known.
  ///
  /// - Throws: ``KeySetError/graceTooShort``, ``KeySetError/tooManyKeys``, ``KeySetError/wrongRole``.
  @discardableResult
  public mutating func rotate(
    ifOlderThan age: Duration, grace: Duration? = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    try rotate(grace: grace, at: now, random: SystemRandom()) { life in
      life.age(at: now) >= age.wholeSeconds || life.age(at: now) < -86_400
    }
  }

  /// Replaces the active keys whose life is `old`, as ``rotate(grace:at:)``.
  @discardableResult
  package mutating func rotate(
    grace: Duration? = minimumGrace, at now: UnixTime, random: some RandomSource,
    if isOld: (KeyLife) -> Bool = { _ in true }
  ) throws(KeySetError) -> Rotation {
    guard keySet.role.name == nil, keySet.role != .sender || grace != nil else { throw .wrongRole }
    let active = keySet.records.filter { $0.life.status == .active }
    let next = keySet.records.first { $0.life.status == .next }
    let canSign = active.allSatisfy { !$0.life.hasExpired(at: now) && $0.life.hasBegun(at: now) }
    if keySet.role == .sender, next == nil, canSign {
      let new = StoredKey(generating: .ed25519, at: now, as: .next, random: random)
      try commit(try accepting([], grace: grace, at: now) + [new], at: now)
      return Rotation(kept: active, next: new.record)
    }
    let old = next.map { isOld($0.life) } ?? true ? active.filter { isOld($0.life) } : []
    var keys = try accepting(old, grace: grace, at: now)
    let added = old.map { succession(of: $0.algorithm, in: &keys, at: now, random) }
    try commit(keys, at: now)
    return Rotation(
      replaced: records(of: old), added: added, kept: active.filter { !old.contains($0) },
      next: added.isEmpty ? nil : keySet.records.first { $0.life.status == .next })
  }

  /// Gives the accepted keys that have no end one, as ``rotate(grace:at:)``, and gives their records.
  ///
  /// It is for the moment when all who seal have the active keys.
  ///
  /// - Throws: ``KeySetError/graceTooShort`` below ``minimumGrace``.
  @discardableResult
  public mutating func confirm(
    grace: Duration = confirmedGrace, at now: UnixTime
  ) throws(KeySetError) -> [KeyRecord] {
    let endless = keySet.records.filter { $0.life.status == .accepted && $0.life.expiresAt == nil }
    try commit(try accepting(endless, grace: grace, at: now), at: now)
    return records(of: endless)
  }

  /// Gives the accepted keys that have no end one, as ``confirm(grace:at:)``, if those who seal have taken an enrolment
  /// with all the active keys; null if it has not all of them, because the keys were replaced since.
  ///
  /// - Throws: ``KeySetError/graceTooShort``.
  @discardableResult
  public mutating func confirm(
    _ enrolment: Enrolment, grace: Duration = confirmedGrace, at now: UnixTime
  ) throws(KeySetError) -> [KeyRecord]? {
    let taken = Set(enrolment.keys.records.filter { $0.life.status == .active }.map(\.id))
    let active = keySet.records.filter { $0.life.status == .active }
    guard keySet.role == .device, active.allSatisfy({ taken.contains($0.id) }) else { return nil }
    return try confirm(grace: grace, at: now)
  }

  /// Adds a key from elsewhere as the new active one of its suite, made at `now`; the old one is accepted for the
  /// grace, as by ``rotate(grace:at:)``.
  ///
  /// - Throws: ``KeySetError/mixedRoles``, ``KeySetError/wrongRole``, ``KeySetError/duplicateKey``,
  ///   ``KeySetError/collidingKeyIDs``, ``KeySetError/graceTooShort``, ``KeySetError/tooManyKeys``.
  @discardableResult
  public mutating func importKey(
    _ key: PrivateKey, grace: Duration? = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    guard keySet.role.name == nil else { throw .wrongRole }
    let new = StoredKey(key, at: now)
    let active = keySet.records.filter { $0.life.status == .active }
    let old = active.filter { $0.algorithm == key.algorithm }
    try commit(try accepting(old, grace: grace, at: now) + [new], at: now)
    return Rotation(
      replaced: records(of: old), added: [new.record], kept: active.filter { $0.algorithm != key.algorithm })
  }

  /// Destroys a key at once, whoever still needs it, and says what is lost by that.
  ///
  /// If it was active, another takes its place in the same change: a sender's next one, or a new one. If it was next,
  /// a new one is.
  ///
  /// - Throws: ``KeySetError/noSuchKey``, ``KeySetError/wrongRole`` for an identity or a root.
  @discardableResult
  public mutating func revoke(_ id: Thumbprint, at now: UnixTime) throws(KeySetError) -> Revocation {
    guard keySet.role.name == nil else { throw .wrongRole }
    guard let record = keySet.records.first(where: { $0.id == id }) else { throw .noSuchKey }
    var keys = keySet.keys.filter { $0.record.id != id }
    var replacement: KeyRecord?
    switch record.life.status {
    case .active: replacement = succession(of: record.algorithm, in: &keys, at: now, SystemRandom())
    case .next:
      let next = StoredKey(generating: record.algorithm, at: now, as: .next, random: SystemRandom())
      replacement = next.record
      keys.append(next)
    case .accepted: break
    }
    try commit(keys, at: now, revoking: id)
    let longest = now.advanced(by: KeySetRules.minimumGrace)
    let end = record.life.expiresAt.map { min($0, longest) } ?? longest
    let isInUse = record.life.status != .next && !record.life.hasExpired(at: now)
    return Revocation(record: record, replacement: replacement, lossEnds: isInUse ? end : nil)
  }

  /// Destroys the accepted keys whose last second has passed, and gives their names.
  ///
  /// An active key is kept whatever its times say.
  @discardableResult
  public mutating func prune(at now: UnixTime) -> [Thumbprint] {
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

  /// Gives the key of an identity or a root, with the number of what it is about to sign: `serial`, or the greater of
  /// the last one plus 1 and the Unix time, so that a set that was lost and restored goes on where it must.
  ///
  /// The number is spent, whatever becomes of the signature.
  ///
  /// - Throws: ``KeySetError/wrongRole`` of another role, ``KeySetError/serialNotGreater``.
  mutating func spendSerial(
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

  /// The keys, with those of `old` accepted from now on.
  private func accepting(
    _ old: [KeyRecord], grace: Duration?, at now: UnixTime
  ) throws(KeySetError) -> [StoredKey] {
    guard (grace ?? Self.minimumGrace) >= Self.minimumGrace else { throw .graceTooShort }
    // A clock that is behind must not end a key early: no key here was made after it.
    let latest = keySet.records.reduce(now) { max($0, $1.life.issuedAt) }
    let end = grace.map { latest.advanced(by: $0.wholeSeconds) }
    let ids = Set(old.map(\.id))
    return keySet.keys.map { key in
      guard ids.contains(key.record.id) else { return key }
      let life = key.record.life
      return key.with(life.accepted(until: [life.expiresAt, end].compactMap(\.self).min()))
    }
  }

  /// What has become of keys.
  private func records(of old: [KeyRecord]) -> [KeyRecord] {
    let ids = Set(old.map(\.id))
    return keySet.records.filter { ids.contains($0.id) }
  }

  /// Puts the key that takes over into `keys`: the next one, with a new one as the next, or a new one.
  private func succession(
    of algorithm: KeyAlgorithm, in keys: inout [StoredKey], at now: UnixTime, _ random: some RandomSource
  ) -> KeyRecord {
    let successor: KeyRecord
    if let waiting = keys.firstIndex(where: { $0.record.life.status == .next }) {
      keys[waiting] = keys[waiting].with(keys[waiting].record.life.active(from: now))
      successor = keys[waiting].record
    } else {
      let new = StoredKey(generating: algorithm, at: now, random: random)
      keys.append(new)
      successor = new.record
    }
    if keySet.role == .sender {
      keys.append(StoredKey(generating: algorithm, at: now, as: .next, random: random))
    }
    return successor
  }

  /// The one place where the keys change.
  private mutating func commit(
    _ keys: [StoredKey], at now: UnixTime, revoking revoked: Thumbprint? = nil
  ) throws(KeySetError) {
    let changed = try keySet.with(keys)
    precondition(
      KeySetRules.permit(changed.records, after: keySet.records, revoking: revoked, at: now),
      "a change keeps what may still be needed")
    keySet = changed
  }
}

extension Duration {
  /// The number of seconds, rounded up.
  fileprivate var wholeSeconds: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
