package import PushCrypto
public import PushEnvelope

/// A device to seal for: the active public key that it enrolled.
public struct Recipient: Hashable, Sendable {
  /// The suite of its key.
  public let suite: Suite

  /// The public key.
  public let publicKey: PublicKey

  /// What messages to it are bound to.
  public var thumbprint: Thumbprint { publicKey.thumbprint }

  /// Takes a device's public key; null for a sender's.
  public init?(_ publicKey: PublicKey) {
    guard let suite = publicKey.algorithm.suite else { return nil }
    self.suite = suite
    self.publicKey = publicKey
  }

  /// Seals a plaintext to this key for `topic`: HPKE's SealBase with an empty `aad`.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, for topic: Topic, random: some RandomSource
  ) throws(CryptoError) -> Envelope {
    let info = binding(for: topic).info
    let pkR = publicKey.bytes
    let message = try HPKE.seal(
      plaintext, to: pkR.span, suite: HPKESuite(suite), info: info.span, aad: Span(), random: random)
    guard
      let envelope = try? Envelope(
        suite: suite, keyID: thumbprint.keyID, encapsulatedKey: message.encapsulatedKey,
        ciphertext: message.ciphertext)
    else { preconditionFailure("HPKE gives an encapsulated key and a ciphertext of the suite's form") }
    return envelope
  }

  /// What a message to this key is bound to.
  package func binding(for topic: Topic) -> Binding {
    Binding(topic: topic, suite: suite, recipient: thumbprint)
  }
}
