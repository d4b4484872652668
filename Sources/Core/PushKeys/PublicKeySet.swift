public import PushCore

/// A set of public keys of one role: a device's, to seal to; senders', to verify with; or those of roots or
/// identities, which sign the other two.
public struct PublicKeySet: SenderKeyStore, Sendable {
  /// The keys in file order, with their validity and status.
  public let records: [KeyRecord]

  private let directory: KeyDirectory

  /// A recipient for each of a device's keys, made once, because a recipient caches values for its messages.
  private let recipients: [Recipient]

  /// The role of the keys.
  public var role: KeyRole { directory.role }

  /// Parses a public JWK Set (RFC 7517, 5; RFC 8037), from this package or from other software.
  ///
  /// A key needs only `kty`, `crv`, `x` and, for P-256, `y`; or, for X-Wing, `kty`, `alg` and `pub`. Without `alg`, the
  /// curve determines the algorithm; without `status`, the key is active. Optional members must be valid if they are
  /// present. Unknown members are ignored, and are lost when the set is rewritten; private members are rejected. A
  /// device's set may have at most one active key for each suite.
  ///
  /// - Throws: ``KeySetError``.
  public init(parsing text: Span<UInt8>) throws(KeySetError) {
    var reader = KeySetReader(text, isPrivate: false)
    var records: [KeyRecord] = []
    try reader.readKeys { (index, members) throws(KeySetError) in
      records.append(try members.record(at: index))
    }
    try self.init(records: records, role: reader.role)
  }

  /// Makes a set of one active key, to publish a key whose private half is not in a ``KeySet``, such as one in the
  /// Secure Enclave.
  ///
  /// - Throws: ``KeySetError/noPublicHalf`` for a shared key.
  public init(_ key: DeviceKey, issuedAt: UnixTime) throws(KeySetError) {
    guard let publicKey = key.publicKey else { throw .noPublicHalf }
    try self.init(records: [
      KeyRecord(publicKey: publicKey, life: KeyLife(issuedAt: issuedAt, status: .active))
    ])
  }

  /// Makes a set of records, which must satisfy ``KeySetRules``.
  ///
  /// `role` is nil if the keys' algorithm implies it.
  package init(records: [KeyRecord], role: KeyRole? = nil) throws(KeySetError) {
    directory = try KeySetRules.directory(of: records, role: role) { $0 == .device ? .oneAtMost : .any }
    self.records = records
    recipients = directory.role == .device ? records.compactMap { $0.publicKey.flatMap(Recipient.init) } : []
  }

  /// The recipient to seal to: the device's active key for `suite` or, by default, for the preferred suite.
  ///
  /// The preferred suite is the first of X-Wing, X25519 and P-256 that both the device and this system's libraries
  /// have.
  ///
  /// - Throws: ``KeySetError/wrongRole`` unless the set is a device's, ``KeySetError/noKeyForSuite`` if it has no key
  ///   for `suite`, ``KeySetError/noActiveKey`` if none of its keys is active, ``KeySetError/keyEnded`` if the active
  ///   key has expired at `now`, ``KeySetError/unavailable(_:)`` if the libraries lack the suites of all active keys.
  public func recipient(suite: Suite? = nil, at now: UnixTime = .now) throws(KeySetError) -> Recipient {
    guard role == .device else { throw .wrongRole }
    let suites = suite.map { [$0] } ?? Suite.byPreference
    let candidates = suites.flatMap { suite in recipients.indices.filter { recipients[$0].suite == suite } }
    guard !candidates.isEmpty else { throw .noKeyForSuite }
    let active = candidates.filter { records[$0].life.status == .active }
    guard let preferred = active.first else { throw .noActiveKey }
    guard let place = active.first(where: { recipients[$0].suite.isAvailable }) else {
      throw .unavailable(recipients[preferred].suite)
    }
    guard !records[place].life.hasExpired(at: now) else { throw .keyEnded }
    return recipients[place]
  }

  /// Returns the sender's key with this ID, active or accepted, from the first second of its `nbf` through the last
  /// second of its `exp`.
  public func senderKey(for id: KeyID, at now: UnixTime) -> SenderKey? {
    guard role == .sender, let position = directory.position(of: id) else { return nil }
    let record = records[position]
    guard record.life.hasBegun(at: now), !record.life.hasExpired(at: now) else { return nil }
    return record.publicKey.flatMap(SenderKey.init)
  }

  /// The record of a key; nil if the set does not have the key.
  package func record(of id: Thumbprint) -> KeyRecord? {
    guard let position = directory.position(of: id.keyID), records[position].id == id else { return nil }
    return records[position]
  }

  /// The set as a JWK Set in JSON, one key per line, which `init(parsing:)` reads.
  public func encoded() -> [UInt8] {
    KeySetWriter.encode(records.map { ($0, nil) }, role: role)
  }
}

extension PublicKeySet: Hashable {
  /// Whether both have the same role and the same records in the same order.
  public static func == (left: PublicKeySet, right: PublicKeySet) -> Bool {
    left.role == right.role && left.records == right.records
  }

  /// Hashes the records.
  public func hash(into hasher: inout Hasher) { hasher.combine(records) }
}
