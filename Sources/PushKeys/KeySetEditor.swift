package import PushCrypto
public import PushEnvelope

/// Makes changed key sets: the only way from one set to another.
///
/// Each change either keeps every rule of a set and of its changes, or throws and changes nothing. A key is destroyed
/// by ``prune(at:)`` after its end, or at once by ``revoke(_:at:)``. A destroyed key's memory is wiped when the last
/// set and the last ``DeviceKey`` that have it are gone.
public struct KeySetEditor: Sendable {
  /// The shortest time for which a replaced key is accepted: 30 days, as long as APNs may hold a push.
  public static let minimumGrace: Duration = .seconds(KeySetRules.minimumGrace)

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
  /// The old one is accepted until the last second of `now` + `grace`, which is rounded up to whole seconds. A key
  /// in the set that is newer than `now`, because the clock went back, does no harm: the new key comes last in
  /// the set, and its place, not its time, says that it is the newest.
  ///
  /// - Throws: ``KeySetError/graceTooShort`` below ``minimumGrace``, ``KeySetError/tooManyKeys``.
  @discardableResult
  public mutating func rotate(
    grace: Duration = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    try rotate(grace: grace, at: now, random: SystemRandom())
  }

  /// Replaces the active keys that were made `age` ago or earlier, as ``rotate(grace:at:)``, and keeps the younger.
  ///
  /// - Throws: ``KeySetError/graceTooShort``, ``KeySetError/tooManyKeys``.
  @discardableResult
  public mutating func rotate(
    ifOlderThan age: Duration, grace: Duration = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    try rotate(grace: grace, at: now, random: SystemRandom()) { $0.age(at: now) >= age.wholeSeconds }
  }

  /// Replaces the active keys whose life is `old`, as ``rotate(grace:at:)``.
  @discardableResult
  package mutating func rotate(
    grace: Duration = minimumGrace, at now: UnixTime, random: some RandomSource,
    if isOld: (KeyLife) -> Bool = { _ in true }
  ) throws(KeySetError) -> Rotation {
    let active = keySet.records.filter { $0.life.status == .active }
    let old = active.filter { isOld($0.life) }
    let new = old.map { StoredKey(generating: $0.algorithm, at: now, random: random) }
    let replaced = try replace(old, by: new, grace: grace, at: now)
    return Rotation(replaced: replaced, added: new.map(\.record), kept: active.filter { !isOld($0.life) })
  }

  /// Adds a key from elsewhere as the new active one of its suite, made at `now`; the old one is accepted for the
  /// grace, as by ``rotate(grace:at:)``.
  ///
  /// - Throws: ``KeySetError/mixedRoles``, ``KeySetError/duplicateKey``, ``KeySetError/collidingKeyIDs``,
  ///   ``KeySetError/graceTooShort``, ``KeySetError/tooManyKeys``.
  @discardableResult
  public mutating func importKey(
    _ key: PrivateKey, grace: Duration = minimumGrace, at now: UnixTime
  ) throws(KeySetError) -> Rotation {
    let new = StoredKey(key, at: now)
    let active = keySet.records.filter { $0.life.status == .active }
    let old = active.filter { $0.algorithm == key.algorithm }
    let replaced = try replace(old, by: [new], grace: grace, at: now)
    return Rotation(
      replaced: replaced, added: [new.record], kept: active.filter { $0.algorithm != key.algorithm })
  }

  /// Destroys a key at once, whoever still needs it, and says what is lost by that.
  ///
  /// If it was active, a new one takes its place in the same change.
  ///
  /// - Throws: ``KeySetError/noSuchKey``.
  @discardableResult
  public mutating func revoke(_ id: Thumbprint, at now: UnixTime) throws(KeySetError) -> Revocation {
    guard let record = keySet.records.first(where: { $0.id == id }) else { throw .noSuchKey }
    var replacement: StoredKey?
    if record.life.status == .active {
      replacement = StoredKey(generating: record.algorithm, at: now, random: SystemRandom())
    }
    let kept = keySet.keys.filter { $0.record.id != id }
    try commit(kept + (replacement.map { [$0] } ?? []), at: now, revoking: id)
    let longest = now.advanced(by: KeySetRules.minimumGrace)
    let end = record.life.expiresAt.map { min($0, longest) } ?? longest
    return Revocation(
      record: record, replacement: replacement?.record,
      lossEnds: record.life.hasExpired(at: now) ? nil : end)
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

  /// Makes active keys accepted ones and adds new ones; gives the accepted ones.
  private mutating func replace(
    _ old: [KeyRecord], by new: [StoredKey], grace: Duration, at now: UnixTime
  ) throws(KeySetError) -> [KeyRecord] {
    guard grace >= Self.minimumGrace else { throw .graceTooShort }
    let end = now.advanced(by: grace.wholeSeconds)
    var keys = keySet.keys
    var replaced: [KeyRecord] = []
    for position in keys.indices where old.contains(keys[position].record) {
      keys[position].record = keys[position].record.accepted(until: end)
      replaced.append(keys[position].record)
    }
    try commit(keys + new, at: now)
    return replaced
  }

  /// The one place where the set changes.
  private mutating func commit(
    _ keys: [StoredKey], at now: UnixTime, revoking revoked: Thumbprint? = nil
  ) throws(KeySetError) {
    let changed = try KeySet(keys)
    precondition(
      KeySetRules.permit(changed.records, after: keySet.records, revoking: revoked, at: now),
      "a change keeps what may still be needed")
    keySet = changed
  }
}
