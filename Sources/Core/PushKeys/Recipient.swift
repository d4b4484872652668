private import Locks
public import PushCore
package import PushCrypto

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
  private let bindings = KeptBinding()

  /// The device's public key; nil for a shared key.
  public var publicKey: PublicKey? {
    guard case .publicKey(let publicKey) = key else { return nil }
    return publicKey
  }

  /// Makes a recipient from a device's public key; nil for a sender's key.
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
  /// - Throws: `CryptoError.invalidPublicKey`, `CryptoError.unavailable`.
  package func seal(
    _ plaintext: Span<UInt8>, for topic: Topic, random: some RandomSource
  ) throws(CryptoError) -> Envelope {
    var batch = try SealingBatch(for: self, random: random)
    var envelope = [UInt8](repeating: 0, count: Envelope.ciphertextStart(for: suite))
    envelope += [UInt8](copying: plaintext)
    envelope += [UInt8](repeating: 0, count: Envelope.tagSize)
    return try seal(inPlace: &envelope, for: topic, in: &batch)
  }

  /// Seals in place: `envelope` has the plaintext at the ciphertext's position, and room for the rest.
  ///
  /// It uses HPKE's SealBase with an empty `aad`, or the shared key's suite. If it throws, the plaintext is wiped.
  ///
  /// - Throws: `CryptoError.invalidPublicKey`, `CryptoError.unavailable`.
  package func seal(
    inPlace envelope: inout [UInt8], for topic: Topic, in batch: inout SealingBatch
  ) throws(CryptoError) -> Envelope {
    do throws(CryptoError) {
      let enc = try sealText(of: &envelope, for: topic, in: &batch)
      return Envelope(
        suite: suite, keyID: thumbprint.keyID, encapsulatedKey: enc, taking: &envelope)
    } catch {
      envelope.wipe()
      throw error
    }
  }

  /// Encrypts the plaintext, and returns the encapsulated key.
  private func sealText(
    of envelope: inout [UInt8], for topic: Topic, in batch: inout SealingBatch
  ) throws(CryptoError) -> [UInt8] {
    let start = Envelope.ciphertextStart(for: suite)
    let binding = bindings.bytes(for: topic, of: self)
    return switch key {
    case .publicKey(let publicKey):
      try batch.seal(&envelope, from: start, to: publicKey, suite: suite, infoHash: binding.span)
    case .shared(let secret): try batch.seal(&envelope, from: start, with: secret, info: binding.span)
    }
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

/// A cache for one app of the bytes that a suite derives from a message's binding: most backends seal for one app.
///
/// The bytes are HPKE's `info_hash`, or the `info` of a shared key's suite. They are not secret.
private final class KeptBinding: Sendable {
  private let last = Mutex<(topic: Topic, bytes: [UInt8])?>(nil)

  func bytes(for topic: Topic, of recipient: Recipient) -> [UInt8] {
    last.withLock { last in
      if let last, last.topic == topic { return last.bytes }
      let info = recipient.binding(for: topic).info
      let bytes = HPKESuite(recipient.suite)?.infoHash(of: info.span) ?? info
      last = (topic, bytes)
      return bytes
    }
  }
}

/// The randomness for the messages of one call, drawn together.
///
/// A batch lives for one call, and its ephemeral keys are destroyed with it.
package struct SealingBatch: ~Copyable {
  /// The maximum number of messages in a batch.
  package static let maximumCount = HPKEBatch.maximumCount

  /// A batch for each HPKE suite among the recipients.
  private var batches: [(suite: Suite, batch: HPKEBatch)] = []
  private var shared: SharedKeyBatch?

  /// Prepares one message for a recipient.
  ///
  /// - Throws: `CryptoError.unavailable`; `CryptoError.invalidPrivateKey`, which does not occur in practice.
  package init(for recipient: Recipient, random: any RandomSource) throws(CryptoError) {
    try prepare([recipient], of: recipient.suite, random: random)
  }

  /// Prepares one message for each of at most ``maximumCount`` recipients, which are sealed in this order.
  ///
  /// - Throws: As ``init(for:random:)``.
  package init(for recipients: [Recipient], random: any RandomSource) throws(CryptoError) {
    for suite in Suite.allCases {
      try prepare(recipients.filter { $0.suite == suite }, of: suite, random: random)
    }
  }

  private mutating func prepare(
    _ recipients: [Recipient], of suite: Suite, random: any RandomSource
  ) throws(CryptoError) {
    guard !recipients.isEmpty else { return }
    if let hpke = HPKESuite(suite) {
      let keys = recipients.compactMap { $0.publicKey?.bytes }
      batches.append((suite, try HPKEBatch(to: keys, suite: hpke, random: random)))
    } else {
      shared = SharedKeyBatch(count: recipients.count, random: random)
    }
  }

  /// HPKE's SealBase to the next recipient with an empty `aad`, in place; returns `enc`.
  fileprivate func seal(
    _ text: inout [UInt8], from start: Int, to publicKey: PublicKey, suite: Suite, infoHash: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    guard let batch = batches.first(where: { $0.suite == suite })?.batch else {
      preconditionFailure("a batch is for these recipients")
    }
    let pkR = publicKey.bytes
    return try batch.seal(&text, from: start, to: pkR.span, infoHash: infoHash, aad: Span())
  }

  /// Seals with a shared key and the next salt, in place; returns salt and commitment.
  fileprivate func seal(
    _ text: inout [UInt8], from start: Int, with key: SharedSecret, info: Span<UInt8>
  ) throws(CryptoError) -> [UInt8] {
    guard let shared else { preconditionFailure("a batch is for these recipients") }
    return try shared.seal(&text, from: start, with: key.exposedBytes, info: info)
  }
}
