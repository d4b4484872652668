public import PushEnvelope

/// What may be shown of a key in a set: nothing secret.
public struct KeyRecord: Hashable, Sendable {
  /// The key's name: its thumbprint, a JWK's `kid`.
  public let id: Thumbprint

  /// What it is for.
  public let algorithm: KeyAlgorithm

  /// The public key; null for a shared key, which has none.
  public let publicKey: PublicKey?

  /// When it is good, and for what.
  public let life: KeyLife

  /// The record of a key pair.
  package init(publicKey: PublicKey, life: KeyLife) {
    self.init(id: publicKey.thumbprint, algorithm: publicKey.algorithm, publicKey: publicKey, life: life)
  }

  /// The record of a shared key with that name.
  init(sharedKey id: Thumbprint, life: KeyLife) {
    self.init(id: id, algorithm: .shared, publicKey: nil, life: life)
  }

  private init(id: Thumbprint, algorithm: KeyAlgorithm, publicKey: PublicKey?, life: KeyLife) {
    self.id = id
    self.algorithm = algorithm
    self.publicKey = publicKey
    self.life = life
  }

  /// The same key with another life.
  func with(_ life: KeyLife) -> KeyRecord {
    KeyRecord(id: id, algorithm: algorithm, publicKey: publicKey, life: life)
  }
}
