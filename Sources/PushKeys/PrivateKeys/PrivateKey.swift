internal import PushCrypto
public import PushEnvelope

/// A device's or a sender's private key outside of a set, on its way from or to another program.
public struct PrivateKey: Sendable {
  /// Its public key, computed anew.
  public let publicKey: PublicKey

  let secret: StoredSecret

  /// What it is for.
  public var algorithm: KeyAlgorithm { publicKey.algorithm }

  /// Its name.
  public var thumbprint: Thumbprint { publicKey.thumbprint }

  /// Reads a key's 32 bytes: of X25519 the scalar, of P-256 the scalar in big endian, of Ed25519 the seed (RFC 8032).
  ///
  /// - Throws: ``PrivateKeyError/malformed`` for another length, zero, or a scalar that P-256 does not have, and
  ///   ``PrivateKeyError/unsupported`` for a shared key.
  public init(raw bytes: Span<UInt8>, _ algorithm: KeyAlgorithm) throws(PrivateKeyError) {
    guard let curve = algorithm.curve else { throw .unsupported }
    guard let point = try? curve.publicKey(of: bytes), let publicKey = try? PublicKey(on: curve, bytes: point)
    else { throw .malformed }
    self.publicKey = publicKey
    secret = StoredSecret(Secret(copying: bytes))
  }

  /// Takes a key of a set.
  init(_ publicKey: PublicKey, _ secret: StoredSecret) {
    self.publicKey = publicKey
    self.secret = secret
  }
}

extension PrivateKey: CustomReflectable {
  /// The public key.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}

extension KeySet {
  /// Makes a set of one key from elsewhere, active from `now`, and of a sender's next one.
  public init(importing key: PrivateKey, at now: UnixTime) {
    var keys = [StoredKey(key, at: now)]
    if key.algorithm == .ed25519 {
      keys.append(StoredKey(generating: .ed25519, at: now, as: .next, random: SystemRandom()))
    }
    guard let set = try? KeySet(keys) else { preconditionFailure("an active key and a random one are a set") }
    self = set
  }

  /// The private key of that name, to write it for another program; null for a shared one, or if there is none.
  public func privateKey(_ id: Thumbprint) -> PrivateKey? {
    guard let key = keys.first(where: { $0.record.id == id }) else { return nil }
    return key.record.publicKey.map { PrivateKey($0, key.secret) }
  }
}

extension StoredKey {
  /// Takes a key from elsewhere, active from `now`.
  init(_ key: PrivateKey, at now: UnixTime) {
    self.init(
      record: KeyRecord(publicKey: key.publicKey, life: KeyLife(issuedAt: now, status: .active)),
      secret: key.secret)
  }
}
