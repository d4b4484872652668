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
    let seed = random.secret(Self.secretSize)
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
    switch (algorithm.curve, algorithm.suite) {
    case (nil, _):
      try SharedKey.validate(seed.exposedBytes)
      record = KeyRecord(sharedKey: Thumbprint(sharedKey: seed.exposedBytes), life: life)
      secret = StoredSecret(Secret(copying: seed.exposedBytes))
    case (let curve?, let suite):
      let pair = try Self.keyPair(curve, suite.flatMap(HPKESuite.init), seed)
      record = KeyRecord(publicKey: try PublicKey(on: curve, bytes: pair.publicKey), life: life)
      secret = pair.secret
    }
  }

  private static func keyPair(
    _ curve: Curve, _ suite: HPKESuite?, _ seed: borrowing Secret
  ) throws(CryptoError) -> (publicKey: [UInt8], secret: StoredSecret) {
    guard let suite else {
      let publicKey = try curve.publicKey(of: seed.exposedBytes)
      return (publicKey, StoredSecret(Secret(copying: seed.exposedBytes)))
    }
    // RFC 9180, 4: GenerateKeyPair() may be DeriveKeyPair(random(Nsk)).
    let pair = try suite.kem.deriveKeyPair(seed.exposedBytes)
    let publicKey = pair.publicKey
    return (publicKey, StoredSecret(pair.takePrivateKey()))
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

  /// The length of a seed, and of every kind's private or shared key, in bytes.
  static let secretSize = 32
}
