package import PushCrypto
public import PushCore

/// An immutable set of private or shared keys of one role, to open messages or to sign them.
///
/// It has one active key for each of its suites. ``KeySetEditor`` makes changed sets, and ``KeyFile`` stores a set on
/// disk. A set's description and mirror show no secrets.
public struct KeySet: DeviceKeyStore, Sendable {
  /// The keys in file order: of two keys, the later one is newer, even if their times say otherwise.
  let keys: [StoredKey]

  private let directory: KeyDirectory

  /// The serial of the last set that this identity or root signed; 0 if it has signed none, nil for other roles.
  public let serial: Int64?

  /// The role of the keys.
  public var role: KeyRole { directory.role }

  /// The keys in file order, without their secrets.
  public var records: [KeyRecord] { keys.map(\.record) }

  /// Parses a private JWK Set (RFC 7517, 5; RFC 8037; RFC 9964), the format of ``KeyFile``.
  ///
  /// `v` must be 1 or absent. Each key must have `kty`, `crv`, `x`, `y` (only P-256) and `d`; or, for X-Wing, `kty`,
  /// `pub` and `priv`; or, for a shared key, `kty` and `k`. Each also needs `kid`, `use`, `alg`, `iat` and `status`,
  /// and may have `nbf` and `exp`. An unknown member of a key or of the set is rejected, because it would be lost when
  /// the set is rewritten. A set of role `identity` or `root` names its `role` and has a `serial`.
  ///
  /// Bytes are canonical base64url; times are whole seconds from 0 to 2^53 - 1. The public key and `kid` are
  /// recomputed and compared.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing file: Span<UInt8>) throws(KeySetError) { try self.init(parsing: file, vault: nil) }

  /// Parses a private JWK Set whose keys may be in hardware: such a key has its `handle`, in base64url, in place of `d`.
  ///
  /// Without a vault, `handle` is an unknown member. That a handle belongs to its public key is not checked: if it does not, no
  /// message opens.
  ///
  /// - Throws: ``KeySetError``.
  package init(parsing file: Span<UInt8>, vault: (any KeyVault)?) throws(KeySetError) {
    var reader = KeySetReader(file, isPrivate: true, vault: vault)
    var keys: [StoredKey] = []
    try reader.readKeys { (index, members) throws(KeySetError) in keys.append(try members.key(at: index)) }
    try self.init(keys: keys, role: reader.role, serial: reader.serial)
  }

  /// Generates a set with one active key and, for a sender, a next key.
  ///
  /// A device's key is for the suite `x25519-chachapoly`. The keys come from the system's random number generator.
  public init(generating role: KeyRole, at now: UnixTime = .now) {
    guard let set = try? KeySet(generating: role, suite: .x25519ChaChaPoly, at: now) else {
      preconditionFailure("every system has what these keys need")
    }
    self = set
  }

  /// Generates a set with one active key and, for a sender, a next key.
  ///
  /// `suite` applies to a device's set. A sender's key serves every suite, and a shared key has its own suite. The keys
  /// come from the system's random number generator.
  ///
  /// - Throws: ``KeySetError/unavailable(_:)`` if this system's libraries do not have the suite,
  ///   ``KeySetError/wrongRole`` for a device and a suite without key pairs.
  public init(generating role: KeyRole, suite: Suite, at now: UnixTime = .now) throws(KeySetError) {
    try self.init(generating: role, suite: suite, at: now, random: SystemRandom())
    guard role == .sender else { return }
    self = try with(keys: keys + [StoredKey(signingFrom: now, as: .next, random: SystemRandom())])
  }

  /// Generates a set with one active key; a device's is for the suite `x25519-chachapoly`.
  package init(generating role: KeyRole, at now: UnixTime, random: some RandomSource) {
    guard let set = try? KeySet(generating: role, suite: .x25519ChaChaPoly, at: now, random: random) else {
      preconditionFailure("every system has what these keys need")
    }
    self = set
  }

  /// Generates a set with one active key.
  ///
  /// - Throws: As ``init(generating:suite:at:)``.
  package init(
    generating role: KeyRole, suite: Suite, at now: UnixTime, random: some RandomSource
  ) throws(KeySetError) {
    let algorithm: KeyAlgorithm =
      switch role {
      case .device: KeyAlgorithm(suite: suite)
      case .sender, .identity, .root: .ed25519
      case .shared: .shared
      }
    guard role.has(algorithm) else { throw .wrongRole }
    let keys = [try StoredKey(generating: algorithm, at: now, random: random)]
    try self.init(keys: keys, role: role.name == nil ? nil : role, serial: role.name == nil ? nil : 0)
  }

  /// Makes a device's set with one active key, which is in hardware, for the suite `p256-aesgcm`.
  ///
  /// - Throws: ``KeySetError/hardware(_:)``.
  package init(generatingIn vault: any KeyVault, at now: UnixTime) throws(KeySetError) {
    try self.init(keys: [try StoredKey(in: vault, at: now)])
  }

  /// Whether a key of the set is in hardware.
  package var isInHardware: Bool { keys.contains { $0.material.vault != nil } }

  /// Makes a set of keys, which must satisfy ``KeySetRules``.
  ///
  /// `role` and `serial` are given together, for a role that the keys' algorithm does not imply.
  init(keys: [StoredKey], role: KeyRole? = nil, serial: Int64? = nil) throws(KeySetError) {
    guard (role == nil) == (serial == nil) else { throw .invalidSetMember("serial") }
    directory = try KeySetRules.directory(of: keys.map(\.record), role: role) { _ in .one }
    self.keys = keys
    self.serial = serial
  }

  /// The same set with other keys or another serial.
  func with(keys: [StoredKey]? = nil, serial: Int64? = nil) throws(KeySetError) -> KeySet {
    try KeySet(
      keys: keys ?? self.keys, role: role.name == nil ? nil : role, serial: serial ?? self.serial)
  }

  /// The thumbprints of the keys that a device or whoever has the shared keys can use at `now`, active or accepted.
  public func thumbprints(at now: UnixTime) -> [Thumbprint] {
    role == .device || role == .shared ? records.filter { !$0.life.hasExpired(at: now) }.map(\.id) : []
  }

  /// Returns the device's or shared key with this ID, active or accepted; nil if there is none, or it has expired at
  /// `now`.
  public func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    guard role == .device || role == .shared, let position = directory.position(of: id) else { return nil }
    let key = keys[position]
    guard !key.record.life.hasExpired(at: now) else { return nil }
    switch (key.record.publicKey, key.material) {
    case (nil, .secret(let secret)): return DeviceKey(sharedKey: secret.guarded(), id: key.record.id)
    case (let publicKey?, .secret(let secret)): return DeviceKey(publicKey: publicKey, secret: secret)
    case (let publicKey?, .hardware(let key)): return try? DeviceKey(p256: publicKey.bytes, agreement: key)
    case (nil, .hardware): return nil
    }
  }

  /// The recipient for the active shared key.
  ///
  /// For a device, use ``publicKeys`` instead.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the keys are shared keys, ``KeySetError/keyEnded`` if the active key
  ///   has expired at `now`.
  public func recipient(at now: UnixTime = .now) throws(KeySetError) -> Recipient {
    guard role == .shared else { throw .wrongRole }
    guard let key = keys.first(where: { $0.record.life.status == .active }),
      let secret = key.material.secret
    else { throw .noActiveKey }
    guard !key.record.life.hasExpired(at: now) else { throw .keyEnded }
    return Recipient(sharedKey: secret.guarded(), id: key.record.id)
  }

  /// The sender's active key.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is a sender's, ``KeySetError/keyEnded`` if the key has
  ///   expired at `now`, ``KeySetError/keyNotBegun`` if it is not valid yet.
  public func signingKey(at now: UnixTime = .now) throws(KeySetError) -> SigningKey {
    guard role == .sender else { throw .wrongRole }
    guard let key = keys.first(where: { $0.record.life.status == .active }) else { throw .noActiveKey }
    guard !key.record.life.hasExpired(at: now) else { throw .keyEnded }
    guard key.record.life.hasBegun(at: now) else { throw .keyNotBegun }
    return try key.signingKey
  }

  /// The identity's key, which signs what needs no serial.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is an identity's and has an active key.
  package var identityKey: SigningKey {
    get throws(KeySetError) {
      guard role == .identity, let key = keys.first(where: { $0.record.life.status == .active }) else {
        throw .wrongRole
      }
      return try key.signingKey
    }
  }

  /// The sender's key with this thumbprint, active or accepted; nil if there is none, or it has expired at `now`.
  ///
  /// A retry must sign with the key of the first attempt, so that the device recognizes the message.
  public func signingKey(for id: Thumbprint, at now: UnixTime = .now) -> SigningKey? {
    guard role == .sender, let key = keys.first(where: { $0.record.id == id }) else { return nil }
    let life = key.record.life
    guard life.status != .next, !life.hasExpired(at: now), life.hasBegun(at: now) else { return nil }
    return try? key.signingKey
  }

  /// The public keys to publish: a device's, identity's or root's active keys, or a sender's active and accepted
  /// keys.
  ///
  /// A sender's next key is published as accepted, so that others know it before it is used.
  ///
  /// - Throws: ``KeySetError/noPublicHalf`` if the keys are shared keys.
  public var publicKeys: PublicKeySet {
    get throws(KeySetError) {
      guard role != .shared else { throw .noPublicHalf }
      let handedOut = records.filter { role == .sender || $0.life.status == .active }
      return try PublicKeySet(
        records: handedOut.map {
          $0.life.status == .next ? $0.with(life: $0.life.accepted(until: $0.life.expiresAt)) : $0
        },
        role: role.name == nil ? nil : role)
    }
  }

  /// The public keys to publish, followed by the keys of `copy` that are not in this set, such as other senders' keys.
  ///
  /// The keys in `gone` are left out.
  ///
  /// - Throws: ``KeySetError/noPublicHalf``, ``KeySetError/wrongRole`` if the copy has another role, or another
  ///   ``KeySetError`` if the keys together break a rule.
  package func publicKeys(
    beside copy: PublicKeySet, without gone: Thumbprint? = nil
  ) throws(KeySetError) -> PublicKeySet {
    let own = try publicKeys
    guard copy.role == role else { throw .wrongRole }
    let ids = Set(records.map(\.id))
    let others = copy.records.filter { !ids.contains($0.id) && $0.id != gone }
    return try PublicKeySet(records: own.records + others, role: role.name == nil ? nil : role)
  }

  /// Calls `body` with the set as a private JWK Set in JSON, and wipes the JSON afterwards.
  ///
  /// `init(parsing:)` reads it. The JSON contains every secret, so `body` must wipe any copy that it makes.
  public func withEncodedBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = encoded()
    defer { bytes.wipe() }
    return try body(bytes.span)
  }

  /// The set as a private JWK Set in JSON, one key per line, which `init(parsing:)` reads.
  ///
  /// The array contains every secret, and no other copy is left behind. The caller must wipe it.
  package func encoded() -> [UInt8] {
    KeySetWriter.encode(keys.map { ($0.record, $0.material) }, role: role, serial: serial)
  }
}

extension KeySet: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The role and the number of keys.
  public var description: String { "KeySet(\(role), keys: \(keys.count))" }

  /// The role and the number of keys.
  public var debugDescription: String { description }

  /// Shows the role and the records, but no secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["role": role, "records": records], displayStyle: .struct)
  }
}
