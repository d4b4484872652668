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

extension Recipient: CustomReflectable {
  /// The suite and the thumbprint.
  public var customMirror: Mirror { Mirror(self, children: ["suite": suite, "thumbprint": thumbprint]) }
}

/// What the messages of one call are encrypted with: encapsulations for those to public keys, prepared together.
///
/// It ends with the call, and so do its keys.
package struct SealingBatch: ~Copyable {
  /// The most messages of one batch.
  package static let maximumCount = HPKEBatch.maximumCount

  private var batches: [Suite: HPKEBatch] = [:]
  private let hmac: HMACSHA256?
  private let random: any RandomSource

  /// Gets ready for one message to each of at most ``maximumCount`` recipients.
  ///
  /// - Throws: ``CryptoError/unavailable``; ``CryptoError/invalidPrivateKey``, which does not happen.
  package init(for recipients: some Collection<Recipient>, random: any RandomSource) throws(CryptoError) {
    var counts: [Suite: Int] = [:]
    for recipient in recipients { counts[recipient.suite, default: 0] += 1 }
    for suite in Suite.allCases {
      guard let count = counts[suite], let hpke = HPKESuite(suite) else { continue }
      batches[suite] = try HPKEBatch(count: count, suite: hpke, random: random)
    }
    hmac = counts[.sharedChaChaPoly] == nil ? nil : .quick()
    self.random = random
  }

  /// HPKE's SealBase with the next encapsulation and an empty `aad`.
  fileprivate func seal(
    _ plaintext: Span<UInt8>, to publicKey: PublicKey, _ suite: Suite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKE.Message {
    guard let batch = batches[suite] else { preconditionFailure("a batch is for these recipients") }
    let pkR = publicKey.bytes
    return try batch.seal(plaintext, to: pkR.span, info: info, aad: Span())
  }

  /// The suite of a shared key.
  fileprivate func seal(
    _ plaintext: Span<UInt8>, with key: SharedSecret, info: Span<UInt8>
  ) throws(CryptoError) -> SharedKey.Message {
    try SharedKey.seal(plaintext, with: key.exposedBytes, info: info, by: hmac ?? .quick(), random: random)
  }
}
