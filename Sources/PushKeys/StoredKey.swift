internal import PushCrypto
internal import PushEnvelope

/// A key in a set, with what is secret of it.
struct StoredKey: Sendable {
  /// What may be shown of it.
  var record: KeyRecord

  /// The private or shared key.
  let secret: StoredSecret

  /// Makes a new key, active from `now`, or to be that later.
  init(
    generating algorithm: KeyAlgorithm, at now: UnixTime, as status: KeyStatus = .active,
    random: some RandomSource
  ) {
    let seed = random.secret(algorithm.secretSize)
    guard let key = try? Self(algorithm, seed: seed, KeyLife(issuedAt: now, status: status)) else {
      preconditionFailure("random bytes give a key")
    }
    self = key
  }

  /// Puts together what was checked.
  init(record: KeyRecord, secret: StoredSecret) {
    self.record = record
    self.secret = secret
  }

  private init(_ algorithm: KeyAlgorithm, seed: borrowing Secret, _ life: KeyLife) throws {
    guard let kind = algorithm.pair else {
      try SharedKey.validate(seed.exposedBytes)
      record = KeyRecord(sharedKey: Thumbprint(sharedKey: seed.exposedBytes), life: life)
      secret = StoredSecret(Secret(copying: seed.exposedBytes))
      return
    }
    // RFC 9180, 4: GenerateKeyPair() may be DeriveKeyPair(random(Nsk)).
    let pair = try kind.deriveKeyPair(seed.exposedBytes)
    record = KeyRecord(publicKey: try PublicKey(algorithm, bytes: pair.publicKey), life: life)
    secret = StoredSecret(pair.takePrivateKey())
  }

  /// The same key with another life.
  func with(_ life: KeyLife) -> StoredKey { StoredKey(record: record.with(life), secret: secret) }

  /// The key, ready to sign.
  ///
  /// - Throws: ``KeySetError/wrongRole`` for one that signs nothing.
  var signingKey: SigningKey {
    get throws(KeySetError) {
      guard let publicKey = record.publicKey, let key = SigningKey(publicKey, secret: secret.guarded()) else {
        throw .wrongRole
      }
      return key
    }
  }
}
