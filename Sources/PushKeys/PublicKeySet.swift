public import PushEnvelope

/// A set of public keys: those a device enrolled, to seal for, those of senders, to verify with, or those of roots or
/// identities, which vouch for either.
public struct PublicKeySet: SenderKeyStore, Sendable {
  /// What the set says of each key, in its order.
  public let records: [KeyRecord]

  private let directory: KeyDirectory

  /// Whose keys they are.
  public var role: KeyRole { directory.role }

  /// Reads a public JWK Set (RFC 7517, 5; RFC 8037), our own or a third party's.
  ///
  /// A key may be as plain as `kty`, `crv`, `x` and P-256's `y`: without `alg` the curve tells the algorithm, without
  /// `status` the key is active, and `kid`, `use` and `iat` may be absent. What is there must be right. Unknown
  /// members are ignored, and are lost when the set is written again; a private one is refused. Of a device, at
  /// most one key for each suite may be active.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing text: Span<UInt8>) throws(KeySetError) {
    var reader = KeySetReader(text, isPrivate: false)
    var records: [KeyRecord] = []
    try reader.readKeys { (index, members) throws(KeySetError) in
      records.append(try members.record(at: index))
    }
    try self.init(records, role: reader.role)
  }

  /// Makes a set of one active key, to hand out where no ``KeySet`` has the private key, such as of a Secure Enclave's.
  ///
  /// - Throws: ``KeySetError/noPublicHalf`` for a shared key.
  public init(_ key: DeviceKey, issuedAt: UnixTime) throws(KeySetError) {
    guard let publicKey = key.publicKey else { throw .noPublicHalf }
    try self.init([KeyRecord(publicKey: publicKey, life: KeyLife(issuedAt: issuedAt, status: .active))])
  }

  /// Takes records that may form a public set, of a role that they do not tell if there is one.
  init(_ records: [KeyRecord], role: KeyRole? = nil) throws(KeySetError) {
    directory = try KeySetRules.directory(of: records, role) { $0 == .device ? .oneAtMost : .any }
    self.records = records
  }

  /// The device to seal for: its active key for `suite`, or for the suite to prefer, which is X25519's.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is a device's, ``KeySetError/noKeyForSuite`` if it has no key of
  ///   `suite`, ``KeySetError/noActiveKey`` if none of them is active, ``KeySetError/keyEnded`` if it has ended at `now`.
  public func recipient(suite: Suite? = nil, at now: UnixTime = .now) throws(KeySetError) -> Recipient {
    guard role == .device else { throw .wrongRole }
    let suites = suite.map { [$0] } ?? Suite.allCases
    let candidates = suites.flatMap { suite in records.filter { $0.algorithm.suite == suite } }
    guard !candidates.isEmpty else { throw .noKeyForSuite }
    guard let record = candidates.first(where: { $0.life.status == .active }),
      let recipient = record.publicKey.flatMap(Recipient.init)
    else { throw .noActiveKey }
    guard !record.life.hasExpired(at: now) else { throw .keyEnded }
    return recipient
  }

  /// The sender's key of that name, active or accepted, from the first second of its `nbf` to the last of its `exp`.
  public func senderKey(for id: KeyID, at now: UnixTime) -> SenderKey? {
    guard role == .sender, let position = directory.position(of: id) else { return nil }
    let record = records[position]
    guard record.life.hasBegun(at: now), !record.life.hasExpired(at: now) else { return nil }
    return record.publicKey.flatMap(SenderKey.init)
  }

  /// What the set says of a key; null if it does not have it.
  func record(of id: Thumbprint) -> KeyRecord? {
    guard let position = directory.position(of: id.keyID), records[position].id == id else { return nil }
    return records[position]
  }

  /// The set as a JWK Set in JSON, one key a line, which ``init(parsing:)`` reads.
  public func encoded() -> [UInt8] {
    KeySetWriter.encode(records.map { ($0, nil) }, role: role)
  }
}

extension PublicKeySet: Hashable {
  /// Whether both say the same of the same keys, in the same order.
  public static func == (left: PublicKeySet, right: PublicKeySet) -> Bool {
    left.role == right.role && left.records == right.records
  }

  /// Hashes the records.
  public func hash(into hasher: inout Hasher) { hasher.combine(records) }
}
