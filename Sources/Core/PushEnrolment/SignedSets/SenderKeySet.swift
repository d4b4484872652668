public import PushKeys
public import PushCore

/// The public keys of an app's senders, signed by a root.
public struct SenderKeySet: SenderKeyStore, Hashable, Sendable {
  /// The keys, all trusted.
  public let keys: PublicKeySet

  /// The app that the set is for.
  public let topic: Topic

  /// The serial, from 1 to 2^53 - 1.
  ///
  /// A newer set has a greater one.
  public let serial: Int64

  /// When the set was signed, by the signer's clock.
  public let issuedAt: UnixTime

  /// When the set ends.
  ///
  /// Its keys are trusted for messages that were issued at that time or before: FORMAT.md, [5.8].
  public let expiresAt: UnixTime

  /// The thumbprint of the root that signed the set.
  public let signer: Thumbprint

  /// The set as a compact JWS in ASCII, at most 64 KiB.
  public let text: String

  /// Parses and verifies a set that one of `roots` signed for `topic`: FORMAT.md, [11.1] to [11.8].
  ///
  /// It does not check that the set is the newest: ``check(follows:)`` and ``SenderKeyFile`` do.
  ///
  /// - Throws: ``SignedSetError``.
  public init(
    parsing text: Span<UInt8>, roots: PublicKeySet, topic: Topic
  ) throws(SignedSetError) {
    let jws = try CompactJWS(parsing: text)
    let kid = try SignedSetHeader.member(.root, of: jws.header).string.flatMap { try? Thumbprint($0) }
    guard roots.role == .root, let kid, let root = roots.record(of: kid)?.publicKey else {
      throw .unknownSigner
    }
    guard jws.isSigned(by: root) else { throw .badSignature }
    let claims = try SignedSetClaims(parsing: jws.payload, role: .sender)
    guard claims.topic == topic else { throw .otherTopic }
    guard let end = claims.expiresAt else { throw .malformedClaims }
    self.init(claims: claims, until: end, signer: root.thumbprint, text: text)
  }

  /// Reads a set without asking who signed it, for whoever only compares it with what devices have verified.
  ///
  /// - Throws: ``SignedSetError``.
  package init(unverified text: Span<UInt8>) throws(SignedSetError) {
    let jws = try CompactJWS(parsing: text)
    let kid = try SignedSetHeader.member(.root, of: jws.header).string.flatMap { try? Thumbprint($0) }
    guard let kid else { throw .unknownSigner }
    let claims = try SignedSetClaims(parsing: jws.payload, role: .sender)
    guard let end = claims.expiresAt else { throw .malformedClaims }
    self.init(claims: claims, until: end, signer: kid, text: text)
  }

  /// Takes claims that a root has signed.
  init(claims: SignedSetClaims, until end: UnixTime, signer: Thumbprint, text: Span<UInt8>) {
    keys = claims.keys
    topic = claims.topic
    serial = claims.serial
    issuedAt = claims.issuedAt
    expiresAt = end
    self.signer = signer
    self.text = String(decoding: text.indices.map { text[$0] }, as: UTF8.self)
  }

  /// Checks that this set may replace an older one: FORMAT.md, [11.9].
  ///
  /// The sets may have ended: a newer set may remove a key, which an older one would bring back.
  ///
  /// - Throws: ``SignedSetError/olderSerial(last:)``, ``SignedSetError/sameSerial``.
  public func check(follows old: SenderKeySet) throws(SignedSetError) {
    guard serial >= old.serial else { throw .olderSerial(last: old.serial) }
    guard serial > old.serial || text == old.text else { throw .sameSerial }
  }

  /// Returns the sender's key with this ID, as `PublicKeySet.senderKey(for:at:)` does, trusted until the set's end.
  public func senderKey(for id: KeyID, at now: UnixTime) -> SenderKey? {
    keys.senderKey(for: id, at: now)?.trusted(until: expiresAt)
  }

  /// The default lifetime of a set: 400 days, so that it can be signed once a year.
  public static let defaultLifetime = Duration.seconds(400 * 86_400)
}

extension KeySetEditor {
  /// Signs a sender's public keys for an app with a root.
  ///
  /// The default serial is the greater of the last serial plus 1 and the Unix time. The default end is
  /// ``SenderKeySet/defaultLifetime`` after `now`.
  ///
  /// - Throws: `KeySetError.wrongRole` unless the set is a root's and `keys` are a sender's, without the root's own
  ///   key; `KeySetError.serialNotGreater`; `KeySetError.tooManyKeys` if the signed set would exceed 64 KiB.
  public mutating func signSenders(
    _ keys: PublicKeySet, for topic: Topic, serial: Int64? = nil, expiresAt: UnixTime? = nil,
    at now: UnixTime = .now
  ) throws(KeySetError) -> SenderKeySet {
    guard keys.role == .sender else { throw .wrongRole }
    var changed = self
    // The root must not be among the keys it signs.
    guard keySet.records.allSatisfy({ keys.record(of: $0.id) == nil }) else { throw .wrongRole }
    let (serial, root) = try changed.spendSerial(serial, as: .root, at: now)
    let end = expiresAt ?? now.advanced(by: SenderKeySet.defaultLifetime)
    let claims = SignedSetClaims(topic: topic, serial: serial, issuedAt: now, expiresAt: end, keys: keys)
    let header = SignedSetHeader.make(.root, with: root.publicKey)
    let text = Array(CompactJWS.sign(claims.encoded, header: header, with: root).utf8)
    guard text.count <= CompactJWS.maximumSize else { throw .tooManyKeys }
    self = changed
    return SenderKeySet(claims: claims, until: end, signer: root.publicKey.thumbprint, text: text.span)
  }
}
