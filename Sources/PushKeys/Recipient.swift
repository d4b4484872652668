package import PushCrypto
public import PushEnvelope

/// The recipient of sealed messages: a device's active public key, or a shared key.
public struct Recipient: Sendable {
  private enum Key {
    case publicKey(PublicKey)
    case shared(SharedSecret)
  }

  /// The suite of the key.
  public let suite: Suite

  /// The key's thumbprint, to which messages are bound.
  public let thumbprint: Thumbprint

  private let key: Key

  /// The device's public key; nil for a shared key.
  public var publicKey: PublicKey? {
    guard case .publicKey(let publicKey) = key else { return nil }
    return publicKey
  }

  /// Makes a recipient of a device's public key; nil for a sender's key.
  public init?(_ publicKey: PublicKey) {
    guard let suite = publicKey.algorithm.suite else { return nil }
    self.suite = suite
    thumbprint = publicKey.thumbprint
    key = .publicKey(publicKey)
  }

  /// Takes a validated shared key and its thumbprint.
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
    var batch = try SealingBatch(for: [self], random: random)
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

  /// The data that binds a message to this key and to `topic`.
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

extension Recipient: CustomReflectable {
  /// Shows only the suite and the thumbprint.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite, "thumbprint": thumbprint]) }
}

/// The encapsulations for the messages of one call, prepared together.
///
/// A batch lives for one call, and its ephemeral keys are destroyed with it.
package struct SealingBatch: ~Copyable {
  /// The maximum number of messages in a batch.
  package static let maximumCount = HPKEBatch.maximumCount

  /// A batch for each HPKE suite among the recipients.
  private var batches: [(suite: Suite, batch: HPKEBatch)] = []
  private let hmac: HMACSHA256?
  private let random: any RandomSource

  /// Prepares one message for each of at most ``maximumCount`` recipients.
  ///
  /// - Throws: ``CryptoError/unavailable``; ``CryptoError/invalidPrivateKey``, which does not occur in practice.
  package init(for recipients: [Recipient], random: any RandomSource) throws(CryptoError) {
    for suite in Suite.allCases {
      let count = recipients.count { $0.suite == suite }
      guard count > 0, let hpke = HPKESuite(suite) else { continue }
      batches.append((suite, try HPKEBatch(count: count, suite: hpke, random: random)))
    }
    hmac = recipients.contains { $0.suite == .sharedChaChaPoly } ? .quick() : nil
    self.random = random
  }

  /// HPKE's SealBase with the next encapsulation and an empty `aad`.
  fileprivate func seal(
    _ plaintext: Span<UInt8>, to publicKey: PublicKey, _ suite: Suite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKE.Message {
    guard let batch = batches.first(where: { $0.suite == suite })?.batch else {
      preconditionFailure("a batch is for these recipients")
    }
    let pkR = publicKey.bytes
    return try batch.seal(plaintext, to: pkR.span, info: info, aad: Span())
  }

  /// Seals with a shared key.
  fileprivate func seal(
    _ plaintext: Span<UInt8>, with key: SharedSecret, info: Span<UInt8>
  ) throws(CryptoError) -> SharedKey.Message {
    try SharedKey.seal(plaintext, with: key.exposedBytes, info: info, by: hmac ?? .quick(), random: random)
  }
}
