package import PushCrypto
public import PushEnvelope

/// A set of private keys, a device's or a sender's, an identity's or a root's, or of shared keys: an immutable value that
/// opens, signs, or seals and opens.
///
/// It has one active key for each of its suites. ``KeySetEditor`` makes changed sets, and ``KeyFile`` keeps one
/// on disk. It prints none of its secrets.
public struct KeySet: DeviceKeyStore, Sendable {
  /// The keys, in the order of the file: of two keys, the later one is newer, whatever their times say.
  let keys: [StoredKey]

  private let directory: KeyDirectory

  /// The number of the last set that an identity or a root signed, 0 if it has signed none; null of other roles.
  public let serial: Int64?

  /// Whose keys they are.
  public var role: KeyRole { directory.role }

  /// What may be shown of the keys, in the order of the file.
  public var records: [KeyRecord] { keys.map(\.record) }

  /// Reads a private JWK Set (RFC 7517, 5; RFC 8037), as ``KeyFile`` keeps it.
  ///
  /// `v` must be 1 or absent. Each key must have `kty`, `crv`, `x`, `y` (P-256 alone), `d`, or as a shared key `kty`
  /// and `k`; and `kid`, `use`, `alg`, `iat` and `status`. It may have `nbf` and `exp`, and nothing else: an unknown
  /// member, here or beside `keys`, is refused, because it would be lost when the set is written again. A set of role
  /// `identity` or `root` says so in `role`, and has a `serial`. Texts are canonical base64url, times whole seconds from
  /// 0 to 2^53 - 1. The public key is computed anew and compared, and so is `kid`.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing file: Span<UInt8>) throws(KeySetError) {
    var reader = KeySetReader(file, isPrivate: true)
    var keys: [StoredKey] = []
    try reader.readKeys { (index, members) throws(KeySetError) in keys.append(try members.key(at: index)) }
    try self.init(keys, role: reader.role, serial: reader.serial)
  }

  /// Makes a set of one new active key, and of a sender's next one, with the system's random numbers.
  ///
  /// `suite` is that of a device's key, and a public-key one; a sender's key serves every suite, and a shared one has
  /// its own.
  public init(generating role: KeyRole, suite: Suite = .x25519ChaChaPoly, at now: UnixTime) {
    self.init(generating: role, suite: suite, at: now, random: SystemRandom())
    guard role == .sender else { return }
    let next = StoredKey(generating: .ed25519, at: now, as: .next, random: SystemRandom())
    guard let set = try? with(keys + [next]) else { preconditionFailure("two random keys are a set") }
    self = set
  }

  /// Makes a set of one new active key.
  package init(
    generating role: KeyRole, suite: Suite = .x25519ChaChaPoly, at now: UnixTime, random: some RandomSource
  ) {
    let algorithm: KeyAlgorithm =
      switch role {
      case .device: KeyAlgorithm(suite: suite)
      case .sender, .identity, .root: .ed25519
      case .shared: .shared
      }
    precondition(role.has(algorithm), "a device has a key pair, and no shared key")
    let keys = [StoredKey(generating: algorithm, at: now, random: random)]
    guard let set = try? KeySet(keys, role: role.name == nil ? nil : role, serial: role.name == nil ? nil : 0)
    else { preconditionFailure("one active key is a set") }
    self = set
  }

  /// Takes keys that may form a set, of a role that they do not tell if there is one, which then has a serial.
  init(_ keys: [StoredKey], role: KeyRole? = nil, serial: Int64? = nil) throws(KeySetError) {
    guard (role == nil) == (serial == nil) else { throw .invalidSetMember("serial") }
    directory = try KeySetRules.directory(of: keys.map(\.record), role) { _ in .one }
    self.keys = keys
    self.serial = serial
  }

  /// The same set with other keys, or after another signature.
  func with(_ keys: [StoredKey]? = nil, serial: Int64? = nil) throws(KeySetError) -> KeySet {
    try KeySet(
      keys ?? self.keys, role: role.name == nil ? nil : role, serial: serial ?? self.serial)
  }

  /// The device's or the shared key of that name, active or accepted, until the last second of its `exp`.
  public func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    guard role == .device || role == .shared, let position = directory.position(of: id) else { return nil }
    let key = keys[position]
    guard !key.record.life.hasExpired(at: now) else { return nil }
    guard let publicKey = key.record.publicKey else {
      return DeviceKey(sharedKey: key.secret.guarded(), id: key.record.id)
    }
    return DeviceKey(publicKey, secret: key.secret.guarded())
  }

  /// Whom to seal for with the active shared key; a device is sealed for by its ``publicKeys``.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the keys are shared ones, ``KeySetError/keyEnded`` if the active one
  ///   has ended at `now`.
  public func recipient(at now: UnixTime = .now) throws(KeySetError) -> Recipient {
    guard role == .shared else { throw .wrongRole }
    guard let key = keys.first(where: { $0.record.life.status == .active }) else { throw .noActiveKey }
    guard !key.record.life.hasExpired(at: now) else { throw .keyEnded }
    return Recipient(sharedKey: key.secret.guarded(), id: key.record.id)
  }

  /// The sender's active key.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is a sender's, ``KeySetError/keyEnded`` if it has ended at
  ///   `now`, ``KeySetError/keyNotBegun`` if it is not good yet.
  public func signingKey(at now: UnixTime = .now) throws(KeySetError) -> SigningKey {
    guard role == .sender else { throw .wrongRole }
    guard let key = keys.first(where: { $0.record.life.status == .active }) else { throw .noActiveKey }
    guard !key.record.life.hasExpired(at: now) else { throw .keyEnded }
    guard key.record.life.hasBegun(at: now) else { throw .keyNotBegun }
    return try key.signingKey
  }

  /// The public keys to hand out: a device's active ones; a sender's active and accepted ones, and the next one as an
  /// accepted one, so that it is known before it is used.
  ///
  /// - Throws: ``KeySetError/noPublicHalf`` if the keys are shared ones.
  public var publicKeys: PublicKeySet {
    get throws(KeySetError) {
      guard role != .shared else { throw .noPublicHalf }
      let handedOut = records.filter { role == .sender || $0.life.status == .active }
      return try PublicKeySet(
        handedOut.map { $0.life.status == .next ? $0.with($0.life.accepted(until: $0.life.expiresAt)) : $0 },
        role: role.name == nil ? nil : role)
    }
  }

  /// The public keys to hand out, and behind them those keys of `copy` that are none of this set's, such as other
  /// senders', but for `gone`.
  ///
  /// - Throws: ``KeySetError/noPublicHalf``, ``KeySetError/wrongRole`` for a copy of another role's keys, or what is
  ///   wrong with the two together.
  package func publicKeys(
    beside copy: PublicKeySet, without gone: Thumbprint? = nil
  ) throws(KeySetError) -> PublicKeySet {
    let own = try publicKeys
    guard copy.role == role else { throw .wrongRole }
    let ids = Set(records.map(\.id))
    let others = copy.records.filter { !ids.contains($0.id) && $0.id != gone }
    return try PublicKeySet(own.records + others, role: role.name == nil ? nil : role)
  }

  /// Calls `body` with the set as a private JWK Set in JSON, which ``init(parsing:)`` reads, and wipes it afterwards.
  ///
  /// It holds every secret. What `body` copies out of it, `body` has to wipe.
  public func withEncodedBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = encoded()
    defer { bytes.wipe() }
    return try body(bytes.span)
  }

  /// The set as a private JWK Set in JSON, one key a line, which ``init(parsing:)`` reads.
  ///
  /// The array holds every secret, and is made without leaving a copy elsewhere. The caller wipes it.
  package func encoded() -> [UInt8] {
    KeySetWriter.encode(keys.map { ($0.record, $0.secret) }, role: role, serial: serial)
  }
}

extension KeySet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Whose keys, and how many.
  public var description: String { "KeySet(\(role), keys: \(keys.count))" }

  /// Whose keys, and how many.
  public var debugDescription: String { description }

  /// What may be shown of the keys.
  public var customMirror: Mirror {
    Mirror(self, children: ["role": role, "records": records], displayStyle: .struct)
  }
}
