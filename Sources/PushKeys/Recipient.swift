public import PushEnvelope

/// A device to seal for: the active public key that it enrolled.
public struct Recipient: Hashable, Sendable {
  /// The suite of its key.
  public let suite: Suite

  /// The public key.
  public let publicKey: PublicKey

  /// Takes a device's public key; null for a sender's.
  public init?(_ publicKey: PublicKey) {
    guard let suite = publicKey.algorithm.suite else { return nil }
    self.suite = suite
    self.publicKey = publicKey
  }
}
