package import PushCrypto
public import PushEnvelope

/// Whom to seal for: a device, by the active public key that it enrolled, or whoever has the same shared key.
public struct Recipient: Sendable {
  private enum Key {
    case publicKey(PublicKey)
    case shared(SharedSecret)
  }

  /// The suite of the key.
  public let suite: Suite

  /// What messages to it are bound to.
  public let thumbprint: Thumbprint

  private let key: Key

  /// The device's public key; null if the key is a shared one.
  public var publicKey: PublicKey? {
    guard case .publicKey(let publicKey) = key else { return nil }
    return publicKey
  }

  /// Takes a device's public key; null for a sender's.
  public init?(_ publicKey: PublicKey) {
    guard let suite = publicKey.algorithm.suite else { return nil }
    self.suite = suite
    thumbprint = publicKey.thumbprint
    key = .publicKey(publicKey)
  }

  /// Takes a shared key that was checked, and its name.
  init(sharedKey: SharedSecret, id: Thumbprint) {
    suite = .sharedChaChaPoly
    thumbprint = id
    key = .shared(sharedKey)
  }

  /// Seals one plaintext to this key for `topic`, with a batch of one.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, for topic: Topic, random: some RandomSource
  ) throws(CryptoError) -> Envelope {
    var batch = try SealingBatch(for: CollectionOfOne(self), random: random)
    let info = binding(for: topic).info
    return try seal(plaintext, info: info.span, in: &batch)
  }

  /// Seals a plaintext to this key: HPKE's SealBase with an empty `aad`, or the shared key's suite.
  ///
  /// - Throws: ``CryptoError/invalidPublicKey``, ``CryptoError/unavailable``.
  package func seal(
    _ plaintext: Span<UInt8>, info: Span<UInt8>, in batch: inout SealingBatch
  ) throws(CryptoError) -> Envelope {
    let (encapsulatedKey, ciphertext): ([UInt8], [UInt8])
    switch key {
    case .publicKey(let publicKey):
      let message = try batch.seal(plaintext, to: publicKey, suite, info: info)
      (encapsulatedKey, ciphertext) = (message.encapsulatedKey, message.ciphertext)
    case .shared(let secret):
      let message = try batch.seal(plaintext, with: secret, info: info)
      (encapsulatedKey, ciphertext) = (message.encapsulatedKey, message.ciphertext)
    }
    guard
      let envelope = try? Envelope(
        suite: suite, keyID: thumbprint.keyID, encapsulatedKey: encapsulatedKey, ciphertext: ciphertext)
    else { preconditionFailure("a suite gives an encapsulated key and a ciphertext of its own form") }
    return envelope
  }

  /// What a message to this key is bound to.
  package func binding(for topic: Topic) -> MessageBinding {
    MessageBinding(topic: topic, suite: suite, recipient: thumbprint)
  }
}

extension Recipient: Hashable {
  /// Whether both are the same key.
  public static func == (left: Recipient, right: Recipient) -> Bool {
    left.suite == right.suite && left.thumbprint == right.thumbprint
  }

  /// Hashes suite and thumbprint.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(suite)
    hasher.combine(thumbprint)
  }
}
