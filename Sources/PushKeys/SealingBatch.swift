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
    self.random = random
    x25519 = try Self.keys(.x25519ChaChaPoly, for: recipients, random)
    p256 = try Self.keys(.p256AESGCM, for: recipients, random)
    hmac = recipients.contains { $0.suite == .sharedChaChaPoly } ? .quick() : nil
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

  private static func keys(
    _ suite: HPKESuite, for recipients: some Collection<Recipient>, _ random: any RandomSource
  ) throws(CryptoError) -> EphemeralKeys? {
    let count = recipients.count { HPKESuite($0.suite) == suite }
    return count == 0 ? nil : try EphemeralKeys(count: count, suite: suite, random: random)
  }
}
