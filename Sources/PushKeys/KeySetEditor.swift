package import PushCrypto
public import PushEnvelope

/// Makes changed key sets: the only way from one set to another.
///
/// Each change either keeps every invariant or throws and changes nothing. Keys are never destroyed but by
/// ``prune(at:)``.
public struct KeySetEditor: Sendable {
  /// The shortest time for which a replaced key is accepted: 30 days, as long as APNs may hold a push.
  public static let minimumGrace: Duration = .seconds(2_592_000)

  /// The set as it is now.
  public private(set) var keySet: KeySet

  /// Starts from a set.
  public init(_ keySet: KeySet) { self.keySet = keySet }

  /// Replaces the active key of each suite by a new one, with the system's random numbers.
  ///
  /// The old one is accepted until the last second of `now` + `grace`, which is rounded up to whole seconds. A key
  /// in the set that is newer than `now`, because the clock went back, does no harm: the new key comes last in
  /// the set, and its place, not its time, says that it is the newest.
  ///
  /// - Throws: ``KeySetError/graceTooShort`` below ``minimumGrace``, ``KeySetError/tooManyKeys``.
  public mutating func rotate(grace: Duration = minimumGrace, at now: UnixTime) throws(KeySetError) {
    try rotate(grace: grace, at: now, random: SystemRandom())
  }

  /// Replaces the active key of each suite, as ``rotate(grace:at:)``.
  package mutating func rotate(
    grace: Duration = minimumGrace, at now: UnixTime, random: some RandomSource
  ) throws(KeySetError) {
    guard grace >= Self.minimumGrace else { throw .graceTooShort }
    let end = now.advanced(by: grace.wholeSeconds)
    var keys = keySet.keys
    for position in keys.indices where keys[position].record.life.status == .active {
      keys[position].record = keys[position].record.accepted(until: end)
      keys.append(StoredKey(generating: keys[position].record.algorithm, at: now, random: random))
    }
    keySet = try KeySet(keys)
  }

  /// Destroys the accepted keys whose last second has passed, and gives their names.
  ///
  /// An active key is kept whatever its times say. A destroyed key's memory is wiped when the last set and the
  /// last ``DeviceKey`` that have it are gone.
  @discardableResult
  public mutating func prune(at now: UnixTime) -> [Thumbprint] {
    let isOver = { (key: StoredKey) in
      key.record.life.status == .accepted && key.record.life.hasExpired(at: now)
    }
    let destroyed = keySet.keys.filter(isOver).map(\.record.id)
    guard !destroyed.isEmpty else { return [] }
    guard let kept = try? KeySet(keySet.keys.filter { !isOver($0) }) else {
      preconditionFailure("the active keys alone are a set")
    }
    keySet = kept
    return destroyed
  }
}

extension Duration {
  /// The number of seconds, rounded up.
  fileprivate var wholeSeconds: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 && seconds < .max ? seconds + 1 : seconds
  }
}
