public import PushEnvelope

/// What may be shown of a key in a set: nothing secret.
public struct KeyRecord: Hashable, Sendable {
  /// The public key.
  public let publicKey: PublicKey

  /// When it is good, and for what.
  public let life: KeyLife

  /// The key's name: its thumbprint, a JWK's `kid`.
  public var id: Thumbprint { publicKey.thumbprint }

  /// Puts a record together.
  package init(publicKey: PublicKey, life: KeyLife) {
    self.publicKey = publicKey
    self.life = life
  }
}
