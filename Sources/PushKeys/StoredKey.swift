internal import PushCrypto
internal import PushEnvelope

/// A key pair in a set.
struct StoredKey: Sendable {
  /// What may be shown of it.
  var record: KeyRecord

  /// The private key.
  let secret: StoredSecret

  /// Makes a new key, active from `now`.
  init(generating algorithm: KeyAlgorithm, at now: UnixTime, random: some RandomSource) {
    let (publicKey, secret) = Self.generate(algorithm, random)
    record = KeyRecord(publicKey: publicKey, life: KeyLife(issuedAt: now, status: .active))
    self.secret = secret
  }

  /// Puts a pair together that was checked.
  init(record: KeyRecord, secret: StoredSecret) {
    self.record = record
    self.secret = secret
  }

  private static func generate(
    _ algorithm: KeyAlgorithm, _ random: some RandomSource
  ) -> (PublicKey, StoredSecret) {
    let seed = random.secret(seedSize)
    guard let (bytes, secret) = try? keyPair(algorithm, seed),
      let key = try? PublicKey(algorithm, bytes: bytes)
    else { preconditionFailure("random bytes give a key") }
    return (key, secret)
  }

  private static func keyPair(
    _ algorithm: KeyAlgorithm, _ seed: borrowing Secret
  ) throws(CryptoError) -> ([UInt8], StoredSecret) {
    guard let suite = algorithm.suite else {
      let publicKey = try algorithm.publicKey(of: seed.exposedBytes)
      return (publicKey, StoredSecret(Secret(copying: seed.exposedBytes)))
    }
    // RFC 9180, 4: GenerateKeyPair() may be DeriveKeyPair(random(Nsk)).
    let pair = try HPKESuite(suite).kem.deriveKeyPair(seed.exposedBytes)
    let publicKey = pair.publicKey
    return (publicKey, StoredSecret(pair.takePrivateKey()))
  }

  /// The length of a seed, and of every kind's private key, in bytes.
  static let seedSize = 32
}
