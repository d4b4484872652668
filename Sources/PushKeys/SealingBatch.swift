package import PushCrypto
internal import PushEnvelope

/// What the messages of one call are encrypted with: ephemeral key pairs for those to public keys, made together.
///
/// It ends with the call, and so do its keys.
package struct SealingBatch: ~Copyable {
  /// The most messages of one batch.
  package static let maximumCount = EphemeralKeys.maximumCount

  private var x25519: EphemeralKeys?
  private var p256: EphemeralKeys?
  private let hmac: HMACSHA256?
  private let random: any RandomSource

  /// Gets ready for one message to each of at most ``maximumCount`` recipients.
  ///
  /// - Throws: ``CryptoError/invalidPrivateKey``, which does not happen.
  package init(for recipients: some Collection<Recipient>, random: any RandomSource) throws(CryptoError) {
    var (x25519, p256, shared) = (0, 0, 0)
    for recipient in recipients {
      switch recipient.suite {
      case .x25519ChaChaPoly: x25519 += 1
      case .p256AESGCM: p256 += 1
      case .sharedChaChaPoly: shared += 1
      }
    }
    self.random = random
    self.x25519 =
      x25519 > 0 ? try EphemeralKeys(count: x25519, suite: .x25519ChaChaPoly, random: random) : nil
    self.p256 = p256 > 0 ? try EphemeralKeys(count: p256, suite: .p256AESGCM, random: random) : nil
    hmac = shared > 0 ? .quick() : nil
  }

  /// HPKE's SealBase with the next ephemeral key pair and an empty `aad`.
  mutating func seal(
    _ plaintext: Span<UInt8>, to publicKey: PublicKey, _ suite: HPKESuite, info: Span<UInt8>
  ) throws(CryptoError) -> HPKE.Message {
    let pkR = publicKey.bytes
    let message =
      switch suite {
      case .x25519ChaChaPoly: try x25519?.seal(plaintext, to: pkR.span, info: info)
      case .p256AESGCM: try p256?.seal(plaintext, to: pkR.span, info: info)
      }
    guard let message else { preconditionFailure("a batch is for these recipients") }
    return message
  }

  /// The suite of a shared key.
  func seal(
    _ plaintext: Span<UInt8>, with key: SharedSecret, info: Span<UInt8>
  ) throws(CryptoError) -> SharedKey.Message {
    try SharedKey.seal(plaintext, with: key.exposedBytes, info: info, by: hmac ?? .quick(), random: random)
  }
}
